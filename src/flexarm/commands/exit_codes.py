"""With which codes the command line ends; 0 if all went well."""

FAILED = 1
"""The work was done, and its outcome is bad: a run that blew up, a number that does not agree."""
REFUSED = 2
"""What was asked for cannot be done; a sentence says why."""
INTERRUPTED = 130
"""Ctrl-C, as shells count it."""
