"""One side of `flexarm bench --against`: a long-lived process that does a fixed amount of work when it is asked to.

The text of this file is handed to the interpreter of either installation, so it imports the standard library and the public
names of flexarm only. It reads one request per line from standard input and answers with one line, both JSON:

    {"prepare": row}                 -> {"ready": true} or {"skip": sentence}
    {"calibrate": row, "seconds": s} -> {"count": how often the work is done to take about that long}
    {"run": row, "count": n}         -> {"seconds": processor time}

Each installation takes its own bundled scenario; steps, sizes and schemes are given here, so that both compute the same.
"""

import json
import os
import sys
import time

HELD = {"type": "external", "period": "1 ms"}
SIZES = {"method.resolution": 4, "time.step": 1e-3}


def march(scenario, seconds, **changes):
    """Compiled steps over a span of motion, without set-up and records: one long period of the on-line simulator."""

    def make(fa):
        given = {"output.every": None, "time.end": 100.0 * seconds, **changes}
        simulator = fa.Simulator(fa.load(scenario).with_(given), period=seconds)

        def work():
            simulator.reset()
            simulator.step()

        return work

    return make


def controller(fa):
    """A law written in Python, asked every millisecond."""
    loaded = fa.load("pd-hub").with_({"drive.link.control": HELD, "time.end": 1.0, "time.step": 1e-3 / 4})

    def law(time, reading):
        return 3.0 * (0.5 - reading["link.position"]) - 0.6 * reading["link.velocity"]

    return lambda: fa.simulate(loaded, controller=law)


def on_line(fa):
    """A thousand periods of 1 ms of the on-line simulator, with a torque from outside."""
    loaded = fa.load("tokhi-azad").with_({"time.end": 1000.0, "time.step": 1e-3 / 4})
    simulator = fa.Simulator(loaded, period="1 ms")
    torque = [0.1]

    def work():
        simulator.reset()
        for _ in range(1000):
            simulator.step(torque)

    return work


def whole_run(scenario, **changes):
    """A run with all that belongs to it: set-up, records, labels."""

    def make(fa):
        loaded = fa.load(scenario).with_(changes)
        return lambda: fa.simulate(loaded).data

    return make


def set_up(scenario, **changes):
    """Building a model, ready for its first step of 1 ms; an automatic step would be tried out."""

    def make(fa):
        loaded = fa.load(scenario).with_({"time.step": 1e-3, **changes})
        return lambda: fa.Simulator(loaded)

    return make


def natural_frequencies(scenario, **changes):
    """The linear model and its eigenvalues."""

    def make(fa):
        loaded = fa.load(scenario).with_(changes)
        return lambda: fa.frequencies(loaded)

    return make


def _fd(scheme, step, **more):
    options = {f"method.{name}": value for name, value in more.items()}
    return march("tokhi-azad", 9.6, **{"method.scheme": scheme, "method.resolution": 19, "time.step": step, **options})


ROWS = {
    "fd leapfrog": ("fd", _fd("leapfrog", 0.24e-3)),
    "fd newmark": ("fd", _fd("newmark", 0.24e-3)),
    "fd exact": ("fd", _fd("exact", 1e-3, modes=8)),
    "fd hub law": ("fd", march("pd-hub", 1.0, **{"time.step": 0.25e-3})),
    "fem in the plane": ("fem", march("naganathan-flexible", 2.0, **SIZES)),
    "fem servo": ("fem", march("naganathan-servo", 2.0, **{"time.step": 1e-3})),
    "fem in space": ("fem-spatial", march("naganathan-3r", 0.5, **SIZES)),
    "segments": ("segments", march("li-zhang-three-link-flexible", 0.5, **{"time.step": 1e-3})),
    "modes with a loop": ("modes", march("ralf", 1.0, **{"method.resolution": 2, "time.step": 1e-3})),
    "modes hydraulic": ("modes", march("ralf-hydraulic", 0.5, **{"method.resolution": 2, "time.step": 1e-3})),
    "ancf hub law": ("ancf", march("tian-circle", 2.0, **{"drive.0.control.sensor": "hub", "time.step": 1e-3})),
    "ancf chord law": ("ancf", march("tian-circle", 2.0, **{"time.step": 1e-3})),
    "sampled PD": ("ticks", whole_run("pd-hub", **{"drive.link.control.period": "1 ms", "time.step": 1e-3 / 4})),
    "controller in Python": ("ticks", controller),
    "Simulator.step": ("ticks", on_line),
    "simulate, fd": ("fd", whole_run("tokhi-azad")),
    "simulate, fem": ("fem", whole_run("naganathan-flexible")),
    "simulate, ancf": ("ancf", whole_run("soft-arm-torque")),
    "building, fem": ("fem", set_up("naganathan-flexible")),
    "building, fem in space": ("fem-spatial", set_up("naganathan-3r")),
    "building, segments": ("segments", set_up("li-zhang-three-link-flexible")),
    "building, modes": ("modes", set_up("four-bar")),
    "building, ancf": ("ancf", set_up("tian-circle")),
    "frequencies, fem": ("fem", natural_frequencies("naganathan-flexible")),
}
"""Name of each row: the bench that it belongs to, and a function that makes the work from the package."""


def timed(work, count):
    """Processor time of all threads, s."""
    began = time.process_time()
    for _ in range(count):
        work()
    return time.process_time() - began


def sentence(error):
    """The first line of an error, in one line."""
    text = " ".join(str(error).split()) or type(error).__name__
    return f"{type(error).__name__}: {text}"[:300]


def answer(request, jobs, fa):
    """Do what is asked; whatever an installation cannot do becomes a sentence."""
    try:
        if "prepare" in request:
            row = request["prepare"]
            jobs[row] = ROWS[row][1](fa)
            jobs[row]()
            return {"ready": True}
        if "calibrate" in request:
            work = jobs[request["calibrate"]]
            once = max(min(timed(work, 1) for _ in range(2)), 1e-6)
            return {"count": max(1, round(request["seconds"] / once))}
        return {"seconds": timed(jobs[request["run"]], request["count"])}
    except Exception as error:
        return {"skip": sentence(error)}


def main():
    """Answer until standard input ends. What the package prints goes to standard error, not among the answers."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    jobs = {}

    def say(what):
        print(json.dumps(what), file=answers, flush=True)

    try:
        import flexarm as fa
    except Exception as error:
        say({"skip": sentence(error)})
        return
    say({"flexarm": fa.__version__, "place": os.path.dirname(fa.__file__), "python": sys.version.split()[0]})
    for line in sys.stdin:
        say(answer(json.loads(line), jobs, fa))


if __name__ == "__main__":
    main()
