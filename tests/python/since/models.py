"""Small models that use what releases 3.4 to 4.0 have added to the format, one word or a few each.

They avoid what later releases compute otherwise for all models (theory/model/dialects.md), so that
everything public can be held against release 4.0.0.
"""

# ruff: noqa: E501  (the texts of models)

from __future__ import annotations

import itertools
import string
from pathlib import Path

OPTION = '<option timestep="0.005" {option}><flag energy="enable" {flag}/></option>'

# a swing with a rod on it, a ball joint, and a free body, far from each other
MACHINE = """<mujoco><compiler {compiler}/>{option}<default>{default}</default><asset>{asset}</asset>
<worldbody><light name="lamp" pos="0 0 4" {light}/>
<camera name="eye" pos="0 -2 1.5" xyaxes="1 0 0 0 .5 1" {camera}/>
<site name="hook" pos=".3 0 1.4"/>
<body name="swing" pos="0 0 1" {body}><joint name="turn" axis="0 1 0" {hinge}/>
<geom name="bar" type="capsule" fromto="0 0 0 0 0 .5" size=".05" {geom}/><site name="wrist" pos="0 .1 .3"/>
<body pos="0 0 .5"><joint name="rod" type="slide" axis="0 0 1" {slide}/><geom name="tip" size=".08"/>
<site name="end" pos="0 0 .1" {site}/></body></body>
<body name="arm" pos="1 0 1"><joint name="ball" type="ball" {ball}/>
<geom type="box" size=".1 .2 .3" mass="1"/><site name="hand" pos=".1 0 .2" euler="40 50 -60"/></body>
<body name="drone" pos="2 0 1"><freejoint name="free"/><geom type="box" size=".1 .2 .05"/><site name="nose" pos=".1 0 0"/>
</body></worldbody><tendon><spatial name="cable" {spatial}><site site="hook"/><site site="end"/></spatial>
<fixed name="sum" {fixed}><joint joint="turn" coef="2"/><joint joint="rod" coef="-1"/></fixed></tendon>
<actuator>{actuator}</actuator><sensor>{sensor}</sensor><keyframe>{key}</keyframe></mujoco>"""

# things that lie, roll and lean on a floor
FLOOR = """<mujoco>{option}<asset><mesh name="wedge" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2"/>{asset}</asset><worldbody>
<geom name="floor" type="plane" size="3 3 1" {floor}/>
<body name="a" pos=".3 -.2 .099"><freejoint/><geom name="a" size=".1" mass="1" {a}/></body>
<body name="b" pos="1 0 .149"><freejoint/><geom name="b" type="capsule" size=".15" fromto="-.2 0 0 .2 0 0" {b}/></body>
<body name="c" pos="-1 0 .0995"><freejoint/><geom name="c" type="box" size=".2 .3 .1" {c}/></body>
<body name="d" pos="-1 1.5 .3"><joint type="slide" axis="0 0 1"/><joint axis="1 0 0" pos=".2 .1 .1"/><geom name="d" type="ellipsoid" size=".1 .2 .301" {d}/></body>
</worldbody><contact>{contact}</contact><sensor>{sensor}</sensor></mujoco>"""


def _fill(template: str, words: dict[str, str]) -> str:
    option = OPTION.format(option=words.pop("option", ""), flag=words.pop("flag", ""))
    slots = {name: "" for _, name, _, _ in string.Formatter().parse(template) if name}
    unknown = words.keys() - slots.keys()
    assert not unknown, unknown
    return template.format(**{**slots, "option": option, **words})


def machine(**words: str) -> str:
    return _fill(MACHINE, words)


def floor(**words: str) -> str:
    return _fill(FLOOR, words)


def _histories() -> dict[str, str]:
    found = {}
    for interp, delay in itertools.product(("zoh", "linear", "cubic"), ("0.0237", "0.005")):
        past = f'nsample="6" interp="{interp}" delay="{delay}"'
        found[f"delay {interp} {delay}"] = machine(
            actuator=f'<motor joint="turn" {past}/><position joint="rod" kp="20" {past}/>'
            f'<general tendon="cable" gear="2" {past}/><velocity joint="turn" kv=".2" {past}/>',
            sensor=f'<jointpos joint="turn" {past}/><framepos objtype="site" objname="end" {past}/>'
            f'<gyro site="nose" {past}/>',
        )
    for rule in ('nsample="3" interval="0.025 -0.01"', 'nsample="4" delay="0.03" interval="0.02"',
                 'interval="0.01"', 'nsample="2"', 'nsample="5" delay="-0.01"'):  # fmt: skip
        found[f"sensors {rule}"] = machine(
            sensor=f'<jointvel joint="turn" {rule}/><tendonpos tendon="cable" {rule}/>'
            f'<velocimeter site="nose" cutoff="1" {rule}/><clock {rule}/>'
        )
    found["default delays"] = machine(
        default='<motor nsample="4" delay="0.01"/><default class="later"><motor interp="linear"/></default>',
        actuator='<motor joint="turn"/><motor class="later" joint="rod"/><muscle joint="turn" nsample="3" delay=".01"/>',
    )
    return found


