"""The commands of the command line, one file each. They are thin: what they do is in the other packages.

Heavy libraries are imported inside the functions, so that asking for help costs next to nothing.
"""
