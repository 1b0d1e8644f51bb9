"""Writes the generated parts of the package.

    python -m generate INCLUDE_FOLDER OUTPUT_FOLDER

INCLUDE_FOLDER holds the public headers; OUTPUT_FOLDER receives structs.inc, functions.inc and
the Python modules _enums.py and _constants.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

from .enums import write_constants, write_enums
from .functions import write_functions
from .headers import read_headers
from .structs import write_structs


def main(arguments: list[str]) -> int:
    """Writes all files; those that are the same already keep their time."""
    include, output = Path(arguments[0]), Path(arguments[1])
    headers = read_headers(include)
    output.mkdir(parents=True, exist_ok=True)
    texts = {
        "structs.inc": write_structs(headers),
        "functions.inc": write_functions(headers),
        "_enums.py": write_enums(headers),
        "_constants.py": write_constants(headers),
    }
    for name, text in texts.items():
        path = output / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
