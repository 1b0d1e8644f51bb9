"""Runs small programs for release 4.0.0 and prints what they say.

    python run_programs.py FILE ...

Each file has functions without arguments, which print; their names come first. Where the package
condyle is, it is mujoco of version 4.0.
"""

from __future__ import annotations

import importlib.util
import sys
import warnings
from pathlib import Path

import numpy as np


def main(files: list[str]) -> None:
    """Run all functions of the files, in their order."""
    if importlib.util.find_spec("condyle"):
        import condyle

        condyle.install_as_mujoco("4.0")
    np.set_printoptions(precision=12, linewidth=200)
    warnings.simplefilter("ignore")
    for file in files:
        spec = importlib.util.spec_from_file_location(Path(file).stem, file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name, function in list(vars(module).items()):
            if callable(function) and getattr(function, "__module__", "") == module.__name__:
                if not name.startswith("_"):
                    print("==", module.__name__, name)
                    try:
                        function()
                    except Exception as error:  # noqa: BLE001
                        text = "" if isinstance(error, TypeError) else str(error)
                        print("raises", type(error).__name__, text)


if __name__ == "__main__":
    main(sys.argv[1:])
