"""Control of flexible arms: commands and laws that are made from the model of the arm."""
