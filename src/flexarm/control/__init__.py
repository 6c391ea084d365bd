"""Control of flexible arms: what a controller is designed from, and parameters of arms from measured logs."""
