"""Textbook systems of control engineering."""

import freebody as fb

G = 9.81


def cart_pole(damping: float = 0.0) -> fb.System:
    """A point mass m at the end of a rod of length l on a cart M; the angle is measured from upright."""
    s = fb.System("cart-pole")
    M, m, l = s.parameters(M=1.0, m=0.2, l=0.5)
    force = s.input("F")
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=M)
    s.body("pole", on=cart, joint=fb.Revolute("y", damping=damping), mass=m, com=(0, 0, l))
    s.joint_force(cart, force)
    return s


def arm() -> fb.System:
    """Two links with point masses at their ends and a motor at each joint, hanging at 0; "tip" is the end."""
    s = fb.System("arm")
    a, b = s.input("a"), s.input("b")
    upper = s.body("upper", joint=fb.Revolute("y"), mass=1.5, com=(0, 0, -0.4))
    lower = s.body("lower", on=upper, at=(0, 0, -0.4), joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -0.3))
    s.joint_force(upper, a)
    s.joint_force(lower, b)
    s.output("tip", s.position(lower.point((0, 0, -0.3))))
    return s


def elastic() -> fb.System:
    """A link driven through a spring: I q̈₁ = −m g l sin q₁ − k (q₁ − q₂), J q̈₂ = k (q₁ − q₂) + w."""
    s = fb.System("elastic joint")
    k, motor = s.parameter("k", 30.0), s.input("w")
    link = s.body("link", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -0.5))
    rotor = s.body("rotor", joint=fb.Revolute("y"), inertia=(0.1, 0.1, 0.1))
    stretch = k * (link.q[0] - rotor.q[0])
    s.joint_force(link, -stretch)
    s.joint_force(rotor, stretch + motor)
    return s


def twins() -> fb.System:
    """Two equal pendulums with the same torque."""
    s = fb.System("twins")
    w = s.input("w")
    for name in ("left", "right"):
        s.joint_force(s.body(name, joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -1)), w)
    return s


def bead() -> fb.System:
    """A bead that slides along a motor-driven beam: Hauser's ball and beam."""
    s = fb.System("ball and beam")
    beam = s.body("beam", joint=fb.Revolute("y"), inertia=(0.02, 0.02, 0.02))
    s.body("ball", on=beam, joint=fb.Prismatic("x"), mass=0.05)
    s.joint_force(beam, s.input("w"))
    return s


def turner(inertia: tuple[float, float, float]) -> fb.System:
    """A body that turns freely about its mass centre, with torques about two of its axes."""
    s = fb.System("turner", gravity=(0, 0, 0))
    body = s.body("body", joint=fb.Spherical(), mass=1.0, inertia=inertia)
    for axis in "xy":
        s.torque(s.input(axis), on=body, about=getattr(body, axis))
    return s


def drone() -> fb.System:
    """A free body with a thrust along its z axis, three torques, and an arm that swings below it."""
    s = fb.System("drone")
    body = s.body("body", joint=fb.Free(), mass=1.2, inertia=(0.02, 0.03, 0.05))
    arm = s.body("arm", on=body, joint=fb.Revolute("y"), mass=0.1, com=(0, 0, -0.2))
    s.force(body.z * s.input("thrust"), at=body)
    for axis in "xyz":
        s.torque(s.input(f"t{axis}"), on=body, about=getattr(body, axis))
    lag = s.state("lag", rate="-3*lag + thrust")
    s.joint_force(arm, lag * 0.01)
    return s
