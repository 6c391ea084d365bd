"""Control of flexible arms: linear models, commands and laws that are made from the model of the arm, and arms from measured logs."""
