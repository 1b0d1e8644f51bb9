"""What pages see of a simulation, and what they change; spoken to without a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from viewer_page import Page, place_of, until

import condyle
from condyle import viewer
from condyle._support import picture
from condyle._viewer.view import with_textures

# pictures


def test_pages_see_the_state_of_the_last_sync(handle: viewer.Handle, pair: Any) -> None:
    m, d = pair
    with Page(handle.url) as page:
        assert np.allclose(place_of(page.geoms(), m, "ball"), [0, 1, 1])
        assert page.titles == ["arm"]
        for _ in range(100):
            condyle.mj_step(m, d)
        assert np.allclose(place_of(page.geoms(), m, "ball"), [0, 1, 1])
        condyle.mj_step(m, d)
        handle.sync()
        frame = page.tick()
        assert np.allclose(place_of(page.geoms(), m, "ball"), d.geom("ball").xpos, atol=1e-6)
        assert frame["time"] == d.time
        assert np.array_equal(frame["qpos"], d.qpos)
        assert np.array_equal(frame["sensors"], d.sensordata)
        assert frame["steps"] == 1
        assert frame["stepTime"] > 0


def test_the_picture_is_the_scene_of_the_engine(handle: viewer.Handle, pair: Any) -> None:
    m, d = pair
    scene = condyle.MjvScene(m, 1000)
    handle.opt.flags[condyle.mjtVisFlag.mjVIS_JOINT] = True
    with Page(handle.url) as page:
        geoms = page.geoms()
    condyle.mjv_updateScene(m, d, handle.opt, handle.perturb, handle.cam, 7, scene)
    assert len(geoms) == scene.ngeom
    for seen, geom in zip(geoms, scene.geoms, strict=False):
        assert np.array_equal(seen["pos"], geom.pos)
        assert np.array_equal(seen["mat"], geom.mat.ravel())
        assert np.array_equal(seen["rgba"], geom.rgba)


def test_state_only_computes_the_rest(handle: viewer.Handle, pair: Any) -> None:
    m, d = pair
    d.qpos[1:4] = 0, 2, 3
    with Page(handle.url) as page:
        handle.sync()
        assert np.allclose(place_of(page.geoms(), m, "ball"), [0, 1, 1])
        handle.sync(state_only=True)
        assert np.allclose(place_of(page.geoms(), m, "ball"), [0, 2, 3])
    assert np.allclose(d.geom("ball").xpos, [0, 1, 1])


def test_changes_of_the_model_are_seen(handle: viewer.Handle, pair: Any) -> None:
    m, _ = pair
    m.geom("ball").rgba = [0.25, 0.5, 0.75, 1]
    with Page(handle.url) as page:
        handle.sync()
        geoms = page.geoms()
    assert [0.25, 0.5, 0.75, 1] in geoms["rgba"].tolist()


def test_shapes_and_flags_of_the_program(handle: viewer.Handle) -> None:
    scene = handle.user_scn
    assert scene.maxgeom == 100000
    condyle.mjv_initGeom(
        scene.geoms[0],
        condyle.mjtGeom.mjGEOM_SPHERE,
        np.full(3, 0.5),
        np.array([7.0, 8, 9]),
        np.eye(3).ravel(),
        np.ones(4, np.float32),
    )
    with Page(handle.url) as page:
        before = len(page.geoms())
        scene.ngeom = 1
        assert len(page.geoms()) == before
        handle.sync()
        geoms = page.geoms()
        assert len(geoms) == before + 1
        assert np.allclose(geoms[-1]["pos"], [7, 8, 9])
        scene.ngeom = 0
        wireframe = int(condyle.mjtRndFlag.mjRND_WIREFRAME)
        scene.flags[wireframe] = 1
        handle.sync()
        assert page.tick()["pictures"][0]["flags"][wireframe] == 1
        # what a page switches comes back
        page.tick(["render", wireframe, 0])
        handle.sync()
        assert scene.flags[wireframe] == 0


# what pages change


def test_the_camera_belongs_to_both(handle: viewer.Handle) -> None:
    with Page(handle.url) as page:
        before = page.tick()["camera"]
        after = page.tick(["moveCamera", 1, 0.1, 0.0])["camera"]
        assert after[4] != before[4]
        assert handle.cam.azimuth == after[4]
        handle.cam.azimuth, handle.cam.distance = 12, 5
        assert page.tick()["camera"][3:5].tolist() == [5, 12]
        page.tick(["useCamera", 0])
        assert (handle.cam.type, handle.cam.fixedcamid) == (2, 0)
        page.tick(["useCamera", -1], ["lookAt", 1, 2, 3])
        assert (handle.cam.type, handle.cam.lookat.tolist()) == (0, [1, 2, 3])


def test_a_body_is_picked_and_pulled(handle: viewer.Handle, pair: Any) -> None:
    m, d = pair
    with Page(handle.url) as page:
        page.tick(["lookAt", 0, 1, 1])
        page.tick()
        picked = page.ask("pick", 0, 4 / 3, 0.5, 0.5)
        ball = m.body("ball").id
        assert (picked["body"], picked["geom"]) == (ball, m.geom("ball").id)
        page.tick(["select", 0, ball, *picked["point"]], ["hold", 0, 1], ["drag", 0, 3, 0.1, 0.1])
        assert not d.xfrc_applied.any()
        d.xfrc_applied[1] = 1
        handle.sync()
        assert d.xfrc_applied[ball].any()
        page.tick(["hold", 0, 0])
        handle.sync()
        assert not d.xfrc_applied[ball].any()
        # forces of the program's own stay
        assert (d.xfrc_applied[1] == 1).all()


def test_a_mocap_body_is_dragged(handle: viewer.Handle, pair: Any) -> None:
    m, d = pair
    with Page(handle.url) as page:
        page.tick(["selectBody", m.body("goal").id], ["hold", 0, 1], ["drag", 0, 3, 0.1, 0.2])
        assert np.allclose(d.mocap_pos[0], [1, 1, 1])
        handle.sync()
        assert not np.allclose(d.mocap_pos[0], [1, 1, 1])


def test_a_page_that_goes_away_lets_go(handle: viewer.Handle, pair: Any) -> None:
    m, _ = pair
    with Page(handle.url) as page:
        page.tick(["selectBody", m.body("ball").id], ["hold", 0, 1])
        assert handle.perturb.active
    until(lambda: not handle.perturb.active)


def test_controls_positions_keyframes_options(handle: viewer.Handle, pair: Any) -> None:
    m, d = pair
    with Page(handle.url) as page:
        page.tick(["setControl", 0, 0.5], ["setPosition", 0, 0.25], ["setPhysics", 0, 2, 1])
        assert (d.ctrl[0], d.qpos[0], m.opt.disableflags) == (0, 0, 0)
        handle.sync()
        assert (d.ctrl[0], d.qpos[0], m.opt.disableflags) == (0.5, 0.25, 2)
        page.tick(["reset", 0])
        handle.sync()
        assert d.qpos.tolist() == m.key_qpos[0].tolist()
        page.tick(["reset", -1])
        handle.sync()
        assert d.qpos.tolist() == m.qpos0.tolist()
        # numbers outside of the model do nothing
        page.tick(["setControl", 7, 1.0], ["setPosition", -1, 1.0], ["selectBody", 99])
        page.tick(["useCamera", 5], ["followBody", 99], ["show", 99, 1], ["setGroup", 9, 9, 1])
        handle.sync()


def test_a_programs_clock_is_its_own(handle: viewer.Handle, pair: Any) -> None:
    _, d = pair
    with Page(handle.url) as page:
        frame = page.tick(["play", 0], ["step"], ["setSpeed", 0.5])
        handle.sync()
        assert (frame["playing"], frame["speed"], d.time) == (True, 1, 0)
        assert page.hello["remote"]["managed"] is False


def test_flags_labels_groups(handle: viewer.Handle) -> None:
    with Page(handle.url) as page:
        names = page.ask("names")
        assert len(names["names"][0]) == len(names["shown"]) == len(condyle.mjVISSTRING)
        page.tick(["show", 3, 1], ["setLabel", 1, 2], ["setGroup", 0, 5, 1], ["setDepth", 2, 1])
        opt = handle.opt
        assert (opt.flags[3], opt.label, opt.frame, opt.geomgroup[5]) == (1, 1, 2, 1)
        assert (opt.bvh_depth, opt.flex_layer) == (2, 1)
        assert page.ask("names")["shown"][3] == 1
        # pages hear of what the program switches
        look = page.tick()["look"]
        assert page.tick()["look"] == look
        opt.flags[4] ^= 1
        assert page.tick()["look"] != look


def test_a_page_gets_the_arrays_of_the_model(handle: viewer.Handle, pair: Any) -> None:
    m, _ = pair
    names = ["geom_type", "names", "mesh_vert", "nothing", "__class__", "jnt_limited", "tex_adr"]
    with Page(handle.url) as page:
        got = page.ask("arrays", names, ["nq", "ngeom", "opt", "__dict__"])
        row = page.ask("inspect", "nbody", m.body("ball").id)
    arrays = got["arrays"]
    assert set(arrays) == {*names, "flex_facecapacity"} - {"nothing", "__class__"}
    assert np.array_equal(arrays["geom_type"], m.geom_type)
    assert arrays["names"].tobytes() == m.names
    assert np.array_equal(arrays["mesh_vert"], m.mesh_vert.ravel())
    assert got["sizes"] == {"nq": m.nq, "ngeom": m.ngeom}
    assert got["visual"]["extent"] == m.stat.extent
    mass = next(it for it in row if it["name"] == "body_mass")
    assert mass["values"].tolist() == m.body("ball").mass.tolist()
    assert "mass" in mass["meaning"]


def test_a_page_knows_how_much_comes(handle: viewer.Handle) -> None:
    with Page(handle.url) as page:
        names = ["geom_pos", "tex_data", "names", "nothing", "nbody"]
        lengths = page.ask("lengths", names)
        arrays = page.ask("arrays", names, [])["arrays"]
        assert lengths == {name: arrays[name].nbytes for name in names[:3]}


def test_textures_that_stay_in_their_files_are_read(tmp_path: Path) -> None:
    image = tmp_path / "picture.png"
    image.write_bytes(picture.png(np.full((4, 6, 3), 90, np.uint8)))
    (tmp_path / "model.xml").write_text(
        "<mujoco><asset><texture name='t' type='2d' file='picture.png' embed='false'/>"
        "</asset></mujoco>"
    )
    m = condyle.MjModel.from_xml_path(str(tmp_path / "model.xml"))
    assert m.tex_adr[0] < 0
    whole = with_textures(m)
    assert whole.tex_adr[0] == 0
    assert (whole.tex_data == 90).all()
    assert whole.tex_data.size == 72
    image.unlink()
    assert with_textures(m) is m


def test_arrays_that_changed_are_sent(handle: viewer.Handle, pair: Any) -> None:
    m, _ = pair
    with Page(handle.url) as page:
        page.tick()
        m.hfield_data[:] = 0.5
        m.tex_data[:3] = 7
        m.mesh_vert[0] = 9
        handle.update_hfield(0)
        handle.update_texture(0)
        handle.update_mesh(0)
        page.tick()
        got = {it["array"]: (it["start"], it["bytes"]) for it in page.patches}
        assert set(got) == {"hfield_data", "tex_data", "mesh_vert", "mesh_normal"}
        assert got["hfield_data"] == (0, m.hfield_data.tobytes())
        assert got["tex_data"][1] == m.tex_data.tobytes()
        assert got["mesh_vert"][1] == m.mesh_vert.tobytes()
        page.tick()
        assert len(page.patches) == 4
        # a page that comes later has them with the model
        with Page(handle.url) as later:
            later.tick()
            assert later.patches == []
            arrays = later.ask("arrays", ["hfield_data"], [])["arrays"]
            assert np.array_equal(arrays["hfield_data"], m.hfield_data)
    for update in (handle.update_hfield, handle.update_mesh, handle.update_texture):
        for number in (-1, 1):
            with pytest.raises(ValueError, match="is not in the model"):
                update(number)


def test_figures_texts_images(handle: viewer.Handle) -> None:
    figure = condyle.MjvFigure()
    figure.title = "speed"
    figure.linepnt[2] = 3
    figure.linedata[2, :6] = [0, 1, 1, 4, 2, 9]
    rect = condyle.MjrRect(10, 20, 30, 40)
    image = np.arange(40 * 30 * 3, dtype=np.uint8).reshape(40, 30, 3)
    with Page(handle.url) as page:
        handle.set_figures((rect, figure))
        handle.set_texts([(None, None, "left", None), (2, 3, "a", "b")])
        handle.set_images([(rect, image)])
        page.tick()
        shown = page.overlays["figures"][0]
        assert (shown["title"], shown["counts"]) == ("speed", [3])
        assert shown["points"].tolist() == [0, 1, 1, 4, 2, 9]
        assert shown["rect"] == [10, 20, 30, 40]
        assert page.overlays["texts"] == [
            {"font": 0, "place": 0, "left": "left", "right": ""},
            {"font": 2, "place": 3, "left": "a", "right": "b"},
        ]
        assert np.array_equal(page.overlays["images"][0]["colors"], image.ravel())
        for clear in (handle.clear_figures, handle.clear_texts, handle.clear_images):
            clear()
        page.tick()
        assert page.overlays == {"kind": "overlays", "figures": [], "texts": [], "images": []}
    with pytest.raises(ValueError, match=r"\(39, 30\) does not match target shape \(40, 30\)"):
        handle.set_images((rect, image[1:]))
    for wrong in (image[:, :, :2], image.astype(float)):
        with pytest.raises(ValueError, match=r"uint8 of shape \(40, 30, 3\)"):
            handle.set_images((rect, wrong))


def test_keys_are_told(pair: Any, capsys: pytest.CaptureFixture[str]) -> None:
    keys: list[int] = []

    def pressed(key: int) -> None:
        keys.append(key)
        if key == 81:
            raise RuntimeError("not this one")

    with viewer.launch_passive(*pair, key_callback=pressed) as handle, Page(handle.url) as page:
        codes = [
            "Space",
            "KeyA",
            "KeyQ",
            "Digit7",
            "ArrowLeft",
            "F5",
            "Enter",
            "Numpad3",
            "Nothing",
        ]
        for code in codes:
            page.send({"kind": "key", "code": code})
        page.tick()
    assert keys == [32, 65, 81, 55, 263, 294, 257, 323]
    assert "RuntimeError: not this one" in capsys.readouterr().err
