"""Run the command line: `python -m mmsat` does the same as `mmsat`."""

from mmsat.cli import main

if __name__ == "__main__":
    main()