def _terms() -> dict[str, str]:
    found = {}
    triples = ("2", "2 .5", "2 .5 .3", "0 1 0", "0 0 1")
    for place, triple in itertools.product(("hinge", "slide", "ball", "spatial", "fixed"), triples):
        found[f"{place} {triple}"] = machine(
            **{
                place: f'stiffness="{triple}" damping="{triple}"'
                + (' springlength=".1 .2"' if "a" in place[2:4] else "")
            }
        )
    for integrator in ("implicit", "implicitfast"):
        found[f"terms {integrator}"] = machine(
            option=f'integrator="{integrator}"', hinge='damping=".1 .2 .3"', fixed='damping=".1 .1 .1"',
            ball='stiffness="3 1 1"',
        ).replace('<freejoint name="free"/>', "")  # fmt: skip
    kinds = ("general", "motor", 'position kp="7"', 'velocity kv="2"', 'intvelocity kp="3" actrange="-1 1"',
             'damper kv=".3" ctrlrange="0 1"', 'cylinder timeconst=".1" area=".02"', "muscle")  # fmt: skip
    for kind in kinds:
        target = "turn" if kind != "general" else "rod"
        more = 'damping=".1 .2 .3" armature=".02" gear="2"'
        found[f"reflected by {kind}"] = machine(
            actuator=f'<{kind} joint="{target}" {more}/><{kind} tendon="sum" {more}/>'
            if kind != "muscle" else f'<muscle joint="turn" lengthrange="0 1" {more}/>'
        )  # fmt: skip
    return found


def _cameras() -> dict[str, str]:
    found = {}
    lenses = {
        "fovy": 'fovy="60" resolution="4 3"',
        "orthographic": 'projection="orthographic" fovy="2" resolution="3 4"',
        "sensor": 'sensorsize=".02 .01" focal=".015 .02" principal=".004 .002" resolution="5 3"',
    }
    for name, lens in lenses.items():
        for data in (
            "dist",
            "dir origin",
            "point normal depth",
            "dist dir origin point normal depth",
        ):
            found[f"rangefinder {name} {data}"] = floor(
                sensor=f'<rangefinder camera="eye" data="{data}" cutoff="3"/>'
            ).replace(
                "<worldbody>",
                f'<worldbody><body name="post"><camera name="eye" pos="0 -2 1.5" xyaxes="1 0 0 0 .5 1" {lens}/></body>',
            )
    found["outputs"] = machine(camera='output="rgb depth segmentation" resolution="640 480"')
    found["ray of a site"] = machine(sensor='<rangefinder site="hand" data="dist normal depth"/>')
    return found


def _contacts() -> dict[str, str]:
    found = {}
    belts = ("1 .5", "1 .5 0 0 0 2", "0 0 1 1 0 0")
    for belt, cone, condim in itertools.product(belts, ("pyramidal", "elliptic"), (1, 3, 4, 6)):
        if cone == "elliptic" and belt == belts[0]:
            continue
        found[f"belt {belt} {cone} {condim}"] = floor(
            option=f'cone="{cone}"',
            floor=f'surfacevel="{belt}" condim="{condim}"',
            c='surfacevel="0 1 0"',
        )
    for strength, cone in itertools.product(("1.5", "-2"), ("pyramidal", "elliptic")):
        found[f"adhesion {strength} {cone}"] = floor(
            option=f'cone="{cone}"',
            floor=f'adhesion="{strength}"',
            a='adhesion="2"',
            c='condim="1"',
        )
    found["adhesion by priority"] = floor(floor='adhesion="1"', a='adhesion="3" priority="1"')
    found["adhesion of a pair"] = floor(contact='<pair geom1="floor" geom2="a" adhesion="4"/>')
    for data, reduce in itertools.product(
        ("linvel", "found dist linvel angvel", "force pos tangent angvel"),
        ("none", "mindist", "maxforce"),
    ):
        found[f"contact sensor {data} {reduce}"] = floor(
            sensor=f'<contact geom1="a" geom2="floor" data="{data}" reduce="{reduce}" num="2"/>'
            f'<contact geom1="floor" body2="c" data="{data}" reduce="{reduce}" num="2" noise=".1" cutoff="2"/>'
        )
    return found


