"""Wrong descriptions of flexible bodies, each through Python and through a model file: errors name the place."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import yaml

import freebody as fb
from freebody.errors import FreebodyError, ModelError, SimulationWarning
from freebody.io import loads

BEAM: dict[str, Any] = {"type": "beam", "length": 1.0, "EI": (1.0, None), "density": 1.0}
PLACES = [[1, 0, 0], [2, 0, 0]]
CHAIN = np.kron([[20.0, -10.0], [-10.0, 10.0]], np.eye(3)).tolist()
LOOSE = np.kron([[10.0, -10.0], [-10.0, 10.0]], np.eye(3)).tolist()
NODES: dict[str, Any] = {"type": "nodes", "positions": PLACES, "masses": [1.0, 2.0], "stiffness": CHAIN}
LIFT = [[[0, 0], [1, x], [0, 0]] for x in (0, 0, 1)]  # mode 1 moves all nodes, mode 2 the last one
TWICE = [[[0, 0], [1, 2], [0, 0]], [[0, 0], [0, 0], [0, 0]]]
SHAPES: dict[str, Any] = {"type": "nodes", "positions": PLACES, "masses": [1.0, 2.0]}
THREE = {**SHAPES, "positions": [*PLACES, [3, 0, 0]], "masses": [1.0, 2.0, 1.0]}

TUBE = {"EA": 1e4, "EI": 1.0, "GJ": 1.0, "density": 1.0, "polar_inertia": 0.01}
BAR = {"EA": 1e4, "density": 1.0}
FRAME: dict[str, Any] = {
    "type": "frame", "nodes": {"a": [0, 0, 0], "b": [0, 0, 1], "c": [1, 0, 1]}, "sections": {"tube": TUBE},
    "members": [["a", "b"], ["b", "c"]],
}  # fmt: skip


def frame(modes: Any = 2, **changes: Any) -> dict[str, Any]:
    """A frame with other fields."""
    return {"flexible": {**FRAME, **changes}, "modes": modes}


def member(**changes: Any) -> dict[str, Any]:
    """A frame whose second member has other fields."""
    return frame(members=[["a", "b"], {"nodes": ["b", "c"], **changes}])


FRAMES: dict[str, tuple[dict[str, Any], str]] = {
    "unknown node of a member": (member(nodes=["b", "top"]), r"members\[1\].nodes: there is no node 'top'"),
    "member of one node": (member(nodes=["b"]), r"members\[1\].nodes: a member connects at least two nodes, not 1"),
    "member without length": (
        frame(nodes={**FRAME["nodes"], "c": [0, 0, 1]}), r"members\[1\].*: its length from 'b' to 'c' is 0"
    ),
    "pieces": (frame(members=[["a", "b"]]), "flexible.members: no members connect 'c' with 'a'; a frame is one piece"),
    "no members": (frame(members=[]), "flexible.members: a frame needs members"),
    "mechanism": (member(hinges="start"), "members: the frame is a mechanism: node 'c' moves without any force while"),
    "truss on one foot": (
        frame(sections={"bar": BAR}, members=[["a", "b", "c", "a"]]), "the frame is a mechanism: node '.' moves"
    ),
    "no torsional stiffness": (
        frame(sections={"tube": {**BAR, "EI": 1.0}}), "flexible.sections.tube.*: a beam twists too, where members meet"
    ),
    "bar with torsion": (frame(sections={"bar": {**BAR, "GJ": 1.0}}), "sections.bar.GJ: a section without EI is that"),
    "negative stiffness": (frame(sections={"tube": {**TUBE, "EA": -1.0}}), "sections.tube.EA: -1 is not positive"),
    "unknown section": (member(section="tub"), r"members\[1\].section: there is no section 'tub'. Did you mean tube"),
    "section not named": (frame(sections={"tube": TUBE, "bar": BAR}), r"members\[0\]: the name of its section is miss"),
    "hinged bar": (
        frame(sections={"tube": TUBE, "bar": BAR}, members=[{"nodes": ["a", "b"], "section": "tube"}, {
            "nodes": ["b", "c"], "section": "bar", "hinges": "end"}]), r"members\[1\].hinges: a bar is hinged at both"
    ),
    "section along up": (member(up=[2, 0, 0]), r"members\[1\].up: up is parallel to the member"),
    "no elements": (member(elements=0), r"members\[1\].elements: 0 elements: give a number from 1"),
    "frame not a node": (frame(frame="root"), "flexible.frame: there is no node 'root'. Choose from a, b, c"),
    "mass not at a node": (frame(masses={"d": 1.0}), "flexible.masses: there is no node 'd'"),
    "static node of the frame": (frame(static="a"), "flexible.static: 'a' is fixed in the body's frame"),
    "load at a hidden node": (frame(interfaces="c", loads={"b": [1, 0, 0]}), "flexible.loads.b: there is no node 'b'"),
    "frame without inertia": (
        frame(nodes={"a": [0, 0, 0], "b": [1, 0, 0]}, members=[["a", "b"]],
              sections={"tube": {**TUBE, "polar_inertia": 0}}),
        "flexible.sections: the frame is straight and has no inertia about its axis: give polar_inertia"
    ),
    "modes of a frame by kind": (frame(modes={"axial": 2}), "modes: kinds of modes such as 'axial' are known for b"),
    "modes of a frame": (frame(modes=None), "modes: a frame needs the number of its modes, such as modes=6"),
    "too much effective mass": (frame(modes={"effective mass": 1.5}), "effective mass is a part of the mass, below"),
    "frame without mass": (
        frame(sections={"tube": {"EA": 1e6, "EI": 1, "GJ": 1, "density": 0}}), "sections: the frame has no mass"
    ),
    "two limits": (frame(modes={"effective mass": 0.5, "frequency": 1}), "leave out the other keys"),
    "limit of a beam": ({"flexible": BEAM, "modes": {"frequency": 9.0}}, "no modes of the kind 'frequency'"),
    "frame that buckles": (frame(loads={"c": [0, 0, -100]}), "flexible.loads: the body buckles under these loads"),
}  # fmt: skip

WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "rigid-body mode": (
        {"flexible": {**THREE, "shapes": LIFT, "modal_stiffness": [[1e-12, 0], [0, 1.0]]}},
        "flexible.modal_stiffness: the whole body moves without deformation in mode 1",
    ),
    "stiffness without support": (
        {"flexible": {**NODES, "stiffness": LOOSE}, "modes": 2},
        r"flexible.stiffness: the whole body can move without deformation \(along x, along y, along z\)",
    ),
    "dependent modes": (
        {"flexible": {**SHAPES, "shapes": TWICE, "modal_stiffness": [[1, 0], [0, 1]]}},
        "flexible.shapes: mode 1, mode 2 are linearly dependent; leave one of them out",
    ),
    "indefinite stiffness": (
        {"flexible": {**NODES, "stiffness": (np.array(CHAIN) - 100 * np.eye(6)).tolist()}, "modes": 2},
        "flexible.stiffness: the stiffness matrix is indefinite",
    ),
    "massless nodes": (
        {"flexible": {**NODES, "masses": [0.0, 0.0]}, "modes": 2}, "modes: only 0 modes of the nodes move a mass, not 2"
    ),
    "massless nodal coordinate": (
        {"flexible": {**NODES, "masses": [1.0, 0.0], "coordinates": "nodal"}},
        "flexible.masses: nodal coordinates need a mass .* without are: 2 along x, 2 along y, 2 along z",
    ),
    "no number of modes": ({"flexible": BEAM}, "modes: a beam needs the number of its modes, such as modes=4"),
    "negative": ({"flexible": BEAM, "modes": -1}, "modes: the number of modes must be an integer that is not negative"),
    "too many of a beam": ({"flexible": BEAM, "modes": 101}, "modes: the number of modes is 101, more than 100"),
    "too many of nodes": ({"flexible": NODES, "modes": 7}, "modes: only 6 modes of the nodes move a mass, not 7"),
    "half a mode": ({"flexible": BEAM, "modes": 2.5}, "modes: an integer is needed, not the number 2.5"),
    "unknown kind": ({"flexible": BEAM, "modes": {"bending x": 1}}, "no modes of the kind 'bending x'. Did you mean"),
    "kind without stiffness": ({"flexible": BEAM, "modes": {"axial": 1}}, "flexible.*: axial modes need EA"),
    "modes of a rigid body": ({"mass": 1.0, "modes": 2}, "modes: a rigid body has no modes"),
    "order of a rigid body": ({"mass": 1.0, "order": "ruthless"}, "order: a rigid body has no modes"),
    "unknown order": ({"flexible": BEAM, "modes": 2, "order": "linear"}, "order: one of 'full', 'ruthless' or 'paper'"),
    "negative damping": ({"flexible": {**BEAM, "damping": -0.1}, "modes": 1}, "flexible.damping: a damping ratio of"),
    "damping of other modes": ({"flexible": {**BEAM, "damping": [0.1, 0.2]}, "modes": 3}, "3 modes and 2 damping rat"),
    "parameter in a beam": ({"flexible": {**BEAM, "EI": "stiff"}, "modes": 1}, "flexible.EI.*: a number is needed"),
    "unknown node of a load": ({"flexible": {**BEAM, "loads": {"end": [1, 0, 0]}}, "modes": 1}, "no node .end."),
    "motion of a mode": (
        {"flexible": BEAM, "modes": 1, "joint": {"type": "revolute", "motion": ["t", "t"]}},
        "joint.motion: there are 2 motions, and the revolute joint has 1 coordinates; those of modes cannot be",
    ),
    **FRAMES,
}  # fmt: skip


def described(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a body in a file as arguments in Python."""
    classes: dict[str, Any] = {
        "beam": fb.Beam,
        "frame": fb.SpaceFrame,
        "nodes": fb.FlexibleNodes,
        "revolute": fb.Revolute,
    }
    out = dict(fields)
    for key in ("flexible", "joint"):
        if key in out:
            out[key] = classes[out[key]["type"]](**{k: v for k, v in out[key].items() if k != "type"})
    return out


