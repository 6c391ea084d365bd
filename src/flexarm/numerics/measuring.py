"""What sensors make of readings: bias, noise, quantisation, a sample period of their own and delay, as a stage of a control tick.

    sample k of a sensor:   m_k = q round((y + b + s n_k) / q) ,   held for its period, told `delay` later.

n_k is normal with deviation 1, made from the seed and the number k alone (a counter that is scrambled, then Box and Muller's formula), so
that chunks, checkpoints, threads and other sensors change nothing.

Memory of each sensor: ticks so far, the sample that is held, then a ring of what is on its way.
"""

from __future__ import annotations

import math

import numpy as np

from flexarm.numerics.bundle import Bundle
from flexarm.numerics.jit import njit_by_address, njit_part

STEP, FIRST, SECOND = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
UNIT = 2.0**-53


class Sensors(Bundle):
    """Places among the readings; bias, deviation of the noise and quantum (0: none) in SI units; seeds; periods and delays in ticks;
    where the memory of each begins."""

    place: np.ndarray
    bias: np.ndarray
    noise: np.ndarray
    quantum: np.ndarray
    seed: np.ndarray
    every: np.ndarray
    delay: np.ndarray
    begin: np.ndarray


@njit_part
def scrambled(counter):
    """A number of 64 bits that looks random (splitmix64 of a counter)."""
    z = counter * STEP
    z = (z ^ (z >> np.uint64(30))) * FIRST
    z = (z ^ (z >> np.uint64(27))) * SECOND
    return z ^ (z >> np.uint64(31))


@njit_part
def normal(seed, k):
    """Number k of a sequence of normal numbers."""
    first = scrambled(scrambled(np.uint64(seed)) + np.uint64(2) * np.uint64(k) + np.uint64(1))
    second = scrambled(scrambled(np.uint64(seed)) + np.uint64(2) * np.uint64(k) + np.uint64(2))
    u, v = (float(first >> np.uint64(11)) + 1.0) * UNIT, float(second >> np.uint64(11)) * UNIT
    return math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * v)


@njit_by_address
def measure(sensors, time, y, told, memory, held):
    """Put what the sensors tell in the place of the readings; returns the number of one whose reading is not finite, from 1 on."""
    said = 0
    for i in range(sensors.place.shape[0]):
        begin, place, delay = sensors.begin[i], sensors.place[i], sensors.delay[i]
        tick = int(memory[begin])
        if tick % sensors.every[i] == 0:
            value = y[place] + sensors.bias[i]
            if sensors.noise[i] > 0.0:
                value += sensors.noise[i] * normal(sensors.seed[i], tick // sensors.every[i])
            if sensors.quantum[i] > 0.0:
                value = sensors.quantum[i] * math.floor(value / sensors.quantum[i] + 0.5)
            memory[begin + 1] = value
        told_now = memory[begin + 1]
        if delay > 0:
            if tick == 0:  # before the first sample the arm stood as it does there
                for k in range(delay):
                    memory[begin + 2 + k] = told_now
            slot = begin + 2 + tick % delay
            told_now, memory[slot] = memory[slot], told_now
        if not abs(told_now) < np.inf:
            said = i + 1
        y[place] = told_now
        memory[begin] = tick + 1.0
    return said
