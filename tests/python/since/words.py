"""Every word that releases 3.4 to 4.0 have added to the format, alone, with a value of its own.

A word is the name of an element and of one of its attributes.
"""

# ruff: noqa: E501  (the texts of models)

from __future__ import annotations

from models import SHEET, SOLID, floor, machine, soft

PID = 'joint="turn" kp="3"'
ALL_INPUTS = PID + ' input="pos vel ff"'
LAW = 'joint="turn" dyntype="none" gaintype="pid" gainprm="0" biastype="affine" biasprm="0 -3 -1" input="pos vel ff"'
RATED = 'motorconst=".05 .06" resistance=".8"'
ACTUATORS = {
    "general": 'joint="turn"',
    "motor": 'joint="turn"',
    "position": 'joint="turn" kp="3"',
    "velocity": 'joint="turn" kv="2"',
    "intvelocity": 'joint="turn" actrange="-1 1"',
    "damper": 'joint="turn" kv=".3" ctrlrange="0 1"',
    "cylinder": 'joint="turn" area=".2"',
    "muscle": 'joint="turn" lengthrange="0 1"',
    "pid": ALL_INPUTS,
    "orientation": 'joint="ball" kp="3"',
    "adhesion": 'body="arm" ctrlrange="0 1"',
    "dcmotor": f'joint="turn" {RATED}',
}
SENSORS = {
    "jointpos": 'joint="turn"',
    "framepos": 'objtype="site" objname="end"',
    "gyro": 'site="nose"',
    "tendonpos": 'tendon="cable"',
    "clock": "",
    "rangefinder": 'site="hand"',
    "e_kinetic": "",
    "distance": 'body1="swing" body2="arm" cutoff="2"',
    "contact": 'geom1="tip"',
    "subtreecom": 'body="arm"',
    "insidesite": 'site="hook" objtype="body" objname="arm"',
    "touch": 'site="hand"',
}
# what the attributes need that all of them have, and their values
HISTORY = {
    "delay": ('nsample="4"', "0.012"),
    "interp": ('nsample="4" delay=".012"', "cubic"),
    "nsample": ("", "3"),
}
# element: attribute: value, or what it needs and the value
DRIVES = {
    "general": {
        "input": ('joint="turn"', "vel"),
        "ffrange": (LAW, "-1 2"),
        "velrange": (LAW, "-2 1"),
        "inheritrange": ('joint="rod" gainprm="5" biastype="affine" biasprm="0 -5 -1"', ".5"),
    },
    "intvelocity": {"actlimited": ('joint="turn" actrange="-1 1"', "true")},
    "pid": {
        "kp": ('joint="turn"', "5"), "kv": (PID, "2"), "ki": (PID, "4"),
        "imax": (PID + ' ki="4"', ".3"), "slewmax": (PID, "2"), "posrange": (ALL_INPUTS, "-2 3"),
        "velrange": (ALL_INPUTS, "-1 2"), "ffrange": (ALL_INPUTS, "-3 1"), "input": (PID, "pos"),
        "dampratio": (PID, "1"), "inheritrange": ('joint="rod" kp="3"', ".5"),
    },
    "orientation": {
        "kp": ('joint="ball"', "4"), "kv": ('joint="ball" kp="3"', ".3"),
        "dampratio": ('joint="ball" kp="3"', "1"), "input": ('joint="ball" kp="3"', "quat"),
        "forcerange": ('joint="ball" kp="3"', "0 2"), "ctrlrange": ('joint="ball" kp="3"', "-1 2"),
    },
    "dcmotor": {
        "motorconst": ('joint="turn" resistance=".8"', ".07 .08"),
        "resistance": ('joint="turn" motorconst=".07"', "1.2"),
        "nominal": ('joint="turn"', "12 .5 100"),
        "saturation": (f'joint="turn" {RATED}', ".4 0 0"),
        "inductance": (f'joint="turn" {RATED}', ".002"),
        "cogging": (f'joint="turn" {RATED}', ".01 6 .3"),
        "thermal": (f'joint="turn" {RATED}', "2 0 10 .004 25 20"),
        "lugre": (f'joint="turn" {RATED}', "50 .2 .02 .03 .1"),
        "controller": (f'joint="turn" {RATED} input="pos vel ff"', "2 5 .1 20 .02 12"),
        "input": (f'joint="turn" {RATED}', "none"),
    },
}  # fmt: skip
READINGS = {
    "rangefinder": {"data": ('site="hand"', "dist normal depth")},
    "contact": {"noise": ('geom1="tip"', ".1"), "user": ('geom1="tip"', "1 2"),
                "data": ('geom1="tip"', "linvel angvel")},
    "insidesite": {"enclosed": ('site="hook" objtype="geom" objname="tip"', "true")},
}  # fmt: skip
# element and attribute: the place in `machine` where the attribute stands, with what, its value
PLACES = {
    "compiler conflict": ("compiler", "", "merge"),
    "compiler savecanonical": ("compiler", "", "false"),
    "compiler savecompiled": ("compiler", "", "false"),
    "compiler passthrough": ("compiler", "", "textures"),
    "joint springyield": ("hinge", 'stiffness="20"', ".02"),
    "joint stiffness": ("hinge", "", "3 2 1"),
    "joint damping": ("ball", "", ".3 .2 .1"),
    "spatial springyield": ("spatial", 'stiffness="20" springlength=".3 .5"', ".02"),
    "spatial stiffness": ("spatial", "", "3 2 1"),
    "fixed springyield": ("fixed", 'stiffness="20" springlength=".1 .2"', ".02"),
    "fixed damping": ("fixed", "", ".3 .2 .1"),
    "geom castshadow": ("geom", "", "false"),
    "geom surfacevel": ("geom", "", "1 .5 0 0 .2 2"),
    "geom adhesion": ("geom", "", "1.5"),
    "body fuse": ("body", "", "false"),
    "body simple": ("body", "", "false"),
    "body sleep": ("body", "", "never"),
    "camera output": ("camera", "", "rgb depth normal"),
    "camera projection": ("camera", "", "orthographic"),
    "light softness": ("light", "", ".7"),
    "option sleep_tolerance": ("option", "", ".01"),
    "option integrator": ("option", "", "discrete"),
    "flag sleep": ("flag", "", "enable"),
    "flag diagexact": ("flag", "", "enable"),
    "flag speculative": ("flag", "", "enable"),
    "flag ipc": ("flag", "", "disable"),
}
ELASTIC = 'young="1e4" poisson=".2"'
ROD = 'type="direct" dim="1" point="0 0 0 .1 .02 0 .19 .08 .03 .24 .17 .08" element="0 1 1 2 2 3"'
THICK = ELASTIC + ' thickness=".02" elastic2d="bend"'
SOFTS = {
    "flexcomp cellcount": soft(flex=f'{SOLID} dof="trilinear" cellcount="2 1 1"', parts=f"<elasticity {ELASTIC}/>"),
    "flexcomp dof": soft(flex=f'{SOLID} dof="quadratic"', parts=f"<elasticity {ELASTIC}/>"),
    "flexcomp mesh": soft(asset='<mesh name="m" builtin="sphere" params="1" scale=".1 .1 .1"/>', flex='type="mesh" dim="2" mesh="m"'),
    "elasticity section": soft(flex=ROD, parts=f'<elasticity {ELASTIC} section="box" sectionsize=".02 .01"/>'),
    "elasticity sectionsize": soft(flex=ROD, parts=f'<elasticity {ELASTIC} section="box" sectionsize=".03 .02"/>'),
    "elasticity shear": soft(flex=ROD, parts=f'<elasticity {ELASTIC} shear="3e3"/>'),
    "elasticity yield": soft(flex=SHEET, parts=f'<elasticity {THICK} yield=".001 .0005"/>'),
    "equality flexstrain": soft(flex=f'{SOLID} dof="trilinear" cellcount="2 1 1"', equality='<flexstrain flex="f" cell="1 0 0"/>'),
    "edge equality": soft(flex=f'{SOLID} dof="trilinear"', parts='<edge equality="strain"/>'),
}  # fmt: skip


