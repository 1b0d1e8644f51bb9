"""Copies Gymnasium's models, one folder each, with the names of its tasks' assets.   usage: collect_gymnasium.py DIRECTORY"""

import pathlib
import shutil
import sys

import gymnasium


def main() -> None:
    out = pathlib.Path(sys.argv[1])
    assets = pathlib.Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
    for file in sorted(assets.glob("*.xml")):
        folder = out / file.stem
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, folder / "model.xml")


main()
