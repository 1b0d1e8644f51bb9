"""Writes one flat MJCF file with many copies of models/humanoid.xml, each with its own names.

usage: crowd.py COUNT > crowd.xml

The copies stand on a square grid, every second one higher and turned, so that they fall over each other. Everything is
written out: no include, no replicate, no attach.
"""

import math
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

# attributes that name an element of the body tree, a tendon or an actuator
REFERENCES = {"name", "joint", "body1", "body2", "target"}


def renamed(element, suffix):
    """A copy of element in which everything that belongs to one person carries the suffix."""
    copy = xml.Element(element.tag, {
        key: value + suffix if key in REFERENCES else value for key, value in element.attrib.items()
    })
    copy.extend(renamed(child, suffix) for child in element)
    return copy


def main():
    count = int(sys.argv[1])
    root = xml.parse(pathlib.Path(__file__).with_name("humanoid.xml")).getroot()
    root.set("model", f"crowd of {count}")
    root.remove(root.find("keyframe"))
    root.find("statistic").set("extent", str(max(2, round(math.sqrt(count)))))
    if root.find("size") is None:
        root.insert(0, xml.Element("size", {"memory": f"{count}M"}))

    world = root.find("worldbody")
    person = world.find("body")
    world.remove(person)
    lamp = next(light for light in world.findall("light") if light.get("target"))
    lamp.set("target", "torso_0")

    sections = {tag: root.find(tag) for tag in ("contact", "tendon", "actuator")}
    originals = {tag: list(section) for tag, section in sections.items()}
    for section in sections.values():
        section[:] = []

    side = math.ceil(math.sqrt(count))
    for i in range(count):
        suffix = f"_{i}"
        body = renamed(person, suffix)
        x, y = 0.8 * (i % side - side / 2), 0.8 * (i // side - side / 2)
        body.set("pos", f"{x:g} {y:g} {1.24 + 0.4 * (i % 2):g}")
        body.set("euler", f"0 0 {37 * i % 360}")
        world.append(body)
        for tag, section in sections.items():
            section.extend(renamed(child, suffix) for child in originals[tag])

    xml.indent(root)
    print(re.sub(r"\n\s*\n", "\n", xml.tostring(root, encoding="unicode")))


main()
