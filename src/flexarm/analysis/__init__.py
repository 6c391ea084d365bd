"""Analysis of arms and results: frequencies, spectra, separation of modes, damping, free motion, energy, exact references."""