@pytest.mark.parametrize("case", WRONG)
def test_wrong_descriptions_in_python_and_in_files(case: str) -> None:
    """Where an element is created, or else where its body is defined."""
    fields, text = WRONG[case]
    s = fb.System("wrong")
    stiff = s.parameter("stiff", 1.0)
    written = {"motion of a mode": "motion: .* needs as many motions"}.get(case, text.removeprefix("flexible."))
    with pytest.raises(ModelError, match=rf"((bodies\.boom|Beam|Frame).*{text}|(Beam|Frame|Revolute)\.{written})"):
        if case == "parameter in a beam":
            s.body("boom", flexible=fb.Beam(length=1.0, EI=(stiff, None), density=1.0))
        s.body("boom", **described(fields))
    s.body("boom", mass=1.0)  # nothing is left of the wrong one
    file = {"freebody": 3, "parameters": {"stiff": 1.0}, "bodies": {"boom": fields}}
    with pytest.raises(FreebodyError, match=f"bodies.boom.*{text}"):
        loads(yaml.safe_dump(file, sort_keys=False), fb.System)


def test_modes_and_nodes_that_are_misused() -> None:
    s, other = fb.System("one"), fb.System("other")
    beam = fb.Beam(length=1.0, EI=(1.0, None), density=1.0)
    arm = s.body("arm", joint=fb.Revolute("z"), mass=1.0, inertia=(1, 1, 1))
    boom = s.body("boom", on=arm, joint=fb.Revolute("z"), flexible=beam, modes=2)
    foreign = other.body("boom", flexible=beam, modes=2)
    up = s.ground.vector((0, 0, 1))
    nothing: Any = fb.Beam
    unknown = r"'boom' has no node 'middle'\. Choose from root, tip"
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: s.body("x", flexible=nothing, modes=2), r"bodies.x.flexible: Beam is the class of a flexible body"),
        (lambda: s.body("x", on="boom.middle", mass=1.0), f"bodies.x.on: {unknown}"),
        (lambda: s.force(up, at="boom.middle"), f"loads.force1.force.at.*{unknown}"),
        (lambda: s.position("boom.middle"), unknown),
        (lambda: boom.node("middle"), "'boom' has no node of this name; its nodes: root, tip"),
        (lambda: arm.node("tip"), "'arm' has no nodes"),
        (lambda: s.body("x", on=foreign.node("tip"), mass=1.0), "<body boom.tip> belongs to another system"),
        (lambda: s.force(up, at=foreign.node("tip")), "<body boom.tip> belongs to another system"),
        (lambda: s.couple("arm", "boom"), "'boom' is flexible, and joints of flexible bodies cannot be coupled"),
        (lambda: s.couple("boom", "arm"), "'boom' is flexible, and joints of flexible bodies cannot be coupled"),
        (lambda: s.couple("boom.m1", "arm"), "'boom.m1' is not a body of this system"),
        (lambda: fb.layout(s, "pinocchio"), "joint of 'boom': its coordinates are the body's own"),
    ]
    for call, text in cases:
        with pytest.raises(ModelError, match=text):
            call()
    assert s.gear("boom", "arm", 2.0) is not None  # a constraint of the joint's coordinate
    run = s.simulate(0.2, u={"arm": 0.1})
    assert np.max(np.abs(run["q.boom"] - 2 * run["q.arm"])) < 1e-9


