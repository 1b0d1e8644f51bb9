"""Saves models as text and reads them again; names what is another model then.

usage: saved.py MODELS.json    (to the standard output: JSON, what differs by name of model)

Each model is read and saved by the rules of release 4.0.
"""

from __future__ import annotations

import functools
import json
import sys

import numpy

import condyle

condyle.install_as_mujoco(version="4.0")
import mujoco  # noqa: E402

NOT_NUMBERS = ("names", "paths", "signature")  # of text and its places
CLOSE = 1e-9


@functools.cache
def names_of(kind: type) -> list[str]:
    return [name for name in dir(kind) if name[0] != "_" and name not in NOT_NUMBERS]


def arrays(m: mujoco.MjModel) -> dict[str, numpy.ndarray]:
    found = {}
    for owner, prefix in ((m, ""), (m.opt, "opt.")):
        for name in names_of(type(owner)):
            value = getattr(owner, name, None)
            if isinstance(value, (int, float, numpy.ndarray, numpy.generic)):
                found[prefix + name] = numpy.asarray(value)
    return found


def differences(xml: str) -> list[str] | None:
    """Return the arrays that saving changes; None if the text is no model."""
    try:
        spec = mujoco.MjSpec.from_string(xml)
        m = spec.compile()
    except (ValueError, RuntimeError):
        return None
    back = mujoco.MjModel.from_xml_string(spec.to_xml())
    before, after = arrays(m), arrays(back)
    return [
        name
        for name, x in before.items()
        if x.shape != after[name].shape
        or (
            x.tobytes() != after[name].tobytes()
            and not numpy.allclose(x, after[name], rtol=CLOSE, atol=CLOSE, equal_nan=True)
        )
    ]


def main() -> None:
    with open(sys.argv[1]) as file:
        texts = json.load(file)
    json.dump({name: differences(text) for name, text in texts.items()}, sys.stdout)


main()
