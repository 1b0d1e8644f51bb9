"""Pictures, against the reference's where it can draw, too."""

from __future__ import annotations

import struct
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import condyle

XML = """
<mujoco>
  <visual>
    <global offwidth="200" offheight="150"/>
    <quality offsamples="0"/>
  </visual>
  <asset><texture name="sky" type="skybox" builtin="gradient" rgb1=".3 .5 .7" width="64"/></asset>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="2 2 .1" rgba=".4 .4 .4 1"/>
    <camera name="side" pos="0 -2 .5" xyaxes="1 0 0 0 .2 1"/>
    <camera name="flat" pos="0 -2 .5" xyaxes="1 0 0 0 .2 1" orthographic="true" fovy="2"/>
    <body pos="0 0 .5"><freejoint/><geom name="ball" size=".3" rgba="1 0 0 1"/></body>
    <body pos=".7 0 .3">
      <geom name="box" type="box" size=".2 .2 .2" rgba="0 1 0 1"/>
      <site name="mark" size=".05" pos="0 0 .3"/>
    </body>
  </worldbody>
  <keyframe><key qpos="0 0 1 1 0 0 0"/></keyframe>
</mujoco>
"""


def _reason() -> str:
    try:
        condyle.Renderer(condyle.MjModel.from_xml_string("<mujoco/>"), 8, 8).close()
    except (RuntimeError, condyle.FatalError) as error:
        return str(error)
    return ""


pytestmark = pytest.mark.skipif(bool(_reason()), reason=f"nothing can be drawn here: {_reason()}")


@pytest.fixture
def model() -> Any:
    return condyle.MjModel.from_xml_string(XML)


@pytest.fixture
def data(model: Any) -> Any:
    d = condyle.MjData(model)
    condyle.mj_forward(model, d)
    return d


def test_colors_show_the_shapes_top_row_first(model: Any, data: Any) -> None:
    with condyle.Renderer(model, 120, 160) as r:
        r.update_scene(data, "side")
        picture = r.render()
    assert picture.shape == (120, 160, 3) and picture.dtype == np.uint8
    red, green, blue = picture.astype(int).transpose(2, 0, 1)
    ball = (red > 100) & (green < 60) & (blue < 60)
    box = (green > 80) & (red < 60) & (blue < 60)
    assert 300 < ball.sum() < 6000 and 200 < box.sum() < 4000
    # the box is right of the ball, and the sky above the floor
    assert np.argwhere(box)[:, 1].mean() > np.argwhere(ball)[:, 1].mean() + 20
    assert blue[0].mean() > red[0].mean() + 30


def test_depth_is_the_distance_along_the_axis(model: Any, data: Any) -> None:
    with condyle.Renderer(model, 101, 101) as r:
        r.enable_depth_rendering()
        for camera in ("side", "flat"):
            r.update_scene(data, camera)
            depth = r.render()
            assert depth.dtype == np.float32 and depth.shape == (101, 101)
            # a ray through the middle meets the ball
            center = data.cam(camera).xpos
            axis = -data.cam(camera).xmat.reshape(3, 3)[:, 2]
            hit = condyle.mj_ray(model, data, center, axis, None, 1, -1, np.zeros(1, np.int32))
            assert depth[50, 50] == pytest.approx(hit, abs=2e-3)
        far = model.vis.map.zfar * model.stat.extent
        r.update_scene(data, "flat")
        assert r.render().max() == pytest.approx(far, rel=1e-3)


def test_depth_is_that_of_the_middle_of_pixels_even_through_glass() -> None:
    # the floor from 1 m above it, by a buffer of four samples; a pane that can be seen through
    xml = XML.replace('offsamples="0"', 'offsamples="4"').replace(
        '<camera name="side"',
        '<geom type="box" size=".02 .02 .02" pos="-.9 -1.1 .6" rgba="1 1 1 .1"/>'
        '<camera name="high" pos="-.9 -1.4 1" xyaxes="1 0 0 0 .8 .6" fovy="60"/>'
        '<camera name="side"',
    )
    m = condyle.MjModel.from_xml_string(xml)
    d = condyle.MjData(m)
    condyle.mj_forward(m, d)
    with condyle.Renderer(m, 61, 61) as r:
        r.enable_depth_rendering()
        r.update_scene(d, "high")
        depth = r.render()
        assert not r.scene.flags[condyle.mjtRndFlag.mjRND_SEGMENT]
    # a ray falls by .8 + .6 y / (61/2) tan 30 of each meter along the axis, y rows below the middle
    row = np.array([40, 50])
    fall = 0.8 - 0.6 * (30 - row) / 30.5 * np.tan(np.pi / 6)
    assert depth[row, 10] == pytest.approx(1 / fall, rel=2e-6)
    assert depth[30, 30] == pytest.approx((1 - 0.62) / 0.8, rel=2e-6)