def _actuators() -> dict[str, str]:
    found = {}
    pids = ('kp="20"', 'kp="20" kv="2" input="pos vel ff"', 'kp="20" ki="5" imax=".05"', 'kp="20" slewmax="1.5"',
            'kp="20" dampratio="1"', 'kp="20" kv="2" ki="5" imax=".05" slewmax="1.5" input="pos vel ff" posrange="-3 3" '
            'velrange="-1 1" ffrange="-2 2"', 'kp="5" input="vel ff"', 'inheritrange="1"')  # fmt: skip
    for pid in pids:
        found[f"pid {pid}"] = machine(
            hinge='range="-100 100" limited="true"',
            actuator=f'<pid joint="turn" {pid}/>'
            + (
                ""
                if "inherit" in pid
                else f'<pid tendon="sum" {pid}/><pid joint="ball" gear="0 1 0" {pid}/>'
            ),
        )
    for servo in (
        'kp="3" kv=".4" forcerange="0 1"',
        'kp="2" kv=".1" input="quat"',
        'kp="2" dampratio="1" ctrlrange="-1 1"',
    ):
        found[f"orientation {servo}"] = machine(
            actuator=f'<orientation joint="ball" {servo}/><orientation site="nose" refsite="hook" {servo}/>',
            sensor='<actuatorpos actuator="o"/><actuatorvel actuator="o"/><actuatorfrc actuator="o"/>',
        ).replace('<orientation joint="ball"', '<orientation name="o" joint="ball"')
    motor = 'motorconst=".05 .06" resistance=".8"'
    motors = (motor, 'nominal="12 .5 100"', 'nominal="12 .5 100" damping="1e-4"', motor + ' inductance=".002"',
              motor + ' inductance="0 .01" saturation="0 6 3000"', motor + ' thermal="2 0 10 .004 25 20"',
              motor + ' cogging=".01 6 .3"', motor + ' lugre="50 .2 .02 .03 .1"',
              motor + ' controller="2 5 .1 20 .02 12" input="pos vel ff"', motor + ' input="none"',
              motor + ' inductance=".002" thermal="2 0 10 .004 25 20" cogging=".01 6 .3" lugre="50 .2 .02 .03 .1" '
              'controller="2 5 .1 20 .02 12" saturation="0 6 3000" input="pos vel ff voltage"')  # fmt: skip
    for k, words in enumerate(motors):
        found[f"dcmotor {k}"] = machine(
            actuator=f'<dcmotor joint="turn" gear="3" {words}/><dcmotor tendon="sum" {words}/>'
        )
        if k in (0, 4, 8):
            found[f"dcmotor {k} implicitfast"] = machine(
                option='integrator="implicitfast"',
                actuator=f'<dcmotor joint="turn" gear="3" {words}/>',
            ).replace('<freejoint name="free"/>', "")
    found["inputs"] = machine(
        actuator='<general joint="turn" input="pos"/><general joint="rod" input="pressure"/><position joint="rod"/>'
        '<general joint="turn" gaintype="fixed" gainprm="5" biastype="affine" biasprm="0 -5 -1" inheritrange="1"/>',
        hinge='range="-100 100" limited="true"',
    )
    found["delayed pid"] = machine(
        actuator='<pid joint="turn" kp="3" nsample="3" delay=".012" interp="linear"/>'
    )
    found["orientation by keys"] = machine(
        actuator='<orientation joint="ball" input="quat" kp="2"/><motor joint="turn"/>',
        key='<key ctrl=".5 .5 .5 .5 1"/><key/>',
    )
    found["integrated orientation"] = machine(
        actuator='<general joint="ball" gaintype="so3" biastype="so3" gainprm="3" biasprm="0 -3 -.1" dyntype="integrator"/>'
    )
    return found


def _springs() -> dict[str, str]:
    found = {}
    for place in ("hinge", "slide", "ball", "spatial", "fixed"):
        length = ' springlength=".3 .5"' if place in ("spatial", "fixed") else ""
        found[f"plastic {place}"] = machine(**{place: f'stiffness="20" springyield=".01"{length}'})
    found["plastic with keys"] = machine(
        hinge='stiffness="9" springyield="1"',
        key='<key plastic=".2" qpos="1 .1 1 0 0 0 2 0 1 1 0 0 0"/>',
    )
    return found


def _frames() -> dict[str, str]:
    found = {}
    inner = """<body name="f" pos="0 0 1"><joint name="fh" axis="0 1 0" stiffness="2 1" damping=".1" armature=".01"/>
<geom type="capsule" fromto="0 0 0 .5 0 0" size=".05" friction="1 .01 .001"/><site name="fs" pos=".1 0 0" size=".02"/>
<body pos=".5 0 0"><joint name="fl" type="slide" axis="1 0 0" stiffness="20" damping=".3" range="-1 1" limited="true"/>
<geom size=".1"/><camera name="fc" pos="0 0 .1" ipd=".1"/></body></body>"""
    for scale in (
        'scale="2"',
        'scale="2" massscale="3"',
        'scale=".5" scaling="geometry"',
        'scale="2" scaling="geometry" massscale="0"',
    ):
        found[f"frame {scale}"] = machine(
            actuator='<position joint="fl" kp="10" kv="1"/><motor joint="fh" forcerange="-1 1"/><position joint="fh" kp="2"/>',
            sensor='<framepos objtype="site" objname="fs" cutoff=".4"/><jointpos joint="fl"/>',
        ).replace(
            '<site name="hook"', f'<frame pos="3 0 0" {scale}>{inner}</frame><site name="hook"'
        )
    swing = '<attach body="swing" prefix="copy_"/>'
    found["attached where it is scaled"] = machine(
        actuator='<motor name="drive" joint="turn" forcerange="-1 1"/><position name="servo" joint="rod" kp="9"/>',
        hinge='stiffness="2 1" damping=".1"',
    ).replace("</worldbody>", f'<frame pos="0 3 0" scale="1.5">{swing}</frame></worldbody>')
    found["replicas that are scaled"] = machine().replace(
        "</worldbody>",
        '<frame scale="2" pos="0 5 0"><replicate count="2" offset="0 1 0"><body><joint axis="0 1 0"/>'
        '<geom size=".1"/></body></replicate></frame></worldbody>',
    )
    found["nested frames"] = machine().replace(
        '<site name="hook"',
        f'<frame pos="3 0 0" scale="2"><frame pos="0 1 0" euler="0 0 30" scale=".7">{inner}</frame></frame><site name="hook"',
    )
    found["stretched"] = machine().replace(
        '<site name="hook"',
        '<frame pos="3 0 0" scale="2 1 .5" scaling="geometry"><body><joint type="slide" axis="0 0 1"/><geom type="box" size=".1 .2 .3"/>'
        '<geom type="ellipsoid" size=".1 .2 .3" pos=".5 0 0"/></body></frame><site name="hook"',
    )
    return found


