"""Sets MCP Inspector up in this checkout, and runs, tests or measures it. Needs nothing but Python 3.11 or newer.

    python3 packaging/bootstrap.py run [ARGS]      set up, then open the window (ARGS go to the program)
    python3 packaging/bootstrap.py test [ARGS]     set up, then all checks and tests (ARGS go to pytest alone)
    python3 packaging/bootstrap.py bench [NAMES]   set up, then measure, beside the official SDK
    python3 packaging/bootstrap.py setup           set up only
    python3 packaging/bootstrap.py lock            work out the locked versions anew

This first file stays readable to any older Python (so: plain ASCII, old syntax), for such a one to say what is wrong.
The work is in `boot/`.
"""

import os
import subprocess
import sys

if __name__ == "__main__":
    # Pythons that are too old are exactly what this block is for.
    if sys.version_info < (3, 11):  # noqa: UP036
        remedy = "Install Python 3.11 to 3.14, then run this again with it."
        with open(os.devnull, "r+") as nothing:
            for name in ("python3.14", "python3.13", "python3.12", "python3.11"):
                try:
                    found = subprocess.call([name, "-c", ""], stdin=nothing, stdout=nothing, stderr=nothing) == 0
                except OSError:
                    found = False
                if found:
                    remedy = "There is a newer one here. Type: " + " ".join([name] + sys.argv)  # noqa: RUF005 - a syntax error to Python 2
                    break
        version = ".".join(str(part) for part in sys.version_info[:2])
        sys.stderr.write("bootstrap: this is Python " + version + ", and MCP Inspector needs 3.11 or newer.\n")
        sys.stderr.write("bootstrap:   " + remedy + "\n")
        sys.exit(2)

    from boot.main import main

    sys.exit(main(sys.argv[1:]))
