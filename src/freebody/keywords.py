"""Calls with arguments that a function does not have: errors that name the function, the argument, and the nearest of
those that it has. Other names that are usual in this field lead to the names here."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, wraps
from inspect import Parameter, isfunction, signature
from typing import Any, ParamSpec, TypeVar

from freebody.errors import ArgumentError, nearest, renamed

P = ParamSpec("P")
R = TypeVar("R")
AClass = TypeVar("AClass", bound=type)

MOST = 24
"""Names that an error lists."""

MEANINGS = {
    "end": "until t_end tend tf t_f tfinal t_final tspan t_span tmax t_max t_eval duration stop stop_time "
    "final_time time times t till",
    "step": "dt h timestep time_step step_size stepsize hmax",
    "max_step": "dt hmax dtmax",
    "first_step": "h0 dt0 hinit initial_step",
    "rtol": "tol tolerance tolerances eps accuracy reltol rel_tol",
    "atol": "tol tolerance tolerances abstol abs_tol",
    "q": "x0 y0 x y state0 state ic ics initial_conditions initial_state init initial q0 qpos positions coordinates",
    "u": "x0 y0 x y state0 state ic ics initial_conditions initial_state u0 v0 qd qd0 qdot dq qvel v velocity "
    "velocities speeds",
    "z": "x0 y0 state0 ic ics initial_conditions z0 extra_states height size",
    "u_dot": "qdd ddq acceleration accelerations a vdot",
    "method": "solver integrator scheme algorithm",
    "formulation": "method formalism solver algorithm",
    "solver": "method linear_solver",
    "parameters": "params param p args constants pars values",
    "inputs": "controls control forces torques actuation specified specifieds ctrl tau u_in",
    "tau": "torque torques forces control inputs ctrl",
    "torque": "tau moment",
    "force": "f",
    "damping": "dampening damper dashpot viscous damping_coefficient c d b",
    "stiffness": "k spring spring_constant spring_stiffness",
    "free_length": "l0 rest_length natural_length unstretched_length length0 rest",
    "rest": "rest_angle springref equilibrium neutral free_length",
    "friction": "frictionloss coulomb mu",
    "armature": "rotor_inertia reflected_inertia",
    "limits": "limit range bounds lower upper stops",
    "initial": "init initial_angle initial_value angle0 start ref q0 q x0",
    "start": "init initial restart",
    "on": "parent base attached_to child_of inboard to body link at",
    "to": "parent other on",
    "body": "link of on joint",
    "at": "pos position origin xyz where location offset point r on body link q u state x0 operating_point",
    "orient": "rpy rotation orientation quat euler rot rotate R dcm",
    "rpy": "orient rotation orientation quat euler rot",
    "xyz": "components at values",
    "com": "cog cg cm center_of_mass centre_of_mass mass_center masscenter center centre",
    "centre": "center",
    "inertia": "i j moi moments inertia_tensor tensor inertia_matrix",
    "mass": "m weight",
    "m": "mass",
    "shape": "visual geometry mesh geom shapes",
    "joint": "jointtype joint_type type kind",
    "axis": "direction normal dir axes vector",
    "normal": "axis direction",
    "direction": "axis normal",
    "radius": "r rad diameter width size",
    "length": "l h height len size",
    "height": "h length",
    "x": "width size length",
    "y": "depth size",
    "color": "colour rgba",
    "opacity": "alpha rgba",
    "name": "title label id key",
    "value": "default val number amount expr expression func formula torque force",
    "unit": "units",
    "law": "expr expression function func f formula equation",
    "rate": "expr expression derivative dot equation",
    "function": "func f law",
    "when": "condition trigger expr function",
    "reset": "action affect callback",
    "terminal": "stop final halt",
    "density": "rho mass_density mass_per_length linear_density",
    "EA": "e young modulus",
    "EI": "e young modulus",
    "GJ": "g",
    "young": "e youngs_modulus modulus",
    "poisson": "nu",
    "path": "file filename fname filepath",
    "file": "path filename",
    "floating": "free_base floating_base root_joint fixed",
    "ratio": "gear_ratio n factor",
    "radii": "teeth module tooth_numbers diameters radius",
    "pitch": "lead",
    "over": "values grid parameters",
    "outputs": "output y",
    "speed": "coordinate component dof direction axis",
    "reaction": "reaction_on other",
}  # fmt: skip
"""Names of arguments, each with other names of the same meaning in other programs and textbooks."""


class KeywordError(ArgumentError, TypeError):
    """A call with arguments that the function does not have, or without ones that it needs."""


def unknown_argument(context: str, name: str, known: Iterable[str]) -> KeywordError:
    """The error for an argument that a function does not have; ``known`` are those that it has."""
    names = [*dict.fromkeys(known)]
    return KeywordError(f"{context}() has no argument '{name[:60]}'. {hint(name, names)}")


def hint(name: str, known: Sequence[str]) -> str:
    """A sentence with the names among the known ones that may be meant, or all of them."""
    if now := renamed(name, known):
        return now
    if near := near_names(name, known):
        return f"Did you mean {' or '.join(near)}?"
    shown = ", ".join(known[:MOST]) + (", …" if len(known) > MOST else "")
    return f"Its arguments: {shown}." if known else "It takes none."


def near_names(name: str, known: Sequence[str]) -> list[str]:
    """The known names with this meaning, or else those that are spelled alike; at most three."""
    usual = [other for other in known if name.lower() in MEANINGS.get(other, "").split()]
    return (usual or ([] if len(name) == 1 else nearest(name, known)))[:3]


def misfit(
    context: str,
    function: Callable[..., Any],
    values: Sequence[Any],
    named: Mapping[str, Any],
    more: Iterable[str] = (),
) -> KeywordError | None:
    """The error for a call that does not fit the signature of a function; None if it fits. ``more`` are arguments that
    the function passes on."""
    form = signature(function)
    try:
        form.bind(*values, **named)
        return None
    except TypeError as error:
        parameters = [p for k, p in enumerate(form.parameters.values()) if k or p.name not in ("self", "cls")]
        reason = str(error)
    own = [p for p in parameters if p.kind not in (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL)]
    known = [*dict.fromkeys([*(p.name for p in own), *more])]
    closed = all(p.kind is not Parameter.VAR_KEYWORD for p in parameters)
    for name in named:
        if name not in known and (closed or more or near_names(name, known)):
            return unknown_argument(context, name, known)
    by_place = [p for p in form.parameters.values() if p.kind not in (Parameter.KEYWORD_ONLY, Parameter.VAR_KEYWORD)]
    needed = [p.name for p in own if p.default is Parameter.empty]
    by_name = [f"{name}=…" for name in known if name not in needed][:2] if len(values) > len(by_place) else []
    shown = ", ".join([*needed, *by_name, *(["…"] if len(known) > len(needed) else [])])
    return KeywordError(f"{context}(): {reason[0].lower()}{reason[1:]}; write {context}({shown})")


def keyword_hints(function: Callable[P, R]) -> Callable[P, R]:
    """The function, with errors that name the arguments that may be meant where a call does not fit it."""
    return hinted(function, function.__name__)


def hinted(function: Callable[P, R], name: str = "", more: Callable[[], Iterable[str]] = tuple) -> Callable[P, R]:
    """The same for a function that errors call ``name``, by default by the class of its first argument, as that of a
    constructor; ``more`` returns the arguments that it passes on."""

    @wraps(function)
    def call(*values: P.args, **named: P.kwargs) -> R:
        try:
            return function(*values, **named)
        except TypeError as error:
            if isinstance(error, KeywordError):
                raise
            wrong = misfit(name or type(values[0]).__name__, function, values, named, more())
            if wrong is None:
                raise
        raise wrong

    return call


def _names_of(method: Callable[..., Any]) -> list[str]:
    """The names of the arguments of a method."""
    every = [*signature(method).parameters.values()][1:]
    return [p.name for p in every if p.kind not in (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL)]


def hint_keywords(cls: AClass) -> AClass:
    """The class, with such errors of its constructor and of its public methods."""
    return hint_keywords_of(cls)(cls)


def hint_keywords_of(target: type) -> Callable[[AClass], AClass]:
    """The same for a class whose methods pass arguments on to the methods of ``target`` that have the same names."""

    def decorate(cls: AClass) -> AClass:
        for name, method in list(vars(cls).items()):
            inner = method.__func__ if isinstance(method, classmethod) else method
            if not isfunction(inner) or hasattr(inner, "__wrapped__") or (name.startswith("_") and name != "__init__"):
                continue
            passes_on = target is not cls and name != "__init__" and hasattr(target, name)
            more = partial(_names_of, getattr(target, name)) if passes_on else tuple
            new = hinted(inner, "" if name == "__init__" else name, more)
            setattr(cls, name, classmethod(new) if isinstance(method, classmethod) else new)
        return cls

    return decorate