def _assets() -> dict[str, str]:
    found = {}
    for builtin in ("grid", "box", "cylinder", "ellipsoid"):
        found[f"mesh {builtin}"] = machine(
            asset=f'<mesh name="m" builtin="{builtin}" params="3 4 3 .1 .2 .1"/>', geom='priority="1"',
        ).replace('type="box" size=".1 .2 .05"', 'type="mesh" mesh="m"')  # fmt: skip
    found["class of textures"] = machine(
        default='<texture builtin="checker" width="8" height="8" rgb1="1 0 0" rgb2="0 1 0"/><default class="later"><texture type="2d" mark="edge"/></default>',
        asset='<texture name="t" type="cube"/><texture name="u" class="later"/><material name="m" texture="u"/>',
        geom='material="m"',
    )
    found["words of bodies"] = machine(body='simple="false"', compiler='fusestatic="true"')
    found["static bodies that stay"] = machine(compiler='fusestatic="true"').replace(
        '<site name="hook"',
        '<body name="kept" fuse="false"><geom size=".1" pos="5 0 0"/></body><body><geom size=".1" pos="6 0 0"/></body><site name="hook"',
    )
    found["lights and shadows"] = machine(
        light='softness=".7" type="spot"', geom='castshadow="false"'
    )
    found["default tendon"] = machine(
        default='<tendon armature=".1" actuatorfrcrange="-1 1" actuatorfrclimited="true" stiffness="3 1" damping=".1 .1 .1"/>',
        actuator='<motor tendon="cable" gear="5"/>',
    )
    found["text"] = machine().replace(
        "<worldbody>", '<custom><text name="t"><![CDATA[a < b\nc]]></text></custom><worldbody>'
    )
    found["attached to itself"] = machine(actuator='<motor name="drive" joint="turn"/>').replace(
        "</worldbody>",
        '<frame pos="0 3 0"><attach body="swing" prefix="copy_"/></frame></worldbody>',
    )
    polygons = Path(__file__).parents[2] / "models/since/polygons.xml"
    still = '<option timestep="1e-9"/><asset>'  # rounding decides about the order of contacts
    found["polygons of hulls"] = polygons.read_text().replace("<asset>", still, 1)
    found["conflict"] = machine(compiler='conflict="merge"')
    return found


ROOM = """<mujoco><asset>
<mesh name="rock" vertex="-.3 -.2 -.2 .3 -.25 -.2 .25 .3 -.2 -.3 .25 -.25 -.2 -.2 .3 .3 -.2 .2 .2 .2 .3 -.2 .3 .2"/></asset><worldbody>
<site name="room" {room} pos=".02 .01 -.01" euler="10 20 30"/>
<body name="thing" pos=".03 .01 .02" euler="20 30 40"><freejoint/>
<inertial pos="0 0 .01" mass="1" diaginertia=".03 .02 .04"/><geom name="ball" size=".06"/>
<geom name="rod" type="capsule" size=".04 .07" pos=".01 .02 0"/><geom name="egg" type="ellipsoid" size=".1 .05 .07"/>
<geom name="can" type="cylinder" size=".06 .05" euler="30 0 0"/><geom name="brick" type="box" size=".05 .06 .04"/>
<site name="own" type="box" size=".02 .03 .01" pos=".01 0 0"/></body></worldbody>
<sensor>{sensor}</sensor></mujoco>"""

SKIN = """<mujoco><asset><mesh name="pad" builtin="plate" params="6 5" scale=".3 .2 .1"/></asset><worldbody>
<body pos=".1 0 -.37"><freejoint/><geom size=".4"/></body><body pos="-.12 .02 -.36"><freejoint/><geom size=".4"/></body>
<body pos=".02 .01 .1" euler="0 0 30"><joint type="slide" axis="0 0 1"/><geom type="box" size=".3 .2 .1"/>
<geom name="pad" type="mesh" mesh="pad" contype="0" conaffinity="0" mass="0"/></body></worldbody>
<sensor><tactile mesh="pad" geom="pad" {skin}/></sensor></mujoco>"""


