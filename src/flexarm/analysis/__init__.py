"""Analysis of arms and results: frequencies, spectra, separation of modes, damping, energy, exact references."""
