"""Arguments that are wrong: errors name them, and say what would be right."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("condyle._condyle")

import condyle
from condyle import minimize

# how Python's own errors speak of expressions of ours
FOREIGN = (
    "not supported between",
    "unsupported operand",
    "has no attribute",
    "cannot be interpreted",
    "could not be broadcast",
    "division by zero",
)
WRONG: list[Any] = [None, -1, 0, math.nan, "x", 1.5, [], object(), 10**30]


def words(call: Callable[..., Any], given: dict[str, Any], names: str) -> None:
    """Call with wrong values of each argument: those that are refused are told in our words."""
    refused = 0
    for name in names.split():
        for value in WRONG:
            try:
                result = call(**{**given, name: value})
            except Exception as error:  # noqa: BLE001
                refused += 1
                told = f"{name}={value!r}: {type(error).__name__}: {error}"
                assert not any(text in str(error) for text in FOREIGN), told
                assert not isinstance(error, (ZeroDivisionError, AttributeError, IndexError)), told
            else:
                if hasattr(result, "close"):
                    result.close()
    assert refused > 2


@pytest.fixture
def pair() -> Any:
    m = condyle.MjModel.from_xml_string(
        "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    return m, condyle.MjData(m)


def test_of_renderers(pair: Any) -> None:
    m, d = pair
    try:
        renderer = condyle.Renderer(m, 8, 8)
    except (condyle.FatalError, RuntimeError) as problem:
        pytest.skip(str(problem))
    words(condyle.Renderer, {"model": m, "height": 8, "width": 8}, "model height width max_geom")
    words(renderer.update_scene, {"data": d}, "data camera scene_option")
    words(renderer.render, {}, "out")
    with pytest.raises(TypeError, match="camera must be a number, a name or .* got None"):
        renderer.update_scene(d, None)  # type: ignore[arg-type]
    renderer.close()


def test_of_batches_and_rollouts(pair: Any) -> None:
    m, d = pair
    words(condyle.Batch, {"model": m, "n": 2}, "n nthread")
    words(condyle.Batch(m, 2).step, {}, "nstep")
    state = np.zeros(condyle.mj_stateSize(m, condyle.mjtState.mjSTATE_FULLPHYSICS))
    given = {"model": m, "data": d, "initial_state": state, "nstep": 2}
    words(condyle.rollout.rollout, given, "nstep chunk_size")


def test_of_least_squares() -> None:
    given: dict[str, Any] = {"x0": np.zeros(2), "residual": lambda x: x, "verbose": 0}
    names = "residual jacobian norm eps mu_min mu_max mu_factor xtol gtol max_iter"
    words(minimize.least_squares, given, names)


def test_of_tasks() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from condyle.gym import make_vec

    given = {"id": "Hopper-v5"}
    names = "num_envs max_episode_steps num_threads frame_skip width height max_geom"
    words(make_vec, given, f"{names} default_camera_config visual_options")
    with pytest.raises(ValueError, match="frame_skip must be at least 1, got 0"):
        make_vec("Hopper-v5", frame_skip=0)
    with pytest.raises(gymnasium.error.Error, match=r"gymnasium.make_vec\('Condyle/Hopper-v5'"):
        gymnasium.make("Condyle/Hopper-v5")
    gymnasium.make_vec("Condyle/Hopper-v5", num_envs=2).close()