def _sites() -> dict[str, str]:
    found = {}
    # the reference's search among the corners of a box in a ball ends too early
    things = ("ball", "rod", "egg", "can")
    rooms = ('size=".3"', 'type="ellipsoid" size=".3 .2 .25"', 'type="box" size=".3 .2 .25"')
    for room in rooms:
        sensor = "".join(
            f'<insidesite site="room" objtype="geom" objname="{thing}" enclosed="true"/>'
            for thing in things
        )
        found[f"enclosed by {room}"] = ROOM.format(
            room=room,
            sensor=sensor + '<insidesite site="room" objtype="site" objname="own" enclosed="true"/>'
            '<insidesite site="room" objtype="body" objname="thing" enclosed="true" cutoff=".1"/>'
            '<insidesite site="room" objtype="xbody" objname="thing" enclosed="true" nsample="3" delay=".01"/>',
        )
    found["mesh sites"] = ROOM.format(
        room='type="mesh" mesh="rock"',
        sensor='<insidesite site="room" objtype="geom" objname="ball"/><contact site="room" data="force"/>',
    )
    found["skin"] = SKIN.format(skin="")
    found["skin with a cutoff"] = SKIN.format(skin='cutoff=".02"')
    return found


def _classes() -> dict[str, str]:
    found = {}
    classes = ('<position kp="7" gear="2" ctrlrange="-1 1"/>', '<general gainprm="5"/>',
               '<general gainprm="5" biastype="affine" biasprm="0 -5 -1"/>', '<position kp="7" kv="2"/>',
               '<pid kp="7" ki="2" imax=".1" input="pos vel ff" posrange="-1 1"/>',
               '<cylinder area="3" timeconst=".2" bias="1 2 3"/>', '<damper kv="7" ctrlrange="0 1"/>',
               '<velocity kv="3"/><default class="sub"><motor gear="3"/></default>')  # fmt: skip
    words = ("general", "motor", "position", "velocity", "pid", "cylinder")
    for k, text in enumerate(classes):
        own = "class='sub' " if "sub" in text else ""
        found[f"class of actuators {k}"] = machine(
            default=text,
            actuator="".join(f'<{word} {own}joint="turn"/>' for word in words)
            + f'<damper {own}joint="turn" ctrlrange="0 1"/><intvelocity {own}joint="turn" actrange="-1 1"/>',
        )
    found["layers of a class"] = machine(
        default='<material><layer texture="t" role="rgb"/></material>',
        asset='<texture name="t" type="2d" builtin="flat" width="8" height="8"/><material name="m"/>',
        geom='material="m"',
    )
    return found


# a deformable on a turned body; a ball or a floor beside it
SOFT = """<mujoco>{option}<asset>{asset}</asset><worldbody>{world}
<body name="b" pos="0 0 1" euler="10 20 30"><flexcomp name="f" {flex}><contact selfcollide="none"/>{parts}</flexcomp></body>
</worldbody><equality>{equality}</equality></mujoco>"""
SOLID = 'type="grid" dim="3" count="3 4 3" spacing=".1 .11 .13"'
SHEET = 'type="grid" dim="2" count="4 4 1" spacing=".1 .11 .1"'


def soft(**words: str) -> str:
    return _fill(SOFT, {"option": 'timestep="0.0005"', **words}).replace('timestep="0.005" ', "")


