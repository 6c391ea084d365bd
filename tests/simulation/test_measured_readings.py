"""Sensors between readings and laws: noise, quantisation, delay, bias and periods of their own."""

import numpy as np
import pytest

import flexarm as fa

MOVE = {"profile": "quintic", "by": 0.5, "duration": "0.4 s"}
LAW = {"joint": "link", "motion": MOVE, "control": {"type": "pd", "kp": 3, "kv": 0.6, "period": "1 ms"}}
OUTSIDE = {"drive.link.control": {"type": "external", "period": "1 ms"}}


def scenario(measured=(), **changes):
    """The link of `pd-hub` for half a second."""
    return fa.load("pd-hub", {"time.end": "0.5 s", "output.measured": list(measured), **changes})


class Watching:
    """Turns the hub as it likes, and notes what it is told."""

    def __init__(self, *names):
        self.names, self.told = names, []

    def __call__(self, time, reading):
        self.told.append([reading[name] for name in self.names])
        return 0.2 * np.sin(20.0 * time)


def told(names, measured=()):
    """What a controller is told, (ticks, names); the same torques whatever that is."""
    law = Watching(*names)
    fa.simulate(scenario(measured, **OUTSIDE), controller=law)
    return np.array(law.told)


def test_each_sensor_does_what_it_says():
    names = ("link.position", "link.velocity", "tip.x", "tip.y")
    true = told(names)
    found = told(names, [
        {"reading": "link.position", "quantum": 1e-3, "bias": 2e-4},
        {"reading": "link.velocity", "delay": "3 ms"},
        {"reading": "tip.x", "period": "4 ms"},
        {"reading": "tip.y", "period": "2 ms", "delay": "5 ms", "bias": 1.0},
    ])  # fmt: skip
    ticks = np.arange(len(true))
    assert np.array_equal(found[:, 0], 1e-3 * np.floor((true[:, 0] + 2e-4) / 1e-3 + 0.5))
    assert np.array_equal(found[:, 1], true[np.maximum(ticks - 3, 0), 1])
    assert np.array_equal(found[:, 2], true[ticks // 4 * 4, 2])
    assert np.array_equal(found[:, 3], true[np.maximum(ticks - 5, 0) // 2 * 2, 3] + 1.0)
    assert len(np.unique(found[:, 0])) > 10


def test_noise_is_normal_white_and_its_own():
    names = ("link.position", "link.velocity")
    sensors = [{"reading": name, "noise": size} for name, size in zip(names, (1e-3, 0.2), strict=True)]
    law = Watching(*names)
    fa.simulate(scenario(sensors, **OUTSIDE).with_({"time.end": "8 s"}), controller=law)
    still = Watching(*names)
    fa.simulate(scenario(**OUTSIDE).with_({"time.end": "8 s"}), controller=still)
    noise = (np.array(law.told) - np.array(still.told)) / [1e-3, 0.2]
    count = len(noise)
    assert np.all(np.abs(noise.mean(axis=0)) < 4 / np.sqrt(count))
    assert np.all(np.abs(noise.std(axis=0) - 1.0) < 4 / np.sqrt(2 * count))
    for k in range(2):
        assert abs(np.mean(noise[1:, k] * noise[:-1, k])) < 4 / np.sqrt(count)
        assert np.mean(np.abs(noise[:, k]) < 1.0) == pytest.approx(0.6827, abs=4 * 0.47 / np.sqrt(count))
    assert abs(np.mean(noise[:, 0] * noise[:, 1])) < 4 / np.sqrt(count)


@pytest.mark.parametrize("method", ["fd", "segments"])
def test_laws_of_the_scenario_read_what_the_sensors_tell(method):
    """A bias of the encoder moves the arm by as much; noise moves it a little, as often as it is run the same."""
    held = {**LAW, "motion": {"profile": "constant"}}
    base = scenario().with_({"method": {"name": method}, "drive": [held]})
    off = fa.simulate(base.with_({"output.measured": [{"reading": "link.position", "bias": 0.01}], "time.end": "3 s"}))
    assert off.data.joint_position.values[-1, 0] == pytest.approx(-0.01, rel=1e-2)
    noisy = base.with_({"output.measured": [{"reading": "link.velocity", "noise": 0.05, "seed": 5}]})
    first, again = (fa.simulate(noisy).data.tip_position.values for _ in range(2))
    other = fa.simulate(noisy.with_({"output.measured.0.seed": 6})).data.tip_position.values
    assert np.array_equal(first, again) and not np.array_equal(first, other)
    assert 0.0 < np.abs(first - first[0]).max() < 0.02


def test_the_same_bits_step_by_step():
    """On line, where every tick is a call of its own, and in one go; whoever reads more sees the same noise."""
    sensor = {"reading": "link.position", "noise": 1e-3, "delay": "2 ms"}
    noisy = scenario([sensor], **{"drive.link.control.period": "1 ms", "time.step": "0.25 ms", "output.every": "1 ms"})
    simulator, seen = fa.Simulator(noisy), []
    simulator.reset()
    for _ in range(100):
        seen.append(simulator.step()[simulator.outputs.index("link.motor_position")])
    run = fa.simulate(noisy).data
    assert np.array_equal(seen, run.motor_position.values[1:101, 0])


@pytest.mark.parametrize(("sensor", "words"), [
    ({"reading": "link.positon"}, "did you mean 'link.position'"),
    ({"reading": "tip.x"}, "no law and no controller reads 'tip.x'"),
    ({"reading": "link.position", "delay": "1.5 ms"}, "no multiple of the period"),
    ({"reading": "link.position", "period": "0.5 ms"}, "no multiple of the period"),
    ({"reading": "link.position", "noise": -1}, "at least 0"),
])  # fmt: skip
def test_sensors_that_make_no_sense_are_refused(sensor, words):
    with pytest.raises(fa.FlexarmError, match=words):
        fa.simulate(scenario([sensor], **{"drive.link.control.period": "1 ms"}))


def test_sensors_that_nobody_reads_are_refused():
    with pytest.raises(fa.FlexarmError, match="give control a period"):
        fa.simulate(scenario([{"reading": "link.position", "noise": 1e-3}]))
    twice = [{"reading": "link.position", "noise": 1e-3}, {"reading": "link.position", "bias": 1.0}]
    with pytest.raises(fa.FlexarmError, match="measured 2 times"):
        scenario(twice)
