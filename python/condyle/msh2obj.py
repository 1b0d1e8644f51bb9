"""Converter from the old binary mesh format (.msh) to Wavefront OBJ.

``python -m condyle.msh2obj -i FILE.msh -o FILE.obj``

The binary format is four int32 counts (vertices, normals, texture coordinates, faces), then float32
positions (x, y, z), normals and texture coordinates (u, v), then three int32 vertices per face.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

if __package__:
    from condyle._support.output import write_file
else:  # run as a file, in the folder of the package
    from _support.output import write_file  # type: ignore[import-not-found, no-redef, unused-ignore]

_COUNTS = 4


@dataclasses.dataclass(frozen=True)
class Msh:
    """Contents of a binary mesh file.

    Attributes
    ----------
    vertex_positions
        (nvert, 3) float32.
    vertex_normals
        (nvert, 3) float32, or (0, 3).
    vertex_texcoords
        (nvert, 2) float32, or (0, 2); v grows upwards, as in OBJ.
    face_vertex_indices
        (nface, 3) int32, from 0.
    """

    vertex_positions: NDArray[np.float32]
    vertex_normals: NDArray[np.float32]
    vertex_texcoords: NDArray[np.float32]
    face_vertex_indices: NDArray[np.int32]

    @staticmethod
    def create(file: str | os.PathLike[str]) -> Msh:
        """Read a file; FileNotFoundError, or ValueError if its counts do not fit its contents."""
        path = Path(file)
        if not path.exists():
            raise FileNotFoundError(f"{path} does not exist.")
        data = path.read_bytes()
        if len(data) < 4 * _COUNTS:
            raise ValueError(f"{path}: {len(data)} bytes, fewer than the {4 * _COUNTS} of counts.")
        counts = [int(n) for n in np.frombuffer(data, np.dtype("<i4"), _COUNTS)]
        nvert, nnormal, ntexcoord, nface = counts
        if min(counts) < 0:
            raise ValueError(f"{path}: negative count in {counts}.")
        size = 4 * (_COUNTS + 3 * nvert + 3 * nnormal + 2 * ntexcoord + 3 * nface)
        if len(data) != size:
            raise ValueError(
                f"{path}: {nvert} vertices, {nnormal} normals, {ntexcoord} texture coordinates and"
                f" {nface} faces take {size} bytes, but the file has {len(data)}."
            )
        for what, n in (("normals", nnormal), ("texture coordinates", ntexcoord)):
            if n not in (0, nvert):
                raise ValueError(f"{path}: {n} {what} for {nvert} vertices.")

        floats = np.frombuffer(data, np.dtype("<f4"), offset=4 * _COUNTS)
        positions, normals, texcoords, _ = np.split(
            floats, np.cumsum([3 * nvert, 3 * nnormal, 2 * ntexcoord])
        )
        faces = np.frombuffer(data, np.dtype("<i4"), offset=size - 12 * nface).reshape(-1, 3)
        if nface and not (faces.min() >= 0 and faces.max() < nvert):
            raise ValueError(
                f"{path}: faces name vertices {faces.min()} to {faces.max()},"
                f" but there are {nvert}, numbered from 0."
            )
        flipped = texcoords.reshape(-1, 2).copy()
        flipped[:, 1] = 1 - flipped[:, 1]
        return Msh(positions.reshape(-1, 3), normals.reshape(-1, 3), flipped, faces)


def msh_to_obj(msh_file: str | os.PathLike[str]) -> str:
    """Return the mesh of a binary file as the text of an OBJ file."""
    msh = Msh.create(msh_file)
    lines = [
        " ".join([word, *(str(float(number)) for number in row)])
        for word, rows in (
            ("v", msh.vertex_positions),
            ("vn", msh.vertex_normals),
            ("vt", msh.vertex_texcoords),
        )
        for row in rows
    ]
    # OBJ corner: position/texture/normal; indices of arrays that the file lacks must be left out
    corner = "{0}/{0}" if len(msh.vertex_texcoords) else "{0}"
    if len(msh.vertex_normals):
        corner += "/{0}" if len(msh.vertex_texcoords) else "//{0}"
    lines += [
        " ".join(["f", *(corner.format(int(vertex) + 1) for vertex in face)])
        for face in msh.face_vertex_indices
    ]
    return "".join(line + "\n" for line in lines)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="msh2obj", description="Converts old binary mesh files to Wavefront OBJ."
    )
    parser.add_argument("-i", "--input", required=True, help="mesh file to read (.msh)")
    parser.add_argument("-o", "--output", required=True, help="mesh file to write (.obj)")
    options = parser.parse_args(arguments)
    try:
        # convert first, so that wrong input leaves no output file
        text = msh_to_obj(options.input)
        write_file(options.output, text.encode("ascii"))
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
