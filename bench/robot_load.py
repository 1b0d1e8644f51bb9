#!/usr/bin/env python3
"""Writes a robot whose loading is work, and times it without and with the cache of compiled meshes.

usage: robot_load.py DIR [--links N] [--megabytes N] [--same] [--time PROGRAM]

The robot is a tree of N links with N MB of Collada: each has a visual of three materials, a bumpy surface with normals, one part
with texture coordinates, and a coarser collision file of a ninth of that size. With --same the visual is the collision file, too,
as many robots have it. --time PROGRAM runs `PROGRAM compile robot.urdf`, and prints the wall clock and processor time of: no
cache, an empty one, a full one, the best of three each.
"""

import argparse
import math
import os
import resource
import shutil
import subprocess
import time
from pathlib import Path

HEAD = """<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="meter" meter="1"/><up_axis>Z_UP</up_axis></asset>
"""
COLORS = ("0.8 0.8 0.82 1", "0.1 0.1 0.12 1", "0.9 0.35 0.1 1")
PART_SHARE = 1 / 10  # of a link's bytes that collide


def normalized(x, y, z):
    length = math.sqrt(x * x + y * y + z * z) or 1
    return x / length, y / length, z / length


def band(seed, low, high, rows, columns):
    """Vertices, normals and texture coordinates of a band of a bumpy ball, and its triangles."""
    points, normals, coords, faces = [], [], [], []
    for i in range(rows + 1):
        v = math.pi * (low + (high - low) * i / rows)
        ring, height = math.sin(v), math.cos(v)
        for j in range(columns):
            u = 2 * math.pi * j / columns
            r = 0.1 * (1 + 0.12 * math.sin((3 + seed % 5) * u + seed) * math.sin(v) ** 2 + 0.05 * math.cos((5 + seed % 3) * v))
            x, y, z = ring * math.cos(u), ring * math.sin(u), height
            points.append(f"{r * x:.6f} {r * y:.6f} {1.4 * r * z:.6f}")
            normals.append("{:.6f} {:.6f} {:.6f}".format(*normalized(x, y, z / 1.4)))
            coords.append(f"{j / columns:.5f} {i / rows:.5f}")
    for i in range(rows):
        for j in range(columns):
            a, b = i * columns + j, i * columns + (j + 1) % columns
            faces.append((a, a + columns, b + columns))
            faces.append((a, b + columns, b))
    return points, normals, coords, faces


def source(name, values, width):
    axes = "".join(f'<param name="{axis}" type="float"/>' for axis in "XYZ"[:width])
    return (f'<source id="{name}"><float_array id="{name}-a" count="{width * len(values)}">{" ".join(values)}</float_array>'
            f'<technique_common><accessor source="#{name}-a" count="{len(values)}" stride="{width}">{axes}</accessor>'
            "</technique_common></source>\n")


def geometry(name, material, shape, has_coords):
    points, normals, coords, faces = shape
    text = [f'<geometry id="{name}"><mesh>\n', source(f"{name}-p", points, 3), source(f"{name}-n", normals, 3)]
    inputs = f'<input semantic="VERTEX" source="#{name}-v" offset="0"/><input semantic="NORMAL" source="#{name}-n" offset="1"/>'
    corner = [f"{i} {i}" for i in range(len(points))]
    if has_coords:
        text.append(source(f"{name}-t", coords, 2))
        inputs += f'<input semantic="TEXCOORD" source="#{name}-t" offset="2" set="0"/>'
        corner = [f"{i} {i} {i}" for i in range(len(points))]
    text.append(f'<vertices id="{name}-v"><input semantic="POSITION" source="#{name}-p"/></vertices>\n')
    text.append(f'<triangles material="{material}" count="{len(faces)}">{inputs}<p>')
    text.append(" ".join(f"{corner[a]} {corner[b]} {corner[c]}" for a, b, c in faces))
    text.append("</p></triangles></mesh></geometry>\n")
    return "".join(text)