def _elements(slot: str, table: dict[str, dict[str, tuple[str, str]]]) -> dict[str, str]:
    return {
        f"{element} {attribute}": machine(
            slide='range="-1 1" limited="true"',
            **{slot: f'<{element} {besides} {attribute}="{value}"/>'},
        )
        for element, attributes in table.items()
        for attribute, (besides, value) in attributes.items()
    }


def _with_history(kinds: dict[str, str], more: dict[str, tuple[str, str]]) -> dict:
    return {
        element: {
            attribute: (f"{target} {besides}", value)
            for attribute, (besides, value) in more.items()
        }
        for element, target in kinds.items()
    }


def _elsewhere() -> dict[str, str]:
    hook = '<site name="hook"'
    block = '<frame pos="3 0 0" {}><body><joint axis="0 1 0"/><geom type="box" size=".1 .2 .3"/></body></frame>'
    found = {
        f"frame {attribute}": machine().replace(hook, block.format(words) + hook)
        for attribute, words in {
            "scale": 'scale="2"',
            "massscale": 'scale="2" massscale="3"',
            "scaling": 'scale="2" scaling="geometry"',
        }.items()
    }
    mesh = '<mesh name="m" builtin="sphere" params="1" scale=".1 .1 .1"/>'
    wrist = '<site name="wrist"'
    texture = '<texture name="t" {} width="8" height="8"/>'
    kept = texture.format('builtin="flat"')
    classes = '<default class="c"><texture type="2d" builtin="flat"/></default>'
    return found | {
        "pair adhesion": floor(contact='<pair geom1="floor" geom2="a" adhesion="4"/>'),
        "rangefinder camera": machine(
            sensor='<rangefinder camera="eye"/>', camera='resolution="3 2"'
        ),
        "site mesh": machine(asset=mesh).replace(wrist, '<site type="mesh" mesh="m" name="wrist"'),
        "texture class": machine(default=classes, asset=texture.format('class="c"')),
        "texture embed": machine(asset=kept.replace("/>", ' embed="true"/>')),
        "tendon armature": machine(default='<tendon armature=".1"/>'),
        "tendon actuatorfrcrange": machine(default='<tendon actuatorfrcrange="-1 1"/>'),
        "tendon actuatorfrclimited": machine(
            default='<tendon actuatorfrclimited="true" actuatorfrcrange="-1 1"/>'
        ),
        "tendon springyield": machine(default='<tendon stiffness="9" springyield=".02"/>'),
        "key plastic": machine(
            hinge='stiffness="9" springyield="1"', key='<key plastic=".2" time="1"/>'
        ),
        "attach frame": machine().replace(
            hook, '<frame name="own"><geom size=".1" pos="5 0 0"/></frame>' + hook
        ).replace("</worldbody>", '<frame pos="0 3 0"><attach frame="own" prefix="copy_"/></frame></worldbody>'),
    }  # fmt: skip


def words() -> dict[str, str]:
    """Return a model for each word."""
    reflected = {"damping": ("", ".1 .2 .3"), "armature": ("", ".03")}
    plain = {k: v for k, v in ACTUATORS.items() if k not in ("orientation", "adhesion")}
    measured = {**HISTORY, "interval": ('nsample="3"', ".02 -.01")}
    return {
        **{
            word: machine(**{slot: f'{besides} {word.split()[1]}="{value}"'})
            for word, (slot, besides, value) in PLACES.items()
        },
        **_elements("actuator", _with_history(ACTUATORS, HISTORY)),
        **_elements("actuator", _with_history(plain, reflected)),
        **_elements("actuator", DRIVES),
        **_elements("sensor", _with_history(SENSORS, measured)),
        **_elements("sensor", READINGS),
        **SOFTS,
        **_elsewhere(),
    }
