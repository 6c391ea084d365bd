"""Compiled helpers that know no arm: solvers, joint laws, exact oscillator steps."""