def test_segmentation_tells_numbers_and_types(model: Any, data: Any) -> None:
    with condyle.Renderer(model, 120, 160) as r:
        r.enable_segmentation_rendering()
        r.update_scene(data, "side")
        flags = r.scene.flags.copy()
        picture = r.render()
        assert (r.scene.flags == flags).all()
    assert picture.shape == (120, 160, 2) and picture.dtype == np.int32
    kinds = {(int(i), int(t)) for i, t in np.unique(picture.reshape(-1, 2), axis=0)}
    geom, site = int(condyle.mjtObj.mjOBJ_GEOM), int(condyle.mjtObj.mjOBJ_SITE)
    assert kinds == {(-1, -1), (0, geom), (1, geom), (2, geom), (0, site)}


def test_the_picture_goes_where_it_is_asked_to(model: Any, data: Any) -> None:
    with condyle.Renderer(model, 30, 40) as r:
        r.update_scene(data)
        out = np.zeros((30, 40, 3), np.uint8)
        assert r.render(out=out) is out and out.any()
        with pytest.raises(ValueError, match=r"Expected `out.shape == \(30, 40, 3\)`"):
            r.render(out=np.zeros((30, 41, 3), np.uint8))
        with pytest.raises(ValueError, match="of type uint8, not float64"):
            r.render(out=np.zeros((30, 40, 3)))
        assert (r.width, r.height, r.model) == (40, 30, model)


def test_cameras_are_found(model: Any, data: Any) -> None:
    with condyle.Renderer(model, 30, 40) as r:
        for camera in ("side", 0, -1, condyle.MjvCamera()):
            r.update_scene(data, camera)
        with pytest.raises(ValueError, match='The camera "b" does not exist.'):
            r.update_scene(data, "b")
        for number in (2, -2):
            with pytest.raises(ValueError, match=rf"id {number} is out of range \[-1, 2\)"):
                r.update_scene(data, number)


def test_a_closed_renderer_does_not_draw(model: Any, data: Any) -> None:
    r = condyle.Renderer(model, 30, 40)
    r.update_scene(data)
    r.close()
    r.close()
    with pytest.raises(RuntimeError, match="render cannot be called after close."):
        r.render()


def test_renderers_share_a_thread(model: Any, data: Any) -> None:
    renderers = [condyle.Renderer(model, 60, 80) for _ in range(3)]
    for r in renderers:
        r.update_scene(data, "side")
    first = [r.render() for r in renderers]
    renderers[1].close()
    assert (renderers[0].render() == first[2]).all()
    assert (renderers[2].render() == first[0]).all()
    for r in renderers:
        r.close()


def test_many_renderers_leave_nothing(model: Any, data: Any) -> None:
    resource = pytest.importorskip("resource")

    def draw(count: int) -> int:
        for _ in range(count):
            r = condyle.Renderer(model, 30, 40)
            r.update_scene(data)
            r.render()
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    before = draw(3)
    assert draw(8) - before < 20000


def test_functions_draw_as_in_C(model: Any, data: Any) -> None:
    with condyle.Renderer(model, 30, 40) as r:
        con = r._mjr_context
        assert con is not None
        rect = condyle.mjr_maxViewport(con)
        assert (rect.width, rect.height) == (200, 150)
        condyle.mjr_rectangle(rect, 0, 0, 1, 1)
        rgb = np.zeros((150, 200, 3), np.uint8)
        depth = np.zeros((150, 200), np.float32)
        condyle.mjr_readPixels(rgb, depth, rect, con)
        assert (rgb == [0, 0, 255]).all()
        condyle.mjr_readPixels(rgb.reshape(-1), None, rect, con)
        for wrong in (np.zeros(5, np.uint8), np.zeros(rgb.shape, np.float32), rgb[::-1], [1]):
            with pytest.raises(TypeError):
                condyle.mjr_readPixels(wrong, None, rect, con)  # type: ignore[arg-type]
        condyle.mjr_drawPixels(np.full(90000, 7, np.uint8), None, rect, con)
        condyle.mjr_readPixels(rgb, None, rect, con)
        assert (rgb == 7).all()
        rects = [condyle.MjrRect(0, 0, 10, 10), condyle.MjrRect(10, 0, 10, 10)]
        assert condyle.mjr_findRect(12, 3, 2, rects) == 1
        assert condyle.mjr_findRect(3, 3, 1, rects[0]) == 0
        with pytest.raises(ValueError, match="nrect"):
            condyle.mjr_findRect(3, 3, 3, rects)
        condyle.mjr_overlay(
            condyle.mjtFont.mjFONT_NORMAL, condyle.mjtGridPos.mjGRID_TOPLEFT, rect, "a", "b", con
        )
        condyle.mjr_figure(rect, condyle.MjvFigure(), con)
        condyle.mjr_uploadTexture(model, con, 0)
        condyle.mjr_finish()
        assert condyle.mjr_getError() == 0


