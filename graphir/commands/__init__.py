"""The commands of the command line, one module for each group of them; `arguments.py` makes requests of what they are
given, `finishing.py` exit codes of what came.  They know no language: all they do can be done from Python."""
