"""Programs on virtual files."""

import os
import tempfile

import mujoco

TET = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
MODEL = """<mujoco><asset><mesh name="m" file="t.obj"/></asset><worldbody><body><freejoint/>
<geom type="mesh" mesh="m"/></body></worldbody></mujoco>"""


def a_text_with_files():
    vfs = mujoco.MjVfs()
    vfs["t.obj"] = TET.encode()
    m = mujoco.MjModel.from_xml_string(MODEL, vfs=vfs)
    print(m.nmeshvert, round(m.body_mass[1], 9))


def a_model_among_files():
    with mujoco.MjVfs() as vfs:
        vfs["model.xml"] = MODEL.encode()
        vfs["t.obj"] = TET.encode()
        print(mujoco.MjModel.from_xml_path("model.xml", vfs=vfs).nmesh)
        print(mujoco.MjSpec.from_file("model.xml", vfs=vfs).compile(vfs=vfs).nmesh)


def is_there():
    vfs = mujoco.MjVfs()
    vfs["a/x.obj"] = b""
    print("a/x.obj" in vfs, "x.obj" in vfs, "A/x.obj" in vfs, bool(vfs))
    del vfs["a/x.obj"]
    print("a/x.obj" in vfs)
    vfs["a/x.obj"] = b"again"


def twice():
    vfs = mujoco.MjVfs()
    vfs["x"] = b"1"
    vfs["x"] = b"2"


def not_there():
    vfs = mujoco.MjVfs()
    del vfs["x"]


def no_bytes():
    vfs = mujoco.MjVfs()
    vfs["x"] = "text"


def no_name():
    vfs = mujoco.MjVfs()
    vfs[3] = b"text"


def closed():
    vfs = mujoco.MjVfs()
    vfs.close()
    vfs.close()
    vfs["x"] = b""


def closed_in_use():
    vfs = mujoco.MjVfs()
    with vfs:
        pass
    mujoco.MjModel.from_xml_string("<mujoco/>", vfs=vfs)


def both():
    mujoco.MjModel.from_xml_string("<mujoco/>", assets={}, vfs=mujoco.MjVfs())


def both_for_a_spec():
    mujoco.MjSpec.from_string("<mujoco/>", include={}, vfs=mujoco.MjVfs())


def a_wrong_type():
    mujoco.MjModel.from_xml_string("<mujoco/>", vfs={})


def assets_still():
    print(mujoco.MjModel.from_xml_string(MODEL, {"t.obj": TET.encode()}).nmesh)
    print(mujoco.MjModel.from_xml_string(MODEL, assets={"t.obj": TET.encode()}).nmesh)


def no_file():
    try:
        mujoco.MjModel.from_xml_string(MODEL, vfs=mujoco.MjVfs())
    except ValueError as error:
        print("t.obj" in str(error))


def a_binary_model():
    vfs = mujoco.MjVfs()
    m = mujoco.MjModel.from_xml_string("<mujoco model='z'/>")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.mjb")
        mujoco.mj_saveModel(m, path)
        with open(path, "rb") as file:
            vfs["m.mjb"] = file.read()
    print(mujoco.MjModel.from_binary_path("m.mjb", vfs=vfs).names[:1])


def an_include():
    vfs = mujoco.MjVfs()
    vfs["part.xml"] = b"<mujoco><option timestep='.5'/></mujoco>"
    m = mujoco.MjModel.from_xml_string("<mujoco><include file='part.xml'/></mujoco>", vfs=vfs)
    print(m.opt.timestep)


def recompiled():
    vfs = mujoco.MjVfs()
    vfs["t.obj"] = TET.encode()
    s = mujoco.MjSpec.from_string(MODEL, vfs=vfs)
    m = s.compile(vfs=vfs)
    d = mujoco.MjData(m)
    s.worldbody.add_geom(size=[1, 1, 1])
    m, d = s.recompile(m, d, vfs=vfs)
    print(m.ngeom, d.qpos.shape)


def written_and_read():
    s = mujoco.MjSpec.from_string(
        "<mujoco><worldbody><geom name='q' size='.1'/></worldbody></mujoco>"
    )
    m = s.compile()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("m.xml", "m.mjz", "m.mjb", "m.txt"):
            path = os.path.join(folder, name)
            print(name, s.encode(path, model=m) == os.path.getsize(path))
        print(mujoco.MjSpec.from_file(os.path.join(folder, "m.mjz")).compile().ngeom)


def written_without_a_model():
    s = mujoco.MjSpec()
    s.compile()
    with tempfile.TemporaryDirectory() as folder:
        s.encode(os.path.join(folder, "m.mjb"))


def written_as_nothing():
    s = mujoco.MjSpec()
    s.compile()
    with tempfile.TemporaryDirectory() as folder:
        s.encode(os.path.join(folder, "m.what"))
