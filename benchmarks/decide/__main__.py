"""`python -m benchmarks.decide`, the same as `python -m benchmarks decide`."""

import sys

from benchmarks.decide import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