def _flexes() -> dict[str, str]:
    found = {}
    elastic = '<elasticity young="1e4" poisson=".2" damping=".002" {}/>'
    for dof, cells in itertools.product(("trilinear", "quadratic"), ("1 1 1", "2 1 1", "2 3 1")):
        cage = f'{SOLID} dof="{dof}" cellcount="{cells}"'
        found[f"cage {dof} {cells}"] = soft(flex=cage, parts=elastic.format(""))
        found[f"cage {dof} {cells} pins"] = soft(
            flex=cage, parts=elastic.format("") + '<pin id="0 3"/>'
        )
    for dof in ("trilinear", "quadratic"):
        partly = f'type="ellipsoid" dim="3" count="5 5 5" spacing=".1 .11 .12" dof="{dof}"'
        found[f"cage {dof} partly filled"] = soft(
            flex=f'{partly} cellcount="2 2 2"', parts=elastic.format("")
        )
        found[f"cage {dof} yields"] = soft(
            flex=f'{SOLID} dof="{dof}"', parts=elastic.format('yield=".001"')
        )
        found[f"cage {dof} strain"] = soft(
            flex=f'{SOLID} dof="{dof}" cellcount="1 2 1"', parts='<edge equality="strain"/>'
        )
    for dof, cells in itertools.product(("trilinear", "quadratic"), ("1 1 1", "2 2 3")):
        hollow = f'{SOLID} dof="{dof}" cellcount="{cells}"'
        for kind in ("bend", "stretch", "both"):
            shell = elastic.format(f'thickness=".02" elastic2d="{kind}"')
            found[f"cage hollow {dof} {cells} {kind}"] = soft(flex=hollow, parts=shell)
    surface = (
        'type="direct" dim="2" point="0 0 0 .3 0 0 0 .2 0 0 0 .1" '
        'element="0 2 1 0 1 3 0 3 2 1 2 3" dof="trilinear"'
    )
    found["cage of a surface"] = soft(flex=surface, parts=elastic.format(""))
    found["cage of a surface 2 1 2"] = soft(
        flex=f'{surface} cellcount="2 1 2"', parts=elastic.format("")
    )
    found["cage cell"] = soft(
        flex=f'{SOLID} dof="trilinear" cellcount="2 1 1"',
        equality='<flexstrain flex="f" cell="1 0 0"/>',
    )
    found["solid"] = soft(flex=SOLID, parts=elastic.format(""))
    found["solid yields"] = soft(flex=SOLID, parts=elastic.format('yield=".001"'))
    for kind in ("bend", "stretch", "both"):
        shell = elastic.format(f'thickness=".02" elastic2d="{kind}"')
        found[f"sheet {kind}"] = soft(flex=SHEET, parts=shell)
        found[f"sheet {kind} pinned"] = soft(flex=SHEET, parts=shell + '<pin id="0"/>')
        found[f"sheet {kind} 2d"] = soft(flex=f'{SHEET} dof="2d"', parts=shell)
        found[f"shell {kind}"] = soft(
            flex='type="ellipsoid" dim="2" count="4 5 4" spacing=".1 .1 .1"', parts=shell
        )
    found["sheet yields"] = soft(
        flex=SHEET, parts=elastic.format('thickness=".02" elastic2d="stretch" yield=".001"')
    )
    for kind in ("bend", "both"):
        shell = f'thickness=".02" elastic2d="{kind}" yield=".001 .0005"'
        found[f"sheet {kind} yields"] = soft(flex=SHEET, parts=elastic.format(shell))
    found["materials"] = soft(
        asset='<material name="r" rgba="1 0 0 1"/><material name="g" rgba="0 1 0 1"/>',
        flex='type="grid" dim="2" count="2 2 1" spacing=".1 .1 .1" material="r g"',
    )
    ball = '<body pos="{}"><freejoint/><geom size=".1"/></body>'
    found["ball on a cloth"] = soft(flex=SHEET, world=ball.format(".03 .02 1.105"))
    found["ball on a cable"] = soft(
        flex='type="grid" dim="1" count="4 1 1" spacing=".1 .1 .1"',
        world=ball.format(".03 .02 1.105"),
    )
    arc = (
        'type="direct" dim="1" point="0 0 0 .1 .02 0 .19 .08 .03 .24 .17 .08" element="0 1 1 2 2 3"'
    )
    ring = 'type="circle" dim="1" count="7 1 1" spacing=".1 .1 .1"'
    for kind, words in {
        "rod": "",
        "rod box": 'section="box" sectionsize=".02 .01"',
        "rod box turned": 'section="box" sectionsize=".01 .02"',
    }.items():
        parts = elastic.format(f'shear="3e3" {words}')
        found[kind] = soft(flex=arc, parts=parts)
        for pins in ("0", "0 1"):
            found[f"{kind} pin {pins}"] = soft(flex=arc, parts=f'{parts}<pin id="{pins}"/>')
    found["rod with edges"] = soft(flex=arc, parts=elastic.format("") + '<edge equality="true"/>')
    found["rod on a floor"] = soft(
        flex=arc.replace("dim", 'radius=".02" dim'),
        parts=elastic.format(""),
        world='<geom type="plane" size="3 3 1" pos="0 0 .95" condim="6"/>',
    )
    shapes = {
        "plane": 'type="plane" size="3 3 1" pos="0 0 .975"',
        "ball": 'size=".05" pos=".09 .02 .96"',
        "capsule": 'type="capsule" size=".03" fromto=".1 -.1 .96 .1 .1 1"',
        "box": 'type="box" size=".07 .06 .05" pos=".1 .02 .945" euler="3 5 20"',
    }
    for kind, shape in shapes.items():
        found[f"rod box on a {kind}"] = soft(
            flex=arc,
            parts=elastic.format('section="box" sectionsize=".01 .03"'),
            world=f"<geom {shape}/>",
        )
    found["ring"] = soft(flex=ring, parts=elastic.format(""))
    for dof in ("trilinear", "quadratic"):
        found[f"cage {dof} on a floor"] = soft(
            flex=f'{SOLID} dof="{dof}"', world='<geom type="plane" size="3 3 1" pos="0 0 .78"/>'
        )
    return found


# an arm of three links, with sites along it
ARM = """<body pos="0 0 {height}"><joint name="a" axis="0 1 0" {a}/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04" {geom}/>
<site name="s0" pos=".1 0 .05"/><body pos=".3 0 0"><joint name="b" axis="0 1 0" {b}/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04" {geom}/>
<site name="s1" pos=".2 0 .05"/><body pos=".3 0 0"><joint name="c" axis="1 1 0" {c}/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04" {geom}/>
<site name="s2" pos=".2 0 0"/></body></body></body>"""
BOX = '<body pos="{} {} {}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
HEAVY = '<geom type="box" size=".1 .2 .4" pos=".1 .05 0" mass="1"/>'


