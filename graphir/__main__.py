"""`python -m graphir`."""

from graphir.cli import main

if __name__ == "__main__":
    main()
