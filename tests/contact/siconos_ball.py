"""A ball on a floor by Siconos, where it is installed for another Python: position and speeds at the end, as JSON.

python siconos_ball.py speed spin restitution friction end
"""

import json
import sys

import numpy as np
import siconos.kernel as sk

MASS, RADIUS, HEIGHT, G, STEP = 1.0, 0.1, 0.3, 9.81, 2e-4


def main(speed: float, spin: float, restitution: float, friction: float, end: float) -> list[float]:
    """x, z, and the turn about y; the floor meets the ball at −r z."""
    inertia = np.diag([MASS, MASS, 0.4 * MASS * RADIUS**2])
    ball = sk.LagrangianLinearTIDS(np.array([0.0, HEIGHT, 0.0]), np.array([speed, 0.0, spin]), inertia)
    ball.setFExtPtr(np.array([0.0, -MASS * G, 0.0]))
    directions = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, -RADIUS]])
    law = sk.NewtonImpactFrictionNSL(restitution, 0.0, friction, 2)
    floor = sk.Interaction(law, sk.LagrangianLinearTIR(directions, np.array([-RADIUS, 0.0])))
    model = sk.NonSmoothDynamicalSystem(0.0, end)
    model.insertDynamicalSystem(ball)
    model.link(floor, ball)
    steps = sk.TimeStepping(model, sk.TimeDiscretisation(0.0, STEP), sk.MoreauJeanOSI(0.5), sk.FrictionContact(2))
    while steps.hasNextEvent():
        steps.computeOneStep()
        steps.nextStep()
    return [*ball.q(), *ball.velocity()]


if __name__ == "__main__":
    print(json.dumps(main(*map(float, sys.argv[1:]))))
