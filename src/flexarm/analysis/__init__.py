"""Analysis of arms and results: frequencies, spectra, single modes, decay, energy, exact references."""
