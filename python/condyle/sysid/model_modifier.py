"""Writing parameters into an ``MjSpec``: gains of servos, inertias of bodies.

A rigid body's mass m, centre c and inertia I_o about the origin of its frame fill a matrix

    P = [Sigma  h]      Sigma = tr(I_o)/2 E - I_o,  h = m c
        [h'     m]

which is positive definite for every distribution of mass (Wensing, Kim, Slotine 2018). So any upper
triangular U with positive diagonal gives a possible body P = U U', and ten numbers without bounds
describe them all (Rucker and Wensing 2022):

    U = e^alpha [e^d1  s12   s13   t1]      theta = (alpha, d1, d2, d3, s12, s23, s13, t1, t2, t3)
                [0     e^d2  s23   t2]
                [0     0     e^d3  t3]      m = e^(2 alpha),  c = t
                [0     0     0     1 ]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

import condyle
from condyle.sysid.parameter import InertiaType, ModifierFn, Parameter, ParameterDict

__all__ = [
    "apply_body_inertia",
    "apply_dgain",
    "apply_param_modifiers",
    "apply_param_modifiers_spec",
    "apply_pdgain",
    "apply_pgain",
    "body_inertia_param",
    "inertia_from_pseudo",
    "pseudo_from_inertia",
    "remove_visuals",
]

Array: TypeAlias = NDArray[np.float64]

# ranges of parameters of inertias around their nominal values
_MASS_RANGE = (0.1, 10.0)
_IPOS_RANGE = (-0.5, 0.5)
_STRETCH_RANGE = (0.5, 2.0)
_SHEAR_RANGE = (-0.5, 0.5)


def apply_param_modifiers_spec(params: ParameterDict, spec: condyle.MjSpec) -> condyle.MjSpec:
    """Write all parameters that are not frozen into a spec, in order, and return it."""
    for param in params.free():
        param.apply_modifier(spec)
    return spec


def apply_param_modifiers(params: ParameterDict, spec: condyle.MjSpec) -> condyle.MjModel:
    """Write all parameters that are not frozen into a spec, and compile it."""
    return apply_param_modifiers_spec(params, spec).compile()


# servos


def apply_pgain(spec: condyle.MjSpec, actuator_name: str, value: ArrayLike) -> condyle.MjSpec:
    """Set the stiffness of a position servo; returns the spec."""
    _set_gains(_servo(spec, actuator_name), _one("value", value), None)
    return spec


def apply_dgain(spec: condyle.MjSpec, actuator_name: str, value: ArrayLike) -> condyle.MjSpec:
    """Set the damping of a position servo; returns the spec."""
    _set_gains(_servo(spec, actuator_name), None, _one("value", value))
    return spec


def apply_pdgain(spec: condyle.MjSpec, actuator_name: str, value: ArrayLike) -> condyle.MjSpec:
    """Set stiffness and damping, two numbers, of a position servo; returns the spec."""
    gains = np.ravel(value)
    if gains.size != 2:
        raise ValueError(f"pdgain must be a 2-element array, got {gains.size}.")
    _set_gains(_servo(spec, actuator_name), float(gains[0]), float(gains[1]))
    return spec


def _servo(spec: condyle.MjSpec, name: str) -> Any:
    actuator = spec.actuator(name)
    if actuator is None:
        raise ValueError(f"Actuator {name!r} not found in spec.")
    is_servo = (
        actuator.gaintype == condyle.mjtGain.mjGAIN_FIXED
        and actuator.biastype == condyle.mjtBias.mjBIAS_AFFINE
        and actuator.dyntype in (condyle.mjtDyn.mjDYN_NONE, condyle.mjtDyn.mjDYN_FILTEREXACT)
        and actuator.gainprm[0] == -actuator.biasprm[1]
    )
    if not is_servo:
        raise ValueError(f"Actuator {name} is not a position actuator.")
    return actuator


def _set_gains(actuator: Any, p: float | None, d: float | None) -> None:
    if p is not None:
        actuator.gainprm[0] = p
        actuator.biasprm[1] = -p
    if d is not None:
        actuator.biasprm[2] = -d


def _one(name: str, value: ArrayLike) -> float:
    array = np.ravel(value)
    if array.size != 1:
        raise ValueError(f"{name} must be one number, got {array.size}")
    return float(array[0])


# inertia of bodies


def pseudo_from_inertia(mass: float, centre: ArrayLike, inertia: ArrayLike) -> Array:
    """Return theta (10,) of a body; its inertia (3, 3) is about its centre of mass."""
    c = np.asarray(centre, dtype=np.float64)
    about_origin = np.asarray(inertia) + mass * (c @ c * np.eye(3) - np.outer(c, c))
    P = np.empty((4, 4))
    P[:3, :3] = np.trace(about_origin) / 2 * np.eye(3) - about_origin
    P[:3, 3] = P[3, :3] = mass * c
    P[3, 3] = mass
    # the upper factor is the lower one of the matrix read backwards
    U = np.linalg.cholesky(P[::-1, ::-1])[::-1, ::-1]
    scale = U[3, 3]
    U = U / scale
    diagonal = np.log(np.diag(U)[:3])
    return np.array([np.log(scale), *diagonal, U[0, 1], U[1, 2], U[0, 2], *U[:3, 3]])


def inertia_from_pseudo(theta: ArrayLike) -> tuple[float, Array, Array]:
    """Return mass, centre of mass (3,) and the inertia about it (3, 3) for theta (10,)."""
    alpha, d1, d2, d3, s12, s23, s13, t1, t2, t3 = np.ravel(theta)
    e1, e2, e3 = np.exp([d1, d2, d3])
    U = np.exp(alpha) * np.array(
        [[e1, s12, s13, t1], [0, e2, s23, t2], [0, 0, e3, t3], [0, 0, 0, 1]]
    )
    P = U @ U.T
    mass, c = float(P[3, 3]), np.array([t1, t2, t3])
    about_origin = np.trace(P[:3, :3]) * np.eye(3) - P[:3, :3]
    return mass, c, about_origin - mass * (c @ c * np.eye(3) - np.outer(c, c))


def body_inertia_param(
    spec: condyle.MjSpec,
    model: condyle.MjModel,
    body_name: str,
    inertia_type: InertiaType = InertiaType.MassIpos,
    scale_rot_inertia: bool = False,
    mass_bound_mult: ArrayLike | None = None,
    ipos_bound_off: ArrayLike | None = None,
    stretch_bound_mult: ArrayLike | None = None,
    shear_bound_off: ArrayLike | None = None,
    param_name: str | None = None,
    modifier: ModifierFn | None = None,
) -> Parameter:
    """Return a parameter for the inertia of a body, with the values of a compiled model.

    Parameters
    ----------
    spec, model
        The spec that has the body, and its model.
    body_name
        Name of the body.
    inertia_type
        Mass: m. MassIpos: m and the centre of mass in the frame of the body. Pseudo: theta (10,),
        see above; every value is a possible body.
    scale_rot_inertia
        Moments of inertia follow the mass (not for Pseudo, which has its own).
    mass_bound_mult
        Bounds of m in parts of its value, (0.1, 10) if None.
    ipos_bound_off
        Bounds of the centre less its value, (-0.5, 0.5).
    stretch_bound_mult
        Bounds of e^d in parts of its squared value, (0.5, 2).
    shear_bound_off
        Bounds of s less its value, (-0.5, 0.5).
    param_name
        Name of the parameter, that of the body with ``_inertia`` if None.
    modifier
        In place of ``apply_body_inertia``.
    """
    if spec.body(body_name) is None:
        raise ValueError(f"Body {body_name!r} not found in spec.")
    inertia_type = InertiaType(inertia_type)
    body = model.body(body_name)
    mass, centre = float(body.mass[0]), np.array(body.ipos)
    times = np.array(_MASS_RANGE if mass_bound_mult is None else mass_bound_mult, dtype=np.float64)
    off = np.array(_IPOS_RANGE if ipos_bound_off is None else ipos_bound_off, dtype=np.float64)
    if inertia_type is InertiaType.Pseudo:
        stretch = _STRETCH_RANGE if stretch_bound_mult is None else stretch_bound_mult
        shear = _SHEAR_RANGE if shear_bound_off is None else shear_bound_off
        turn = np.empty(9)
        condyle.mju_quat2Mat(turn, body.iquat)
        axes = turn.reshape(3, 3)
        nominal = pseudo_from_inertia(mass, centre, axes @ np.diag(body.inertia) @ axes.T)
        widths = np.concatenate(
            [
                [np.log(times) / 2],
                [np.log(np.asarray(stretch, dtype=np.float64)) / 2] * 3,
                [np.asarray(shear, dtype=np.float64)] * 3,
                [off] * 3,
            ]
        )
        low, high = nominal + widths[:, 0], nominal + widths[:, 1]
    elif inertia_type is InertiaType.Mass:
        nominal, low, high = np.array([mass]), mass * times[:1], mass * times[1:]
    else:
        nominal = np.array([mass, *centre])
        low, high = (np.array([mass * times[i], *(centre + off[i])]) for i in range(2))

    def write(spec: condyle.MjSpec, param: Parameter) -> None:
        apply_body_inertia(spec, body_name, param)

    param = Parameter(
        f"{body_name}_inertia" if param_name is None else param_name,
        nominal,
        low,
        high,
        modifier=write if modifier is None else modifier,
    )
    param.inertia_type = inertia_type
    if inertia_type is not InertiaType.Pseudo:
        param.scale_rot_inertia = bool(scale_rot_inertia)
    return param


def apply_body_inertia(spec: condyle.MjSpec, name: str, param: Parameter) -> None:
    """Write a parameter of ``body_inertia_param`` into a body, whose inertia becomes explicit.

    With ``scale_rot_inertia`` moments grow with the mass from what the body has at the moment, so
    writing twice is as good as once.
    """
    inertia_type = getattr(param, "inertia_type", None)
    if inertia_type is None:
        raise ValueError(f"Parameter {param.name!r} has no inertia_type: see body_inertia_param")
    body = spec.body(name)
    if body is None:
        raise ValueError(f"Body {name!r} not found in spec.")
    value = param.as_vector()
    _make_explicit(spec, body, name)
    if inertia_type is InertiaType.Pseudo:
        mass, centre, inertia = inertia_from_pseudo(value)
        body.mass = mass
        body.ipos = centre
        body.iquat = [1, 0, 0, 0]
        body.inertia = [0, 0, 0]
        body.fullinertia = inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        return
    if getattr(param, "scale_rot_inertia", False):
        body.inertia = np.array(body.inertia) * (value[0] / body.mass)
    body.mass = value[0]
    if inertia_type is InertiaType.MassIpos:
        body.ipos = value[1:]


def _make_explicit(spec: condyle.MjSpec, body: Any, name: str) -> None:
    """Write the inertia that the compiler finds for a body into it, by principal axes."""
    # 2: from geoms where there is nothing explicit
    spec.compiler.inertiafromgeom = 2
    if body.explicitinertial and not np.isfinite(np.asarray(body.fullinertia)).all():
        return
    found = spec.compile().body(name)
    body.explicitinertial = True
    body.fullinertia = np.full(6, np.nan)
    body.mass = float(found.mass[0])
    body.ipos = found.ipos
    body.iquat = found.iquat
    body.inertia = found.inertia


# visuals


def remove_visuals(in_spec: condyle.MjSpec) -> condyle.MjSpec:
    """Return a copy, compiled, without geoms that collide with nothing, their meshes and colours.

    Inertias stay what they were: those of bodies that had such geoms become explicit.
    """
    spec = in_spec.copy()
    model = spec.compile()
    seen: set[str] = set()
    kept: set[str] = set()
    for body in spec.bodies:
        geoms = list(body.geoms)
        hidden = [geom for geom in geoms if not (geom.contype or geom.conaffinity)]
        kept |= {geom.meshname for geom in geoms if geom.contype or geom.conaffinity}
        if hidden and body.id > 0 and model.body_mass[body.id] > 0:
            _keep_inertia(spec, body, model)
        for geom in hidden:
            seen.add(geom.meshname)
            _delete(spec, geom)
    for mesh in [mesh for mesh in spec.meshes if mesh.name in seen - kept]:
        _delete(spec, mesh)
    for geom in spec.geoms:
        geom.material = ""
    for site in spec.sites:
        site.material = ""
    unused: Sequence[Any] = [*spec.materials, *spec.textures]
    for asset in unused:
        _delete(spec, asset)
    spec.compile()
    return spec


def _keep_inertia(spec: condyle.MjSpec, body: Any, model: condyle.MjModel) -> None:
    if not body.explicitinertial:
        body.explicitinertial = True
        body.fullinertia = np.full(6, np.nan)
        body.mass = float(model.body_mass[body.id])
        body.ipos = model.body_ipos[body.id]
        body.iquat = model.body_iquat[body.id]
        body.inertia = model.body_inertia[body.id]


def _delete(spec: condyle.MjSpec, element: Any) -> None:
    spec.delete(element)
