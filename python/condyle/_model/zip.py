"""Specs as zip files: the model's text and the files that it needs."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import IO

from condyle._condyle import MjSpec
from condyle._support.output import writing

__all__ = ["from_zip", "to_zip"]


def to_zip(spec: MjSpec, file: str | os.PathLike[str] | IO[bytes]) -> None:
    """Write a spec and its assets to a zip file; missing folders are made."""
    import zipfile  # noqa: PLC0415

    files = {**spec.assets, f"{spec.modelname}.xml": spec.to_xml()}
    if isinstance(file, (str, os.PathLike)):
        folder = os.path.dirname(os.fspath(file))
        if folder:
            os.makedirs(folder, exist_ok=True)
    output = writing(file) if isinstance(file, (str, os.PathLike)) else nullcontext(file)
    with output as out, zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)


def from_zip(file: str | os.PathLike[str] | IO[bytes]) -> MjSpec:
    """Read a spec from a zip file: its ``.xml`` is the model, the others are assets."""
    import zipfile  # noqa: PLC0415

    try:
        archive = zipfile.ZipFile(file)
    except zipfile.BadZipFile as error:
        raise ValueError(f"not a zip file: {file}") from error
    text = None
    assets = {}
    with archive:
        for item in archive.infolist():
            if item.is_dir():
                continue
            if item.filename.endswith(".xml"):
                text = archive.read(item).decode()
            else:
                assets[item.filename] = archive.read(item)
    if text is None:
        raise ValueError(f"no XML file in {file}")
    return MjSpec.from_string(text, assets=assets)
