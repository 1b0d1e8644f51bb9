"""Integers that say how much there is: what is no size of anything is refused, not believed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("condyle._condyle")

import condyle

WRITER = Path(__file__).with_name("size_writer.py")


@pytest.mark.parametrize("group", ["data contact", "scene option", "context", "model", "spec"])
def test_no_integer_that_is_written_ends_the_process(group: str) -> None:
    done = subprocess.run(
        [sys.executable, str(WRITER), *group.split()], capture_output=True, text=True, timeout=900
    )
    *ended, count = done.stdout.strip().splitlines() or [""]
    assert done.returncode == 0, done.stderr
    # warnings of the engine, such as of a scene that is full, are no ends
    ended = [line for line in ended if line and not line.startswith("WARNING: ")]
    assert not ended, "\n".join(ended)
    assert int(count.split()[0]) > 8, count


@pytest.fixture
def pair() -> Any:
    m = condyle.MjModel.from_xml_string(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
        "<body pos='0 0 .09'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    d = condyle.MjData(m)
    condyle.mj_forward(m, d)
    assert (d.ncon, d.nefc) == (1, 4)
    return m, d


def test_counts_of_the_data_may_be_lowered_alone(pair: Any) -> None:
    m, d = pair
    for name in ("ncon", "nefc", "nJ"):
        there = getattr(d, name)
        for value in (-1, there + 1, 2**31 - 1, 2**62):
            with pytest.raises(ValueError, match=f"{name} should be from 0 to {there}, .* {value}"):
                setattr(d, name, value)
            assert getattr(d, name) == there
        setattr(d, name, np.int32(there))
        setattr(d, name, 0)
        assert getattr(d, name) == 0
    with pytest.raises(TypeError, match="ncon"):
        d.ncon = "1"
    condyle.mj_step(m, d)
    assert d.ncon == 1


def test_what_the_memory_of_the_data_is_cannot_be_changed(pair: Any) -> None:
    _, d = pair
    for name in ("pstack", "parena", "pbase", "narena", "nbuffer", "nplugin", "threadpool"):
        now = getattr(d, name)
        setattr(d, name, now)
        for value in (now + 1, 2**40):
            with pytest.raises(ValueError, match=f"{name} says what there is, {now}, .* {value}"):
                setattr(d, name, value)
    d.maxuse_arena = 0
    d.time = 3
    assert (d.maxuse_arena, d.time) == (0, 3)


def test_a_contact_has_rows_that_are_there(pair: Any) -> None:
    m, d = pair
    contact, force = d.contact[0], np.zeros(6)
    for name, value in (("dim", 7), ("dim", -1), ("efc_address", 4), ("efc_address", -2)):
        with pytest.raises(ValueError, match=f"{name} should be from .*, not {value}"):
            setattr(contact, name, value)
    # arrays of all contacts can't be watched, so whoever reads them looks
    for dim, address in ((100, 0), (3, 1), (6, 0)):
        contact.dim, contact.efc_address = 3, 0
        d.contact.dim[:], d.contact.efc_address[:] = dim, address
        with pytest.raises(condyle.FatalError, match=f"contact 0 of dimension {dim} has rows"):
            condyle.mj_contactForce(m, d, 0, force)
    alone = condyle.MjContact()
    alone.efc_address = 12
    assert alone.efc_address == 12


def test_a_scene_has_no_more_than_its_room(pair: Any) -> None:
    m, _ = pair
    scene = condyle.MjvScene(m, 20)
    for name, most in (("ngeom", 20), ("nlight", condyle.mjMAXLIGHT)):
        setattr(scene, name, most)
        for value in (-1, most + 1):
            with pytest.raises(ValueError, match=f"{name} should be from 0 to {most}, not {value}"):
                setattr(scene, name, value)
        setattr(scene, name, 0)


def test_colors_are_read_in_three_bytes() -> None:
    context = condyle.MjrContext()
    for value in (0x1907, 0x80E0):
        context.readPixelFormat = value
    with pytest.raises(ValueError, match="readPixelFormat should be 6407 .* not 6408"):
        context.readPixelFormat = 0x1908
