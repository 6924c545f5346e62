"""``python -m freebody`` is the command ``freebody``."""

from freebody.cli import main

if __name__ == "__main__":
    main()
