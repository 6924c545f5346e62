"""The README and the examples run and give the published numbers."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parent.parent


def test_double_pendulum_matches_the_published_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Masses 1, links 1, g = 9.81, from rest with both links level, at t = 2 s; reference computed independently to
    1e-11."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import double_pendulum

    run, other = double_pendulum.runs(double_pendulum.system())
    at = int(np.searchsorted(run.t, 2.0))
    angles, speeds = ([run[n][at] for n in names] for names in (("upper", "lower"), ("u.upper", "u.lower")))
    absolute = [*np.cumsum(angles), *np.cumsum(speeds)]
    assert np.allclose(absolute, [-0.48297153425, -1.32404871230, 3.06528819207, 2.94927154757], atol=1e-8)
    distance = np.linalg.norm(run["tip"] - other["tip"], axis=1)
    assert distance[0] < 3e-3 and distance.max() > 0.5


PICTURES = [
    "double_pendulum", "knee", "four_bar", "four_bars", "bricard", "slider_crank", "governor", "stewart",
    "feedback_linearisation", "bicycle", "quadruped", "hydraulic_crane", "optimal_control", "door_stop",
    "rimless_wheel", "cam_follower", "standing_robot", "carried_box", "ball_on_heightfield",
]  # fmt: skip


@pytest.mark.parametrize("name", PICTURES)
def test_examples_run_and_write_their_picture(name: str, tmp_path: Path) -> None:
    file = ROOT / "examples" / f"{name}.py"
    run = subprocess.run([sys.executable, str(file)], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    picture = tmp_path / "out" / f"{name}.png"
    assert picture.stat().st_size > 10_000 and f"out/{name}.png" in run.stdout


def test_quadruped_stands_on_four_feet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Which carry its whole weight, left as right."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import quadruped

    quadruped.main(str(tmp_path))
    shares = [float(x) for x in re.findall(r"([\d.]+) %", capsys.readouterr().out)]
    assert sum(shares) == pytest.approx(100, abs=0.3)
    assert shares[0] == shares[1] and shares[2] == shares[3]


def test_a_robot_that_falls_on_its_feet_stands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Its feet carry the weight, do not move, and lie by PD law and weight lower than they started."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import standing_robot

    standing_robot.main(str(tmp_path))
    printed = capsys.readouterr().out
    carried, weight = (float(re.search(rf"{word} ([\d.]+) N", printed).group(1)) for word in ("rest", "weight"))  # type: ignore[union-attr]
    assert carried == pytest.approx(weight, abs=2e-3)
    assert float(re.search(r"feet move by (\S+) m", printed).group(1)) < 1e-7  # type: ignore[union-attr]
    assert float(re.search(r"energy error (\S+)", printed).group(1)) < 1e-7  # type: ignore[union-attr]
    assert (tmp_path / "standing_robot.html").stat().st_size > 100_000


def test_a_gripper_lifts_what_friction_can_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """A little more friction than by hand, m |a + g| / (2 F), holds the box: it yields elastically and creeps less than
    documented. With a little less it slides while it is accelerated, and below m g / (2 F) it stays on the floor."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import carried_box

    s, need = carried_box.system(), carried_box.needed_friction()
    assert need == pytest.approx(0.1549, abs=1e-4)
    firm, holds, slides, falls = (
        carried_box.simulate(s, mu) for mu in (0.5, need / 0.94, carried_box.PADS[1], carried_box.PADS[2])
    )
    for run in (firm, holds):
        assert np.abs(run["in hand"]).max() < 6e-4 and carried_box.slid(run, 2.5, 4.0) < 1e-6
        assert run["box.z"][-1] == pytest.approx(carried_box.EDGE / 2 + carried_box.LIFT, abs=6e-4)
    assert all(firm[f"contact.{name}.slip"].max() == 0 for name in ("left_low", "left_high", "right_low", "right_high"))
    assert 5e-3 < carried_box.slid(slides, 0.4, 1.4) < 0.02 and carried_box.slid(slides, 2.5, 4.0) < 1e-5
    assert falls["box.z"][-1] == pytest.approx(carried_box.EDGE / 2, abs=1e-4)
    assert all(run.energy_error < 1e-4 and run.success for run in (firm, holds, slides, falls))


