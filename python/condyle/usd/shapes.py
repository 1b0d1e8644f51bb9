"""Shapes of a scene as triangles, in their own frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import condyle

_SEGMENTS = 32  # of a circle
_HEAD = 1.75  # radius of an arrow's head over that of its shaft
_REACH = 50.0  # half of the side of a plane without end, m

Points = NDArray[np.float32]


@dataclass
class Shape:
    """Triangles: points (n, 3); faces (m, 3), which count them; normals (n, 3) or (3 m, 3), one for
    each corner; texture coordinates (3 m, 2) of the shape's own. None: there are none."""

    points: Points
    faces: NDArray[np.int32]
    normals: Points | None = None
    coordinates: Points | None = None


def _revolve(profile: list[tuple[float, float, float, float]]) -> Shape:
    """Turn a line about z: radius, height, and both parts of the normal of its points."""
    radius, height, across, along = (np.array(column) for column in zip(*profile, strict=True))
    angle = 2 * np.pi * np.arange(_SEGMENTS) / _SEGMENTS
    x, y = np.cos(angle), np.sin(angle)

    def turned(a: Any, z: Any) -> Points:
        rows = np.stack([a[:, None] * x, a[:, None] * y, np.repeat(z[:, None], _SEGMENTS, 1)], -1)
        return rows.reshape(-1, 3).astype(np.float32)

    points, faces = turned(radius, height), []
    for row in range(len(profile) - 1):
        for i in range(_SEGMENTS):
            a, b = row * _SEGMENTS + i, row * _SEGMENTS + (i + 1) % _SEGMENTS
            c, d = a + _SEGMENTS, b + _SEGMENTS
            faces += [(a, b, d), (a, d, c)]
    index = np.array(faces, np.int32)
    # quadrangles degenerate at the poles, and where two points of the profile coincide
    sides = points[index]
    area = np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0])
    largest = float(np.abs(area).max(initial=0))
    return Shape(points, index[np.abs(area).max(1) > 1e-9 * largest], turned(across, along))


