"""Fleets of runs: what varies, how it is drawn, what is kept, where it runs, and what the table then says."""