def test_a_beam_without_modes_is_rigid() -> None:
    s, rigid = fb.System("none"), fb.System("rigid")
    boom = s.body("boom", joint=fb.Revolute("y"), flexible=fb.Beam(length=1.0, EI=(1.0, None), density=3.0), modes=0)
    rigid.body("boom", joint=fb.Revolute("y"), mass=3.0, com=(0.5, 0, 0), inertia=fb.rod(3.0, 1.0, "x"))
    assert len(boom.modes) == 0 and repr(boom.modes).startswith("mode  kind")
    ends = [one.simulate(1.0, rtol=1e-10)["q.boom"][-1] for one in (s, rigid)]
    assert abs(ends[0] - ends[1]) < 1e-9
    assert "0 modes" in s.diagram().svg


@pytest.mark.parametrize("joint", ["weld", "revolute"])
def test_beams_held_at_both_ends_name_the_axial_mode(joint: str) -> None:
    """Those with the mode, and those that may slide at one end, do not warn of it."""

    def closed(root: str, tip: Any, **fields: Any) -> None:
        s = fb.System("bridge")
        beam = fb.Beam(length=1.0, EI=(10.0, 10.0), density=1.0, **fields)
        b = s.body("b", joint=root, flexible=beam, modes=2)
        s.close(b.node("tip"), s.ground.point((1, 0, 0)), tip, name="end")

    text = r"constraint 'end' and the joint of 'b' hold both ends of this beam on 'g.*fb\.Beam\(…, EA=…, axial=1\)"
    with pytest.warns(SimulationWarning, match=text):
        closed("weld", joint)
    for root, tip, fields in (("weld", joint, {"EA": 1e5, "axial": 1}), ("weld", fb.Cylindrical("x"), {})):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            closed(root, tip, **fields)
        assert not [w for w in found if "axial" in str(w.message)]
