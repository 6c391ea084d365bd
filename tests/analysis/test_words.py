"""Words that the analyses do not know are refused with those that they do, and the nearest one."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.analysis.exact_link import ExactLink
from flexarm.analysis.spectrum import fit_modes, spectrum
from flexarm.errors import check_word

TIME = np.linspace(0.0, 1.0, 101)
WAVE = np.sin(30.0 * TIME)
CALLS = {
    "joints": (lambda: fa.frequencies("tokhi-azad", joints="driven"), "joints: it is one of locked, free, held"),
    "joints of an arm": (lambda: fa.frequencies(fa.load("tokhi-azad").arm, joints="lock"), "did you mean 'locked'"),
    "joints along": (
        lambda: fa.frequencies_along(fa.load("naganathan-flexible"), joints="hold"),
        "did you mean 'held'",
    ),
    "hub": (lambda: ExactLink(1.0, 1.0, 1.0).frequencies(1, "clamp"), "did you mean 'clamped'"),
    "window": (lambda: spectrum(TIME, WAVE, window="han"), "did you mean 'hann'"),
    "detrend": (lambda: spectrum(TIME, WAVE, detrend="lin"), "detrend: it is one of none, constant, linear"),
    "trend": (lambda: fit_modes(TIME, WAVE, 1, trend="quadratic"), "trend: it is one of none, constant, linear"),
    "bridge": (lambda: fa.GaugeChain(bridge="third"), "bridge: it is one of quarter, half, full"),
    "method": (lambda: fa.compare("tokhi-azad", methods=["fdm"]), "there is no method 'fdm'"),
}


@pytest.mark.parametrize(("call", "words"), CALLS.values(), ids=CALLS)
def test_unknown_words_are_refused(call, words):
    with pytest.raises(fa.FlexarmError, match=words):
        call()


def test_known_words_pass():
    check_word("free", ("locked", "free"), "joints")