def _arm(**parts: str) -> str:
    return ARM.format(**{"height": "1", "a": "", "b": "", "c": "", "geom": "", **parts})


def _discrete() -> dict[str, str]:
    """Discrete steps of small models: every term of the metric, kind of row, solver and cone."""
    plane = '<geom name="floor" type="plane" size="9 9 1"/>'
    fixed = '<joint joint="a" coef="1"/><joint joint="c" coef="-2"/></fixed>'
    path = '<site site="s0"/><site site="s1"/><site site="s2"/></spatial>'
    limited = 'limited="true" range="-5 5"'
    found = {}

    def add(name: str, world: str, rest: str = "", option: str = "", flag: str = "") -> None:
        found[f"discrete {name}"] = (
            f'<mujoco><option integrator="discrete" timestep=".01" {option}><flag {flag}/></option>'
            f"<worldbody>{world}</worldbody>{rest}</mujoco>"
        )

    springs = _arm(a='damping="1"', b='stiffness="30"', c='damping=".2 .1 .3" stiffness="5 2 1"')
    ropes = (
        f'<tendon><spatial stiffness="500" damping="4" springlength=".1 .2" limited="true" range="0 .25">{path}'
        f'<fixed stiffness="20 3 2" damping="1 .2 .1" frictionloss=".3">{fixed}</tendon>'
    )
    servos = (
        f'<tendon><fixed name="f">{fixed}</tendon><actuator><position joint="a" kp="400" kv="10"/>'
        '<position tendon="f" kp="100" dampratio="1"/><velocity joint="b" kv="20"/>'
        '<position site="s2" refsite="s0" kp="50" gear="1 0 1 0 0 0"/></actuator>'
    )
    row = "".join(
        f'<body pos="{i / 2} 0 .095"><joint type="slide" axis="0 0 1"/><joint name="x{i}" '
        'type="slide" axis="1 0 0"/><joint axis="0 1 0"/><geom size=".1"/></body>'
        for i in range(5)
    )
    ties = (
        '<tendon><fixed stiffness="30" damping="2"><joint joint="x0" coef="1"/><joint joint="x3" '
        'coef="-1"/></fixed></tendon>'
    )
    for solver in ("Newton", "CG", "PGS"):
        chosen = f'solver="{solver}"'
        add(f"springs {solver}", springs, "", chosen)
        # conjugate gradients end before the minimum where a stiff limit is hit
        tied = ropes.replace("true", "false") if solver == "CG" else ropes
        add(f"tendons {solver}", _arm(a='damping="1"'), tied, chosen)
        add(f"servos {solver}", plane + _arm(height=".3"), servos, chosen)
        add(f"islands {solver}", plane + row, ties, chosen)
        for cone in ("pyramidal", "elliptic"):
            pile = plane + BOX.format(0, 0, 0.095) + BOX.format(0, 0.02, 0.29)
            if (solver, cone) != ("PGS", "elliptic"):
                add(f"pile {solver} {cone}", pile, "", f'{chosen} cone="{cone}"')
    for name, reference in (
        ("soft", "solreflimit='.1 .5'"), ("fast", "solreflimit='.005 .8'"),
        ("direct", "solreflimit='-3000 -20'"), ("hard", "solimplimit='.9999 .9999 .001'"),
    ):  # fmt: skip
        limits = _arm(a=f"{limited} {reference}", b=f"{limited} {reference} damping='3'")
        add(f"limits {name}", limits)
        add(f"limits {name} without refsafe", limits, "", "", 'refsafe="disable"')
    add("friction loss", _arm(a='frictionloss=".5"', b='frictionloss=".3" damping="1"'))
    ends = '<equality><joint joint1="a" joint2="b" polycoef="0 1 .1 0 0"/><connect site1="s2" site2="s0"/></equality>'
    add("equalities", _arm(a='damping="1"', c='stiffness="10"'), ends)
    add("boxes in a fluid", _arm(), "", 'density="1000" viscosity=".5" wind="1 .5 0"')
    add(
        "ellipsoids in a fluid",
        _arm(geom='fluidshape="ellipsoid" fluidcoef=".7 .2 .9 .8 .6"'),
        "",
        'density="300" viscosity=".5"',
    )
    add("free", f'<body pos="0 0 1"><freejoint/>{HEAVY}</body>')
    add(
        "free, held by a servo",
        f'<body pos="0 0 1"><freejoint/>{HEAVY}<site name="s"/></body><site name="w" pos="0 0 2"/>',
        '<actuator><position site="s" refsite="w" kp="40" gear="0 0 1 0 0 0"/></actuator>',
    )
    add(
        "laws of actuators",
        _arm(),
        f'<tendon><spatial name="t">{path}</tendon><actuator><muscle tendon="t" lengthrange=".1 .8"/>'
        '<pid joint="a" kp="30" kv="2" ki="4"/><dcmotor joint="b" motorconst=".5 .6" resistance=".8" '
        'controller="2 0 .1 0 0 0" input="pos vel"/><general joint="c" dyntype="filterexact" dynprm=".1" '
        'gaintype="affine" gainprm="3 -2 -1" actearly="true"/></actuator>',
    )
    add("exact diagonal", plane + _arm(height=".1"), servos, "", 'diagexact="enable"')
    add("springs off", _arm(), ropes, "", 'spring="disable"')
    add("dampers off", _arm(), ropes, "", 'damper="disable"')
    add("actuation off", _arm(), servos, "", 'actuation="disable"')
    slippery = '<contact><pair geom1="floor" geom2="g" solreffriction=".03 1" solref=".01 1" condim="4"/></contact>'
    box = '<body pos="0 0 .095"><freejoint/><geom name="g" type="box" size=".1 .1 .1"/></body>'
    add("friction of its own", plane + box, slippery, 'cone="elliptic" impratio="5"')
    elastic = '<elasticity young="1e4" poisson=".2" damping=".01" {}/>'
    for name, dim, count, words, parts in (
        ("solid", 3, "3 3 2", "", ""), ("sheet", 2, "4 3 1", "", 'thickness=".01" elastic2d="both"'),
        ("cage", 3, "3 3 3", 'dof="trilinear"', ""), ("cage radial", 3, "3 3 3", 'dof="radial"', ""),
    ):  # fmt: skip
        add(
            name,
            f'{plane}<flexcomp name="f" type="grid" count="{count}" spacing=".1 .1 .1" pos="0 0 .5" dim="{dim}" '
            f'mass="1" {words}>{elastic.format(parts)}<contact selfcollide="none"/></flexcomp>',
        )
        found[f"{name}, discrete"] = found.pop(f"discrete {name}")
    return found