def test_a_context_of_nothing_draws_nothing(model: Any) -> None:
    con = condyle.MjrContext()
    con.free()
    with pytest.raises(condyle.FatalError):
        condyle.mjr_render(condyle.MjrRect(0, 0, 9, 9), condyle.MjvScene(model, 10), con)


def test_models_and_states_are_pictures_in_notebooks(model: Any, data: Any) -> None:
    for file in (model._repr_png_(), data._repr_png_()):
        assert file[:8] == b"\x89PNG\r\n\x1a\n"
        width, height, depth, color = struct.unpack(">IIBB", file[16:26])
        assert (width, height, depth, color) == (200, 150, 8, 2)
        size = struct.unpack(">I", file[33:37])[0]
        rows = zlib.decompress(file[41 : 41 + size])
        assert len(rows) == 150 * 601 and len(set(rows)) > 20
    assert model._repr_png_() != data._repr_png_()  # the keyframe is elsewhere


def test_worlds_of_tasks_are_drawn() -> None:
    gym = pytest.importorskip("condyle.gym")
    for mode, shape in (("rgb_array", (64, 48, 3)), ("depth_array", (64, 48))):
        env = gym.make_vec("Hopper-v5", 3, render_mode=mode, width=48, height=64)
        env.reset(seed=1)
        pictures = env.render()
        assert isinstance(pictures, tuple) and [p.shape for p in pictures] == [shape] * 3
        assert all(p.std() > 0 for p in pictures)
        env.close()
    env = gym.make_vec("Hopper-v5", 5, render_mode="rgb_grid", width=48, height=64)
    env.reset(seed=1)
    assert env.render().shape == (2 * 21, 3 * 16, 3)
    env.close()
    with pytest.raises(ValueError, match='camera "x" does not exist'):
        env = gym.make_vec("Hopper-v5", render_mode="rgb_array", camera_name="x")
        env.reset()
        env.render()
    env = gym.make_vec("Hopper-v5")
    with pytest.raises(Exception, match="pictures need a render_mode"):
        env.render()


REFERENCE = """
import sys, numpy, mujoco
m = mujoco.MjModel.from_xml_path(sys.argv[1])
d = mujoco.MjData(m)
mujoco.mj_forward(m, d)
r = mujoco.Renderer(m, 120, 160)
r.update_scene(d, "side")
color = r.render()
r.enable_depth_rendering()
depth = r.render()
r.enable_segmentation_rendering()
numpy.savez(sys.argv[2], color=color, depth=depth, segment=r.render())
r.close()
"""


def test_the_reference_draws_the_same(model: Any, data: Any, tmp_path: Path) -> None:
    import os  # noqa: PLC0415
    import subprocess  # noqa: PLC0415

    pytest.importorskip("mujoco")
    (tmp_path / "model.xml").write_text(XML)
    done = subprocess.run(
        [sys.executable, "-c", REFERENCE, tmp_path / "model.xml", tmp_path / "r.npz"],
        env={**os.environ, "MUJOCO_GL": "egl"},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        pytest.skip(f"the reference can't draw here: {done.stderr.strip().splitlines()[-1]}")
    theirs = np.load(tmp_path / "r.npz")
    with condyle.Renderer(model, 120, 160) as r:
        r.update_scene(data, "side")
        assert np.abs(r.render().astype(int) - theirs["color"]).mean() < 6
        r.enable_depth_rendering()
        depth = np.abs(r.render() / theirs["depth"] - 1)
        assert np.median(depth) < 1e-3 and (depth > 0.03).mean() < 5e-3
        r.enable_segmentation_rendering()
        assert (r.render() == theirs["segment"]).all(axis=-1).mean() > 0.995
