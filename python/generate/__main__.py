"""Writes the generated parts of the package.

    python -m generate ROOT OUTPUT_FOLDER

ROOT is the folder of the project, whose public headers are read; OUTPUT_FOLDER receives tables for
the extension (structs.inc, functions.inc ...), modules (_enums.py, _constants.py, introspect/) and
stubs. python/README.md tells how they are used.
"""

from __future__ import annotations

import sys
from pathlib import Path

from .enums import write_constants, write_enums
from .functions import write_by_hand, write_functions
from .headers import read_headers
from .introspection import write_introspection, write_later_introspection
from .named import write_named
from .spec import write_spec, write_spec_lists
from .structs import write_structs
from .stubs import (
    write_callback_stubs,
    write_enum_stubs,
    write_extension_stubs,
    write_function_stubs,
    write_render_stubs,
)
from .stubs_spec import write_spec_stubs
from .stubs_structs import write_struct_stubs


def main(arguments: list[str]) -> int:
    """Writes all files; those that are the same already keep their time."""
    root, output = Path(arguments[0]), Path(arguments[1])
    headers = read_headers(root / "include")
    computed = root / "src/computed/table.c"
    output.mkdir(parents=True, exist_ok=True)
    texts = {
        "by_hand.inc": write_by_hand(),
        "structs.inc": write_structs(headers),
        "spec.inc": write_spec(headers),
        "spec_lists.inc": write_spec_lists(),
        "functions.inc": write_functions(headers),
        "_enums.py": write_enums(headers),
        "_constants.py": write_constants(headers),
        "named.inc": write_named(headers),
        "_callbacks.pyi": write_callback_stubs(),
        "_condyle.pyi": write_extension_stubs(headers),
        "_enums.pyi": write_enum_stubs(headers),
        "_functions.pyi": write_function_stubs(headers),
        "_render.pyi": write_render_stubs(headers),
        "_specs.pyi": write_spec_stubs(headers),
        "_structs.pyi": write_struct_stubs(headers, computed),
    }
    newer = read_headers(root / "include", api=400)
    described = write_introspection(headers, switch=True) | write_later_introspection(
        newer, headers
    )
    for name, text in described.items():
        texts[f"introspect/{name}"] = text
    for name, text in texts.items():
        path = output / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