def _found() -> dict[str, str]:
    """Return models of rules that random models have shown."""
    fused = """<mujoco><compiler fusestatic="true"/><option {option}/><worldbody>
<body name="parent" {parent}><joint axis="1 0 0"/><geom size=".1"/><body name="child" pos=".3 0 0" {child}><geom size=".05 .1" type="capsule"/>
<site name="inside"/></body><body name="last" pos="0 .2 0"><geom size=".05"/><body pos="0 .2 0"><joint/><geom size=".04"/></body></body></body>
</worldbody><sensor>{sensor}<framepos objtype="body" objname="last"/></sensor></mujoco>"""
    words = {"option": "", "parent": "", "child": "", "sensor": ""}
    pair = """<mujoco><worldbody><geom name="can" type="cylinder" size=".1 .08"/><body pos="{pos}" {turn}><freejoint/>
<geom name="block" type="box" size=".1 .07 .12"/></body></worldbody><sensor><fromto geom1="block" geom2="can" cutoff="1"/>
<normal geom1="block" geom2="can" cutoff="1"/><distance geom1="can" geom2="block" cutoff="1"/></sensor></mujoco>"""
    return {
        "fused": fused.format(**words),
        "fused_in_water": fused.format(**words | {"option": 'density="1000"'}),
        "fused_in_honey": fused.format(**words | {"option": 'viscosity="1"'}),
        "fused_shape_in_water": fused.format(
            **words | {"option": 'density="1000"', "child": 'childclass="hollow"'}
        ).replace(
            "<worldbody>",
            '<default><default class="hollow"><geom mass="0" fluidshape="ellipsoid"/></default></default><worldbody>',
        ),
        "fused_weightless": fused.format(**words | {"child": 'gravcomp="1"'}),
        "fused_both_weightless": fused.format(
            **words | {"child": 'gravcomp="1"', "parent": 'gravcomp="1"'}
        ),
        "fused_under_accelerometer": fused.format(**words | {"sensor": '<force site="inside"/>'}),
        "cap_and_edge": pair.format(pos=".12 .02 .13", turn='euler="4 40 10"'),
        "cap_and_corner": pair.format(pos=".02 .03 .14", turn='euler="50 30 10"'),
        "side_and_face": pair.format(pos=".15 .02 .03", turn='euler="3 2 10"'),
        "block_apart": pair.format(pos=".4 .2 .3", turn='euler="30 20 10"'),
        "old_rangefinder": machine(
            sensor='<rangefinder site="nose" cutoff=".5"/><rangefinder site="hook"/>'
        ),
        "contacts_without_forces": floor(
            sensor='<contact geom1="a" num="2" data="found dist pos" reduce="mindist"/>'
            '<contact geom1="a" geom2="b" data="found normal tangent" reduce="netforce"/>'
        ),
        "kinetic_energy": machine(sensor="<e_kinetic/><e_potential/>"),
        "brake_late": machine(
            option='integrator="implicitfast"',
            actuator='<damper joint="turn" kv="9" ctrlrange="0 .1" nsample="3" delay=".01"/>'
            '<damper joint="rod" kv="9" ctrlrange="0 .1"/>',
        ),
    }


def models() -> dict[str, str]:
    """Texts of all models by name, each in the dialect of release 4.0."""
    return {
        **_histories(), **_terms(), **_cameras(), **_contacts(), **_actuators(), **_springs(),
        **_frames(), **_assets(), **_sites(), **_classes(), **_flexes(),
        **_discrete(), **_found(),
    }  # fmt: skip