def _arc(radius: float, start: float, stop: float, height: float) -> list[Any]:
    angles = np.linspace(start, stop, _SEGMENTS // 4 + 1)
    return [(radius * np.cos(a), height + radius * np.sin(a), np.cos(a), np.sin(a)) for a in angles]


def sphere(size: Points) -> Shape:
    """Return an ellipsoid by its half axes."""
    unit = _revolve(_arc(1, -np.pi / 2, 0, 0) + _arc(1, 0, np.pi / 2, 0)[1:])
    assert unit.normals is not None
    normals = unit.normals / np.maximum(size, 1e-9)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return Shape(unit.points * size, unit.faces, normals.astype(np.float32))


def capsule(size: Points) -> Shape:
    """Return a capsule by its radius and half the length of its cylinder."""
    radius, half = float(size[0]), float(size[2])
    low, high = _arc(radius, -np.pi / 2, 0, -half), _arc(radius, 0, np.pi / 2, half)
    return _revolve(low + high)


def cylinder(size: Points) -> Shape:
    """Return a cylinder by its radius and half its height."""
    r, half = float(size[0]), float(size[2])
    low = [(0, -half, 0, -1), (r, -half, 0, -1), (r, -half, 1, 0)]
    return _revolve([*low, (r, half, 1, 0), (r, half, 0, 1), (0, half, 0, 1)])


def arrow(size: Points, heads: int) -> Shape:
    """Return an arrow along z with 0, 1 or 2 heads; half its size is its length."""
    r, length = float(size[0]), float(size[2])
    end, shaft = length / 2, length / 3
    head = _HEAD * r if heads else r
    tip = [(r, shaft, 1.0, 0.0), (r, shaft, 0.0, -1.0), (head, shaft, 0.0, -1.0)]
    slope = np.array([end - shaft, head]) / max(np.hypot(end - shaft, head), 1e-12)
    tip += [(head, shaft, *slope), (0, end, *slope)]
    if heads == 2:
        back = [(a, -z, n, -k) for a, z, n, k in reversed(tip)]
        return _revolve(back + tip)
    return _revolve([(0, 0, 0, -1), (r, 0, 0, -1), (r, 0, 1, 0), *tip])


def box(size: Points) -> Shape:
    """Return a box by half its sides."""
    faces: list[tuple[int, int, int]] = []
    normals: list[Points] = []
    points: list[Points] = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for side in (-1, 1):
            at = len(points)
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                corner = np.zeros(3, np.float32)
                corner[axis], corner[u], corner[v] = side, a * side, b
                points.append(corner)
                normals.append(side * np.eye(3, dtype=np.float32)[axis])
            faces += [(at, at + 1, at + 2), (at, at + 2, at + 3)]
    return Shape(np.array(points) * size, np.array(faces, np.int32), np.array(normals))


def plane(size: Points) -> Shape:
    """Return a rectangle by half its sides; 0: without end."""
    x, y = (float(side) if side > 0 else _REACH for side in size[:2])
    points = np.array([[-x, -y, 0], [x, -y, 0], [x, y, 0], [-x, y, 0]], np.float32)
    normals = np.tile(np.array([0, 0, 1], np.float32), (4, 1))
    return Shape(points, np.array([[0, 1, 2], [0, 2, 3]], np.int32), normals)


def triangle(size: Points) -> Shape:
    """Return a triangle with two sides along x and y."""
    points = np.array([[0, 0, 0], [size[0], 0, 0], [0, size[1], 0]], np.float32)
    return Shape(points, np.array([[0, 1, 2]], np.int32))


def mesh(m: condyle.MjModel, number: int) -> Shape:
    """Return a mesh of the model."""

    def part(values: NDArray[Any], address: NDArray[Any], count: NDArray[Any]) -> NDArray[Any]:
        return values[address[number] : address[number] + count[number]]

    faces = part(m.mesh_face, m.mesh_faceadr, m.mesh_facenum)
    points = part(m.mesh_vert, m.mesh_vertadr, m.mesh_vertnum)
    normals = part(m.mesh_normal, m.mesh_normaladr, m.mesh_normalnum)
    corners = part(m.mesh_facenormal, m.mesh_faceadr, m.mesh_facenum).reshape(-1)
    coordinates = None
    if m.mesh_texcoordadr[number] >= 0:
        all_coordinates = part(m.mesh_texcoord, m.mesh_texcoordadr, m.mesh_texcoordnum)
        at = part(m.mesh_facetexcoord, m.mesh_faceadr, m.mesh_facenum).reshape(-1)
        coordinates = all_coordinates[at]
    return Shape(points.copy(), faces.copy(), normals[corners], coordinates)


def hfield(m: condyle.MjModel, number: int) -> Shape:
    """Return a height field, with walls and a bottom."""
    rows, columns = int(m.hfield_nrow[number]), int(m.hfield_ncol[number])
    sx, sy, sz, base = m.hfield_size[number]
    start = int(m.hfield_adr[number])
    heights = m.hfield_data[start : start + rows * columns].reshape(rows, columns)
    y, x = np.meshgrid(np.linspace(-sy, sy, rows), np.linspace(-sx, sx, columns), indexing="ij")
    top = np.stack([x, y, sz * heights], -1).reshape(-1, 3)
    low = np.stack([x, y, np.full_like(x, -base)], -1).reshape(-1, 3)
    number_at = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = number_at[:-1, :-1], number_at[:-1, 1:], number_at[1:, 1:], number_at[1:, :-1]
    faces = [np.stack([a, b, c], -1), np.stack([a, c, d], -1)]
    # around the edge, counter-clockwise as seen from above
    edge = np.concatenate(
        [number_at[0, :-1], number_at[:-1, -1], number_at[-1, :0:-1], number_at[:0:-1, 0]]
    )
    after, under = np.roll(edge, -1), rows * columns
    faces += [
        np.stack([edge + under, after + under, after], -1),
        np.stack([edge + under, after, edge], -1),
    ]
    faces += [np.stack([a, c, b], -1) + under, np.stack([a, d, c], -1) + under]
    index = np.concatenate([face.reshape(-1, 3) for face in faces]).astype(np.int32)
    return Shape(np.concatenate([top, low]).astype(np.float32), index)


def flex(m: condyle.MjModel, scene: condyle.MjvScene, geom: condyle.MjvGeom) -> Shape:
    """Return the surface of a flex, or of its part, as the scene has it."""
    number = geom.objid
    start, used = int(scene.flexfaceadr[number]), int(scene.flexfaceused[number])
    if geom.dataid >= 0:
        start, used = start + int(geom.size[1]), int(geom.size[2])
    corners = slice(3 * start, 3 * (start + used))
    points = scene.flexface.reshape(-1, 3)[corners].copy()
    normals = scene.flexnormal.reshape(-1, 3)[corners].copy()
    coordinates = None
    if m.flex_texcoordadr[number] >= 0:
        coordinates = scene.flextexcoord.reshape(-1, 2)[corners].copy()
    faces = np.arange(len(points), dtype=np.int32).reshape(-1, 3)
    return Shape(points, faces, normals, coordinates)


def skin(m: condyle.MjModel, scene: condyle.MjvScene, number: int) -> Shape:
    """Return a skin as the scene has it."""
    start, count = int(m.skin_vertadr[number]), int(m.skin_vertnum[number])
    first = int(m.skin_faceadr[number])
    faces = m.skin_face[first : first + int(m.skin_facenum[number])].copy()
    vertices = slice(start, start + count)
    coordinates = None
    if m.skin_texcoordadr[number] >= 0:
        adr = int(m.skin_texcoordadr[number])
        coordinates = m.skin_texcoord[adr : adr + count][faces.reshape(-1)]
    return Shape(
        scene.skinvert.reshape(-1, 3)[vertices].copy(),
        faces,
        scene.skinnormal.reshape(-1, 3)[vertices].copy(),
        coordinates,
    )


def of_geom(m: condyle.MjModel, scene: condyle.MjvScene, geom: condyle.MjvGeom) -> Shape | None:
    """Return the triangles of a shape of a scene; None for lines and labels, which have none."""
    types = condyle.mjtGeom
    size = np.array(geom.size, np.float32)
    data = geom.dataid
    match geom.type:
        case types.mjGEOM_PLANE:
            return plane(size)
        case types.mjGEOM_SPHERE | types.mjGEOM_ELLIPSOID:
            return sphere(size)
        case types.mjGEOM_CAPSULE:
            return capsule(size)
        case types.mjGEOM_CYLINDER:
            return cylinder(size)
        case types.mjGEOM_BOX:
            return box(size)
        case types.mjGEOM_ARROW:
            return arrow(size, 1)
        case types.mjGEOM_ARROW1:
            return arrow(size, 0)
        case types.mjGEOM_ARROW2:
            return arrow(size, 2)
        case types.mjGEOM_TRIANGLE:
            return triangle(size)
        case types.mjGEOM_HFIELD if data >= 0:
            return hfield(m, data)
        # even numbers are meshes, odd ones their hulls, which are shown as the meshes
        case types.mjGEOM_MESH | types.mjGEOM_SDF if data >= 0:
            return mesh(m, data // 2)
        case types.mjGEOM_FLEX if scene.flexfaceused[geom.objid] > 0:
            return flex(m, scene, geom)
        case types.mjGEOM_SKIN:
            return skin(m, scene, geom.objid)
    return None


def coordinates(shape: Shape, size: Points, repeat: Points, uniform: bool) -> Points:
    """Return the texture coordinates (3 m, 2) of the corners; (0, 0) is the image's lower left.

    u = k x / 2 - 1/2, v = -k y / 2 - 1/2: k repetitions over the shape, or, if they are uniform or
    the shape has no end, for each unit of length.
    """
    if shape.coordinates is not None:
        return shape.coordinates
    half = np.ones(2, np.float32) if uniform else np.where(size[:2] > 0, size[:2], 1)
    flat = shape.points[shape.faces.reshape(-1), :2] / half
    return (flat * repeat * [0.5, -0.5] - 0.5).astype(np.float32)
