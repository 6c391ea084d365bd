"""Draws: the distributions they are said to have, and the same bits however they are cut into parts."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from flexarm.errors import FlexarmError
from flexarm.studies.laws import Discrete, LogUniform, Normal, Uniform
from flexarm.studies.sampling import KINDS, Design, check_size, mixing_of

LAWS = {
    "uniform": (Uniform(-1.0, 3.0), stats.uniform(-1.0, 4.0)),
    "log-uniform": (LogUniform(0.1, 10.0), stats.loguniform(0.1, 10.0)),
    "normal": (Normal(2.0, 0.5), stats.norm(2.0, 0.5)),
    "cut": (Normal(2.0, 0.5, 1.8, 3.0), stats.truncnorm(-0.4, 2.0, 2.0, 0.5)),
    "log-normal": (Normal(2.0, 0.3, logarithmic=True), stats.lognorm(0.3, scale=2.0)),
}


@pytest.mark.parametrize("name", LAWS)
def test_laws_are_those_of_scipy(name: str) -> None:
    law, known = LAWS[name]
    share = np.linspace(0.001, 0.999, 97)
    assert np.allclose(law.at(share), known.ppf(share), rtol=1e-12)


def test_discrete_shares() -> None:
    found = Discrete((5.0, 7.0, 9.0), (1.0, 2.0, 1.0)).at((np.arange(1000) + 0.5) / 1000)
    assert [int((found == value).sum()) for value in (5.0, 7.0, 9.0)] == [250, 500, 250]


@pytest.mark.parametrize("kind", KINDS)
def test_draws_do_not_depend_on_parts(kind: str) -> None:
    laws = (Normal(0.0, 1.0), None, Uniform(0.0, 1.0), Normal(1.0, 0.2, logarithmic=True))
    mixing = mixing_of([(0, 2, 0.6)], [0, 2, 3]) if kind != "saltelli" else None
    design = Design(kind, 2048, 5, (None, (1.0, 2.0, 3.0), None, None), laws, mixing)
    whole = design.values(0, design.count)
    cuts = [0, 1, 7, 1000, 2048, 2049, 5000, design.count]
    parts = [design.values(a, b) for a, b in itertools.pairwise(cuts)]
    assert np.array_equal(whole, np.concatenate(parts))
    assert np.array_equal(whole[: design.draws, 0], whole[-design.draws :, 0])  # every listed value sees the same draws


def test_random_draws_have_their_moments_and_correlation() -> None:
    design = Design(
        "random", 40_000, 3, (None, None), (Normal(1.0, 0.2), Uniform(0.0, 1.0)), mixing_of([(0, 1, 0.8)], [0, 1])
    )
    x, y = design.values(0, design.count).T
    assert abs(x.mean() - 1.0) < 4 * 0.2 / 200 and abs(x.std() / 0.2 - 1.0) < 0.02
    # the correlation of ranks that belongs to normal scores with 0.8
    assert stats.spearmanr(x, y).statistic == pytest.approx(6 / np.pi * np.arcsin(0.4), abs=0.01)
    assert stats.kstest(y, "uniform").pvalue > 1e-3


def test_latin_hypercube_has_one_draw_in_every_class() -> None:
    values = Design("latin-hypercube", 50, 1, (None, None), (Uniform(0.0, 1.0),) * 2).values(0, 50)
    for column in values.T:
        assert sorted((column * 50).astype(int)) == list(range(50))


def test_sobol_is_better_than_random() -> None:
    def error(kind: str) -> float:
        values = Design(kind, 4096, 2, (None,) * 3, (Uniform(0.0, 1.0),) * 3).values(0, 4096)
        return abs(float(np.prod(values, axis=1).mean()) - 0.125)

    assert error("sobol") < 0.1 * error("random") + 1e-5


def test_saltelli_swaps_one_column() -> None:
    values = Design("saltelli", 16, 1, (None,) * 3, (Uniform(0.0, 1.0),) * 3).values(0, 80)
    a, b, *swapped = values.reshape(5, 16, 3)
    for k, each in enumerate(swapped):
        assert np.array_equal(each[:, k], b[:, k])
        assert np.array_equal(np.delete(each, k, 1), np.delete(a, k, 1))


def test_refusals() -> None:
    with pytest.raises(FlexarmError, match="contradict"):
        mixing_of([(0, 1, 0.9), (1, 2, 0.9), (0, 2, -0.9)], [0, 1, 2])
    with pytest.raises(FlexarmError, match=r"1e\+12 runs"):
        check_size(Design("random", 1, 1, tuple((tuple(range(1000)),) * 4), (None,) * 4))
