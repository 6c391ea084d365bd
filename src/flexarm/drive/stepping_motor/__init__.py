"""Stepping motors: when they must step, the motion that this makes, tables of delays for a motor's program."""
