"""The one loop: build, start, march in chunks, controllers at their ticks, progress, checkpoint, on-line stepping."""
