"""Control of flexible arms: linear models of the arm with its drives."""