def collada(seed, rows, columns):
    """A file of three bands, one material each."""
    effects = "".join(f'<effect id="e{k}"><profile_COMMON><technique sid="c"><lambert><diffuse><color>{color}</color></diffuse>'
                      f"</lambert></technique></profile_COMMON></effect>" for k, color in enumerate(COLORS))
    materials = "".join(f'<material id="m{k}"><instance_effect url="#e{k}"/></material>' for k in range(3))
    shapes = "".join(geometry(f"g{k}", f"s{k}", band(seed + k, k / 3, (k + 1) / 3, rows, columns), k == 0) for k in range(3))
    nodes = "".join(f'<node><instance_geometry url="#g{k}"><bind_material><technique_common><instance_material symbol="s{k}" '
                    f'target="#m{k}"/></technique_common></bind_material></instance_geometry></node>' for k in range(3))
    return (f"{HEAD}<library_effects>{effects}</library_effects><library_materials>{materials}</library_materials>\n"
            f"<library_geometries>{shapes}</library_geometries>\n<library_visual_scenes><visual_scene id='s'>{nodes}</visual_scene>"
            "</library_visual_scenes><scene><instance_visual_scene url='#s'/></scene></COLLADA>\n")


def write_mesh(path, seed, size):
    """Writes a file of about `size` bytes: a vertex and its two triangles take some 127."""
    columns = max(8, round(math.sqrt(size / 127 / 3 * 2)))
    path.write_text(collada(seed, max(3, columns // 2), columns))
    return path.stat().st_size


def link(i, same):
    name = f"link{i}"
    collision = name if same else f"{name}_collision"
    shape = '<{0}><geometry><mesh filename="meshes/{1}.dae"/></geometry></{0}>'
    return (f'<link name="{name}"><inertial><mass value="1"/><inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/>'
            f'</inertial>{shape.format("visual", name)}{shape.format("collision", collision)}</link>\n')


def joint(i):
    """Four chains from the first link."""
    parent = i - 4 if i > 4 else 0
    x, y = (0.4, 0, -0.4, 0)[i % 4], (0, 0.4, 0, -0.4)[i % 4]
    return (f'<joint name="joint{i}" type="revolute"><parent link="link{parent}"/><child link="link{i}"/><origin xyz="{x} {y} 0"/>'
            '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="10" velocity="5"/></joint>\n')


def write_robot(folder, links, megabytes, same):
    meshes = folder / "meshes"
    meshes.mkdir(parents=True, exist_ok=True)
    each, total = megabytes * 1e6 / links, 0
    for i in range(links):
        total += write_mesh(meshes / f"link{i}.dae", i, each * (1 if same else 1 - PART_SHARE))
        if not same:
            total += write_mesh(meshes / f"link{i}_collision.dae", i, each * PART_SHARE)
    content = "".join(link(i, same) for i in range(links)) + "".join(joint(i) for i in range(1, links))
    (folder / "robot.urdf").write_text(f'<robot name="heavy">\n{content}</robot>\n')
    print(f"{folder}/robot.urdf: {links} links, {total / 1e6:.1f} MB of Collada")


def run_once(program, robot, cache):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([program, "compile", robot], env={**os.environ, "CONDYLE_CACHE": cache}, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def time_loading(program, robot, cache):
    def show(name, runs):
        print(f"{name:12s} {min(run[0] for run in runs):6.2f} s   processor {min(run[1] for run in runs):6.2f} s")

    def run_empty():
        shutil.rmtree(cache, ignore_errors=True)
        return run_once(program, robot, cache)

    show("no cache", [run_once(program, robot, "off") for _ in range(3)])
    show("empty cache", [run_empty() for _ in range(3)])
    show("full cache", [run_once(program, robot, cache) for _ in range(3)])
    size = sum(entry.stat().st_size for entry in Path(cache).rglob("*") if entry.is_file())
    print(f"the cache holds {size / 1e6:.0f} MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--links", type=int, default=60)
    parser.add_argument("--megabytes", type=float, default=60)
    parser.add_argument("--same", action="store_true")
    parser.add_argument("--time", metavar="PROGRAM")
    args = parser.parse_args()
    if not (args.folder / "robot.urdf").exists():
        write_robot(args.folder, args.links, args.megabytes, args.same)
    if args.time:
        time_loading(args.time, str(args.folder / "robot.urdf"), str(args.folder / "cache"))


main()
