"""`python -m mmsat` is `mmsat`."""

from mmsat.cli import main

if __name__ == "__main__":
    main()
