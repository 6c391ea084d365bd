"""What arms, runs and modes show of themselves in a notebook: a small picture and a table, without any drawing library."""