def test_pads_that_leave_a_box_over_its_edge_do_not_chatter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a capsule lies on a face, rounding must not decide whether its middle touches, also in accurate runs."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import carried_box

    run = carried_box.system().simulate(1.0, parameters={"mu": 0.1}, rtol=1e-6, atol=1e-8)
    assert run.success and run.t[-1] == 1.0


def test_ball_on_hills_keeps_its_energy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import ball_on_heightfield

    ball_on_heightfield.main(str(tmp_path))
    printed = capsys.readouterr().out
    assert float(re.search(r"off balance by (\S+) J", printed).group(1)) < 2e-4  # type: ignore[union-attr]
    found, rolling = map(float, re.findall(r"([\d.]+) m/s", printed))
    assert found == pytest.approx(rolling, rel=0.01) and found < rolling


def test_rimless_wheel_walks_at_the_speed_of_the_closed_form(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import rimless_wheel

    rimless_wheel.main(str(tmp_path))
    found = [float(x) for x in re.findall(r"steps ([\d.]+) rad/s", capsys.readouterr().out)]
    assert len(found) == 2 and np.allclose(found, rimless_wheel.fixed_point(), atol=5e-6)


def test_follower_leaves_its_cam_near_the_speed_of_the_closed_form(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import cam_follower

    cam_follower.main(str(tmp_path))
    found = re.search(r"lifts off at ([\d.]+) rad/s", capsys.readouterr().out)
    assert found is not None and float(found[1]) == pytest.approx(cam_follower.critical_speed(), rel=0.02)


def test_frequency_of_a_closed_cylinder_is_that_of_its_oil(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import hydraulic_crane

    found, by_hand = hydraulic_crane.closed_frequency()
    assert found == pytest.approx(by_hand, rel=1e-6)


def test_rocker_swings_between_the_flat_positions_of_crank_and_coupler(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """There the rocker's pin is as far from the crank's axis as coupler and crank together reach, or their difference;
    the angle follows from the law of cosines."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import four_bar

    four_bar.main(str(tmp_path))
    printed = capsys.readouterr().out
    a, b, c, d = four_bar.CRANK, four_bar.COUPLER, four_bar.ROCKER, four_bar.GROUND
    ends = [np.degrees(np.arccos((x**2 - c**2 - d**2) / (2 * c * d))) for x in (b + a, b - a)]
    found = re.search(r"swings from ([\d.]+)° to ([\d.]+)°", printed)
    assert found is not None and np.allclose([float(x) for x in found.groups()], ends, atol=0.02)
    assert "3 speeds, 1 degree of freedom" in printed and "pin.force.x, pin.force.z; left out: pin.force.y" in printed
    assert float(re.search(r"loop (\S+) m", printed).group(1)) < 1e-12  # type: ignore[union-attr]


def _turn(axis: Any, angle: float) -> np.ndarray:
    K = np.cross(np.eye(3), np.asarray(axis, float))
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def test_six_hinges_keep_their_one_freedom(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a run of 10 s the angles are related as Chen, You and Tarnai (2005) say, and the energy is that of a system
    with one freedom θ: J(θ) θ̇²/2 + V(θ), with J from differences of positions along the relation."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import bricard

    equations = bricard.system().derive()
    assert equations.degrees_of_freedom == 1 and len(equations.constraints[0].redundant) == 1
    run = equations.simulate(np.linspace(0, 10, 401), rtol=1e-10, atol=1e-11)
    assert np.abs(bricard.relation(run)).max() < 1e-12 and run.drift[0] < 1e-12 and run.energy_error < 1e-8
    assert run["bar1"].max() > 3.1  # it swings through half a turn and back, twice
    for k in (3, 5):
        assert np.abs(run[f"bar{k}"] - run["bar1"]).max() < 1e-9
    assert np.abs(run["bar4"] - run["bar2"]).max() < 1e-9

    def poses(theta: float) -> list[tuple[np.ndarray, np.ndarray]]:
        """Rotations and mass centres of the bars."""
        phi = -np.arcsin(np.sin(theta) / (1 + np.sin(theta)))
        R, p, result = np.eye(3), bricard.CORNERS[0].astype(float), []
        for k, angle in enumerate((theta, phi, theta, phi, theta)):
            R = R @ _turn(bricard.AXES[k], angle)
            bar = bricard.CORNERS[k + 1] - bricard.CORNERS[k]
            result.append((R, p + R @ bar / 2))
            p = p + R @ bar
        assert np.allclose(p, bricard.CORNERS[5], atol=1e-12)
        return result

    def energy(theta: float, rate: float, h: float = 1e-5) -> float:
        total, around = 0.0, (poses(theta - h), poses(theta), poses(theta + h))
        for k, ((A, a), (R, p), (B, b)) in enumerate(zip(*around, strict=True)):
            v, W = (b - a) / (2 * h) * rate, R.T @ (B - A) / (2 * h) * rate
            w = np.array([W[2, 1], W[0, 2], W[1, 0]])
            bar = bricard.CORNERS[k + 1] - bricard.CORNERS[k]
            J = np.where(bar != 0, bricard.WIDTH**2 / 6, (1 + bricard.WIDTH**2) / 12)
            total += bricard.MASS * (v @ v / 2 + J @ w**2 / 2 + 9.81 * p[1])
        return total

    rows = np.flatnonzero(np.abs(np.sin(run["bar1"]) - 1) > 0.2)[::20]  # away from the turning points of φ
    energies = [energy(run["bar1"][k], run["u.bar1"][k]) for k in rows]
    assert np.abs(run["u.bar1"][rows]).max() > 1 and np.ptp(energies) < 1e-6


def test_six_hinges_in_other_directions_are_rigid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import bricard

    s = bricard.generic()
    equations = s.derive()
    assert equations.degrees_of_freedom == 0 and not equations.constraints[0].omitted
    run = equations.simulate(1.0)
    assert max(np.abs(run[f"bar{k}"]).max() for k in range(1, 6)) < 1e-9


def test_spatial_slider_crank_starts_with_the_published_speeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """IFToMM: ω of the rod (1.92, −0.96, 0.48), velocity of its centre (0.12, −0.24, 0), of the slider 0.24. During the
    run the slider follows the crank, and the energy is that of one freedom: the universal joint's axis in the rod stays
    across x and the rod."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import slider_crank as example

    run = example.system().simulate(np.linspace(0, 5, 201), u={"crank": 6.0}, rtol=1e-10, atol=1e-11)
    assert np.allclose(run["rod angular velocity"][0], (1.92, -0.96, 0.48), atol=1e-12)
    assert np.allclose(run["rod centre velocity"][0], (0.12, -0.24, 0), atol=1e-12)
    assert run["u.slider"][0] == pytest.approx(0.24, abs=1e-12)
    angle, rate, x = run["crank"], run["u.crank"], np.array([1.0, 0, 0])
    pins = np.array([0, 0.1, 0.12]) + 0.08 * np.array([0 * angle, -np.sin(angle), np.cos(angle)]).T
    assert np.abs(run["slider"] - np.sqrt(0.09 - pins[:, 1] ** 2 - pins[:, 2] ** 2)).max() < 1e-10
    energies = []
    for pin, end, speed, spin in zip(pins, run["slider"], run["u.slider"], rate, strict=True):
        along = (end * x - pin) / 0.3
        v_pin = np.cross(spin * x, pin - [0, 0.1, 0.12])
        turning = np.cross(along, (speed * x - v_pin) / 0.3)
        third = np.cross(x, np.cross(x, along))  # across x and the universal joint's axis in the rod
        w = turning - (turning @ third) / (along @ third) * along
        v = (v_pin + speed * x) / 2
        kinetic = (1e-4 + 0.12 * 0.04**2) * spin**2 + 0.5 * v @ v + 2.0 * speed**2
        kinetic += 0.004 * w @ w - 0.0036 * (w @ along) ** 2
        weights = 0.12 * (pin[2] + 0.12) / 2 + 0.5 * pin[2] / 2
        energies.append(kinetic / 2 + 9.81 * weights)
    assert np.ptp(energies) < 1e-8 and np.ptp(rate) > 10


def test_governor_runs_at_the_speeds_of_porters_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    """The damped one settles at the speed of the load; the other one swings more and more."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import governor

    damped, undamped = (governor.drop(governor.DAMPING[name]) for name in ("damped", "undamped"))
    for k, load in ((0, governor.BEFORE), (-1, governor.AFTER)):
        speed, sleeve = governor.steady_state(load)
        h = -sleeve / 2
        assert speed**2 == pytest.approx(9.81 / h * (governor.BALL + governor.SLEEVE) / governor.BALL)
        assert damped["u.spindle"][k] == pytest.approx(speed, abs=2e-3)
        assert damped["sleeve"][k] == pytest.approx(sleeve, abs=2e-4)
    settled, late = (np.ptp(run["u.spindle"][run.t > 8]) for run in (damped, undamped))
    assert settled < 0.01 < 3 < late


def test_stewart_platform_follows_its_path(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import stewart

    monkeypatch.setattr(stewart, "TIMES", np.linspace(0, 2, 41))
    stewart.main(str(tmp_path))
    printed = capsys.readouterr().out
    assert "24 speeds, 6 degrees of freedom" in printed
    far, blind = re.search(r"path: (\S+) mm, by feedback alone (\S+) mm", printed).groups()  # type: ignore[union-attr]
    assert float(far) < 0.5 and float(blind) > 100


def test_four_bars_in_a_row_follow_the_exact_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import four_bars

    theta = four_bars.exact(1, np.array([10.0]))[0]
    assert np.allclose((np.sin(theta), np.cos(theta)), (0.4783850577609715, 0.8781501787912088), atol=1e-12)
    run = four_bars.simulate(4)
    assert np.abs(run["crank0"] - four_bars.exact(4, run.t)).max() < 1e-7 and run["crank0"].max() > 2 * np.pi


def test_sampled_cart_pole_follows_the_linear_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is unstable where an eigenvalue leaves the unit circle."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import sampled_cart_pole

    rows = sampled_cart_pole.main(str(tmp_path))
    assert [z < 1 for z, _ in rows] == [True, True, True, False]
    assert all(error < 1e-5 for _, error in rows[:3]) and rows[3][1] < 1e-3
    assert (tmp_path / "sampled_cart_pole.png").stat().st_size > 10_000


@pytest.mark.long
def test_balancing_robots_stand_by_their_sensors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import balancing_robot

    tilt, error, wander = balancing_robot.main(str(tmp_path))
    assert tilt < 10 and 0.1 < error < 1 and 1e-5 < wander < 0.01
    assert (tmp_path / "balancing_robot.png").stat().st_size > 10_000


def test_grasp_conserves_momentum_and_equals_each_topology(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """One after the other, the arms catch the payload, and release it."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import grasp

    picture = grasp.main(str(tmp_path))
    printed = capsys.readouterr().out
    events = re.findall(r"(\S+) s: (.*), (\S+) mJ lost; u̇ differs by (\S+) from this topology alone", printed)
    assert [name for _, name, _, _ in events] == ["left grasp", "right grasp", "release"]
    assert all(float(difference) < 1e-10 for *_, difference in events)
    assert [float(lost) > 1 for _, _, lost, _ in events] == [True, True, False]
    momenta = re.findall(r"momentum changes by (\S+) at the events, by (\S+) in all", printed)
    assert len(momenta) == 2 and all(float(jump) < 1e-13 and float(change) < 1e-9 for jump, change in momenta)
    assert float(re.search(r"energy error (\S+)", printed).group(1)) < 1e-7  # type: ignore[union-attr]
    assert picture.stat().st_size > 10_000


def test_spacecraft_with_panels_has_the_exact_frequencies(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Those of the characteristic equations; the timed manoeuvre leaves hardly any vibration, momentum is conserved."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import spacecraft_panels

    picture = spacecraft_panels.main(str(tmp_path))
    printed = capsys.readouterr().out
    rows = [list(map(float, row)) for row in re.findall(r"sides?  +(\S+) +(\S+) +(\S+)", printed)]
    published = [2.45526769, 3.94144113, 15.11691607, 15.69417873, 42.10044759, 42.37539295]
    assert np.allclose([exact for *_, exact in rows], published, atol=1e-6)
    assert all(abs(few / exact - 1) < 1e-5 and abs(many / exact - 1) < 1e-7 for few, many, exact in rows)
    last = {n: float(x) for n, x in re.findall(r"^(12 s|timed|smooth) .*?, +(\S+) ", printed, re.MULTILINE)}
    assert last["timed"] < 1 < 10 < last["smooth"] < 30 < 60 < last["12 s"]
    errors = re.findall(r"(\S+e-\d+), (\S+e-\d+)", printed)
    assert len(errors) == 3 and all(float(x) < 1e-10 for pair in errors for x in pair)
    assert picture.stat().st_size > 10_000


def test_flexible_manipulator_conserves_momentum(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import flexible_manipulator

    picture = flexible_manipulator.main(str(tmp_path))
    printed = capsys.readouterr().out
    linear, angular, error = re.search(r"momenta (\S+) .*, (\S+) .*; energy error (\S+)", printed).groups()  # type: ignore[union-attr]
    assert float(linear) < 1e-7 and float(angular) < 1e-7 and float(error) < 1e-7
    far, end = re.search(r"at most (\S+) mm, (\S+) mm at the end", printed).groups()  # type: ignore[union-attr]
    assert 100 < float(far) < 200 and float(end) < 10
    assert picture.stat().st_size > 10_000


def test_flexible_four_bar_bends_as_pinned_beams_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """With the crank held the frequencies are those of pinned beams, (k π/L)² √(EI/ρ). At low speed deflections grow
    with the square of the speed, near the first frequency more."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import flexible_four_bar as example

    picture = example.main(str(tmp_path))
    printed = capsys.readouterr().out
    wave = np.pi / np.array([example.COUPLER, example.ROCKER, example.COUPLER / 2])
    exact = wave**2 * np.sqrt(example.STRIP["EI"][0] / example.STRIP["density"]) / (2 * np.pi)
    found = re.search(r"\[Hz\]: (\S+), (\S+), (\S+)", printed)
    assert found is not None and np.allclose([float(x) for x in found.groups()], exact, atol=1e-3)
    slow, middle, fast = (float(x) for x in re.findall(r"deflection (\S+) mm", printed))
    assert 4 < middle / slow < 5 and 2.5 < fast / middle < 3.5
    assert all(float(x) < 1e-13 for x in re.findall(r"drift (\S+) m", printed))
    assert all(float(x) < 1e-6 for x in re.findall(r"energy error (\S+)", printed))
    assert picture.stat().st_size > 10_000


def test_planetary_gearbox_has_the_forces_and_frequencies_of_hand_calculation(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Ratio and forces for both senses of the torque; frequencies of the angles of sun, carrier and planets with the
    stiffness Σ k d dᵀ of the compressions d of their meshes."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import planetary_gearbox as example

    picture = example.main(str(tmp_path))
    printed = capsys.readouterr().out
    pairs = re.findall(r"(?:ratio:|teeth|pins) ([\d.]+)(?: N)?,? \(?by (?:Willis|hand) ([\d.]+)", printed)
    assert len(pairs) == 5 and all(np.isclose(float(a), float(b), atol=2e-3) for a, b in pairs)
    assert all(float(x) < 1e-9 for x in re.findall(r"sun's bearing (\S+) N", printed))
    assert float(re.search(r"energy error (\S+)", printed).group(1)) < 1e-6  # type: ignore[union-attr]
    rs, rp, rr, count = example.SUN, example.PLANET, example.RING, example.PLANETS
    masses = [example.DENSITY * np.pi * r**2 * example.WIDTH for r in (rs, rp)]
    K = np.zeros((2 + count, 2 + count))
    for k in range(count):
        for d in ([rs, -rs, rp], [0, -rr, -rp]):  # of sun, carrier, and the planet relative to the carrier
            row = np.zeros(2 + count)
            row[[0, 1, 2 + k]] = d
            K += example.ELASTIC["stiffness"] * np.cos(example.ANGLE) ** 2 * np.outer(row, row)
    M = np.diag(
        [masses[0] * rs**2 / 2, example.LOAD + count * masses[1] * (example.REACH**2 + rp**2 / 2)]
        + [masses[1] * rp**2 / 2] * count
    )
    M[1, 2:] = M[2:, 1] = masses[1] * rp**2 / 2
    exact = np.sqrt(np.unique(np.linalg.eigvals(np.linalg.solve(M, K)).real.round(0))[1:]) / (2 * np.pi)
    found = re.search(r"teeth \[Hz\]: (.*)", printed)
    assert found is not None and np.allclose([float(x) for x in found.group(1).split(", ")], exact, atol=0.1)
    assert picture.stat().st_size > 10_000


def test_examples_use_only_public_names() -> None:
    """They import freebody and none of its modules but freebody.gym, and each has a picture on the page of examples."""
    page = (ROOT / "docs" / "examples.md").read_text()
    for file in sorted((ROOT / "examples").glob("*.py")):
        assert not re.search(r"(from|import) freebody\.(?!gym )", file.read_text()), file.name
        assert f"examples/{file.name}" in page, f"{file.name} is not on docs/examples.md"


def test_demo_runs(tmp_path: Path) -> None:
    """It prints that all balances hold and writes all its files, the page below 2 MB."""
    run = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "demo.py")], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert run.stdout.count("holds") == 3 and "815" in run.stdout and "boom    e       revolute" in run.stdout
    out = tmp_path / "out" / "satellite"
    assert {p.suffix for p in out.iterdir()} == {".html", ".png", ".nc", ".csv", ".txt", ".tex", ""}
    assert sorted(p.name for p in (out / "c").iterdir()) == ["forward_dynamics.c", "forward_dynamics.h"]
    assert 2e5 < (out / "report.html").stat().st_size < 2e6


def test_feedback_moves_the_arm_onto_its_circle(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The error decays with e⁻⁶ᵗ, and the zeros of the cart-pole are ±√(g/l)."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import feedback_linearisation

    feedback_linearisation.main(str(tmp_path))
    printed = capsys.readouterr().out
    assert "arm: relative degrees x: 2, z: 2; 0 internal states" in printed
    assert "not minimum phase, zeros [-4.429  4.429]" in printed
    last = re.search(r"at first, (\S+) m after 4 s", printed)
    assert last is not None and float(last.group(1)) < 1e-7


def test_an_adaptive_arm_learns_its_parameters(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Its Lyapunov function decreases by what was dissipated, and the large parameters are found."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import adaptive_arm

    picture = adaptive_arm.main(60.0, str(tmp_path))
    printed = capsys.readouterr().out
    assert "36 base parameters" in printed and float(re.search(r"increase (\S+)", printed)[1]) < 1e-8  # type: ignore[index]
    assert float(re.search(r"differ by (\S+)", printed)[1]) < 1e-8  # type: ignore[index]
    rows = re.findall(r"^link\d\.\w+ +(\S+) +(\S+)$", printed, re.MULTILINE)
    assert len(rows) == 9 and all(float(found) == pytest.approx(float(true), rel=0.005) for true, found in rows)
    assert picture.stat().st_size > 10_000


def test_an_unknown_load_is_carried(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Errors under sliding modes are below φ/λ, with observed speeds too; those of computed torque are far above."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import uncertain_load as example

    example.main(str(tmp_path))
    errors = re.findall(r"^(.*): largest errors after 8 s (\S+) and (\S+) rad", capsys.readouterr().out, re.MULTILINE)
    largest = {kind: max(float(a), float(b)) for kind, a, b in errors}
    bound = example.LAYER / example.RATE
    assert largest["sliding mode"] < bound and largest["sliding mode, angles alone"] < bound
    assert largest["adaptive"] < bound and largest["computed torque"] > 50 * bound


def test_a_pole_is_balanced_from_noisy_positions(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import balancing

    balancing.main(str(tmp_path))
    printed = capsys.readouterr().out
    rows = re.findall(r"error of the speed (\S+) rad/s, force at rest ± (\S+) N", printed)
    (rough, large), (fine, small) = ([float(x) for x in row] for row in rows)
    assert fine < 0.2 * rough and small < 0.1 * large
    assert 90 < float(re.search(r"(\d+) % of the estimates", printed)[1]) <= 100  # type: ignore[index]


def test_knee_rolls_and_glides(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Its centre of rotation is that of two neighbouring poses, its moment the slope of its potential energy."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import knee

    s, angle, h = knee.system(), 0.8, 1e-6
    f = s.derive().compile("numpy")
    (x, z), moment = knee.instant_centres(s, np.array([angle]))[0], knee.holding_moment(s, np.array([angle]))[0]
    here, back, ahead = (f.pose([a], "shank") for a in (angle, angle - h, angle + h))
    in_shank = here.R.T @ (np.array([x, 0, z]) - here.p)
    assert np.allclose(back.p + back.R @ in_shank, ahead.p + ahead.R @ in_shank, atol=1e-11)
    low, high = (f.energies([a], [0.0])["potential"] for a in (angle - h, angle + h))
    assert np.isclose(moment, (high - low) / (2 * h), rtol=1e-8)
    knee.main(str(tmp_path))
    printed = capsys.readouterr().out
    assert printed.count("N·m") == 6 and float(re.search(r"kept to (.*)", printed)[1]) < 1e-6  # type: ignore[index]


def test_bicycle_matches_the_published_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Meijaard, Papadopoulos, Ruina and Schwab (2007): M, C1, K0, K2, eigenvalues at 5 m/s, weave, capsize speeds."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import bicycle

    eq = bicycle.system().derive()
    published = {
        "M": [[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]],
        "C1": [[0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]],
        "K0": [[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]],
        "K2": [[0, 76.59734589573222], [0, 2.65431523794604]],
    }
    M, C1, K0, K2 = (np.array(matrix) for matrix in published.values())
    for name, matrix in bicycle.matrices(eq).items():
        assert np.allclose(matrix, published[name], rtol=0, atol=1e-10), name
    for speed in (0.5, 2.0, 5.0, 9.0):
        A, B = bicycle.linear(eq, speed)
        assert np.allclose(np.linalg.inv(B[2:]), M, rtol=0, atol=1e-10) and np.array_equal(A[:2], np.eye(4)[2:])
        assert np.allclose(-M @ A[2:, 2:], speed * C1, rtol=0, atol=1e-10)
        assert np.allclose(-M @ A[2:, :2], 9.81 * K0 + speed**2 * K2, rtol=0, atol=1e-10)
    values = np.sort_complex(np.linalg.eigvals(bicycle.linear(eq, 5.0)[0]))
    pair = -0.77534188219584 + 4.46486771378823j
    assert np.allclose(values, [-14.07838969279824, pair.conjugate(), pair, -0.32286642900409], rtol=0, atol=1e-11)
    assert bicycle.weave_speed(eq) == pytest.approx(4.29238253634111, abs=1e-11)
    assert bicycle.capsize_speed(eq) == pytest.approx(6.02426201538837, abs=1e-11)


def test_a_ride_of_the_bicycle_is_an_equilibrium_at_its_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven coordinates and three speeds are independent; the contacts carry the weight."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import bicycle

    eq = bicycle.system().derive()
    ride = eq.equilibrium(u={"x": 5.0}, free=["u.rear", "u.front"], hold="steer")
    assert ride.u["rear"] == pytest.approx(-5 / 0.3) and ride.u["front"] == pytest.approx(-5 / 0.35)
    normal = [ride.multipliers[f"{end} contact.normal"] for end in ("rear", "front")]
    assert sum(normal) == pytest.approx(94 * 9.81) and ride.stability == "undecided"  # neutral in x, y and yaw
    moments = 85 * 0.3 + 4 * 0.9 + 3 * 1.02
    assert normal[1] == pytest.approx(moments * 9.81 / 1.02)
    states = eq.linearize(at=ride).states
    assert [sum(name.startswith(group) for name in states) for group in ("q.", "u.")] == [7, 3]


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import demo

    return demo


def test_balances_of_the_demo_can_fail(demo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """They grow with the tolerance and detect the missing work of a damper; main() then returns 1."""
    eq = demo.system().derive()
    rough = eq.simulate(demo.END, inputs=demo.INPUTS, rtol=1e-4, atol=1e-6)
    assert all(rest > demo.BOUND for rest in demo.balances(rough).values())
    fine = eq.simulate(demo.END, inputs=demo.INPUTS, rtol=1e-10, atol=1e-12)
    assert all(rest < demo.BOUND for rest in demo.balances(fine).values())
    work = fine["work.bus"] + fine["work.drives"]
    assert demo.left(fine["energy.total"], work, fine["energy.kinetic"]) > 1e-4
    monkeypatch.setattr(demo, "BOUND", 1e-16)
    monkeypatch.setattr(demo, "write", lambda run, eq: {"nothing": "this time"})
    assert demo.main() == 1


def test_readme_runs_as_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(first + second, {})
    assert (tmp_path / "run.png").stat().st_size > 10_000
    promised = re.search(r"print\(eq\.operations.*# (.*)", second)
    assert promised is not None and promised.group(1) in capsys.readouterr().out
    assert {p.suffix for p in (tmp_path / "code").iterdir()} == {".c", ".h"}


def test_crane_with_a_lattice_jib(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The modes with static displacements deflect as all elements do; energy balances; longer manoeuvres swing less."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import crane_jib

    picture = crane_jib.main(str(tmp_path))
    printed = capsys.readouterr().out
    whole, reduced = map(float, re.findall(r"([\d.]+) mm", printed))
    assert whole == pytest.approx(reduced, rel=1e-5)
    rows = [list(map(float, row)) for row in re.findall(r"^ +(\S+) +(\S+) +(\S+) +(\S+)$", printed, re.MULTILINE)]
    assert len(rows) == 3 and all(error < 1e-9 for *_, error in rows)
    assert rows[0][1] > 4 * rows[1][1] > 8 * rows[2][1] and all(abs(a / b - 1) < 0.06 for _, a, b, _ in rows)
    assert picture.stat().st_size > 10_000


def test_a_bracket_of_finite_elements_has_the_frequencies_of_all_unknowns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The bolts are held, and the motor is a mass matrix on the motion of its seat, which nodes follow rigidly."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import bracket as example
    from scipy.sparse import csc_matrix
    from scipy.sparse.linalg import eigsh

    from freebody.fem.interfaces import interfaces_of, tied

    picture = example.main(str(tmp_path))
    printed = capsys.readouterr().out
    text = re.search(r"with the motor: +(.*) Hz", printed).group(1)  # type: ignore[union-attr]
    body = tied(structure := example.angle(), interfaces_of(structure, {"seat": "seat", "bolts": "bolts"}))
    m, b = example.MOTOR + example.ROTOR, np.array([-0.05, 0, 0])
    skew = np.array([[0, -b[2], b[1]], [b[2], 0, -b[0]], [-b[1], b[0], 0]])
    motor = np.block([[m * np.eye(3), -m * skew], [m * skew, np.diag([0.0021, 0.0032, 0.0032]) - m * skew @ skew]])
    rows = body.rows["seat"]
    free = np.setdiff1d(np.arange(body.size), body.rows["bolts"].indices)
    K, M = (csc_matrix(A)[free][:, free] for A in (body.stiffness, body.mass + rows.T @ csc_matrix(motor) @ rows))
    exact = np.sort(np.sqrt(eigsh(K, k=4, M=M, sigma=0, return_eigenvectors=False))) / (2 * np.pi)
    assert np.allclose([float(x) for x in text.split(",")], exact, rtol=2e-4, atol=0.06)
    size, speed = re.search(r"seat: (\S+) mm at (\S+) rev/s", printed).groups()  # type: ignore[union-attr]
    assert float(size) > 0.05 and exact[0] < float(speed) < 1.1 * exact[0]
    assert picture.stat().st_size > 10_000
