"""Quantities that are read off a state: written as formulas, evaluated in compiled code, with their derivatives.

A formula is built once, from numbers of the state vector, with the usual operators and NumPy's functions. `Graph.tape`
lists the operations of the wanted formulas one after the other, shared parts once; `Tape` works them out for a state or
for many records, and gives their derivatives by every number of the state (backwards through the list). The rate of a
formula follows from the rates of the state's numbers by the chain rule, so whoever gives a place has its velocity too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from flexarm.numerics.bundle import Bundle
from flexarm.numerics.jit import njit, njit_part

STATE_SUM, SUM, PRODUCT, QUOTIENT, SINE, COSINE, ROOT, ANGLE, PIECEWISE = range(9)
"""Operations: weighted sum of numbers of the state, weighted sum of earlier results, and functions of one or two of them."""
WIDEST_MERGE = 64
"""Sums of the state with more terms than this stay apart when they are added."""


class Expression:
    """A formula of the state's numbers; made by `Graph`. Arrays of formulas work as arrays of numbers do."""

    __slots__ = ("graph", "number")

    def __init__(self, graph: Graph, number: int):
        self.graph, self.number = graph, number

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Expression):
            return self.graph.sum_of_two(self.number, other.number, 1.0)
        return NotImplemented if isinstance(other, np.ndarray) else self.graph.scaled(self.number, 1.0, other)

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, Expression):
            return self.graph.sum_of_two(self.number, other.number, -1.0)
        return NotImplemented if isinstance(other, np.ndarray) else self.graph.scaled(self.number, 1.0, -other)

    def __rsub__(self, other: Any) -> Any:
        return self.graph.scaled(self.number, -1.0, other)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Expression):
            return self.graph.node(PRODUCT, self.number, other.number)
        if isinstance(other, np.ndarray):
            return NotImplemented
        return self.graph.scaled(self.number, float(other), 0.0) if other else 0.0

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        if isinstance(other, Expression):
            return self.graph.node(QUOTIENT, self.number, other.number)
        return self * (1.0 / other)

    def __rtruediv__(self, other: float) -> Expression:
        return self.graph.constant(other) / self

    def __neg__(self) -> Expression:
        return self * -1.0

    def __pow__(self, power: int) -> Expression:
        if power != 2:
            raise ValueError("formulas know squares only")
        return self * self

    __radd__, __rmul__ = __add__, __mul__

    def sin(self) -> Expression:
        """Sine; what `np.sin` calls."""
        return self.graph.node(SINE, self.number)

    def cos(self) -> Expression:
        """Cosine; what `np.cos` calls."""
        return self.graph.node(COSINE, self.number)

    def sqrt(self) -> Expression:
        """Square root; what `np.sqrt` calls."""
        return self.graph.node(ROOT, self.number)

    def arctan2(self, x: Any) -> Expression:
        """Angle of the vector (x, self); what `np.arctan2` calls."""
        x = x if isinstance(x, Expression) else self.graph.constant(x)
        return self.graph.node(ANGLE, self.number, x.number)


class Graph:
    """Formulas of one state vector, shared parts kept once.

    Parameters
    ----------
    rates : mapping
        Where the rate of a number of the state stands in the state (by its place), or a function that gives its formula;
        others do not change.

    Examples
    --------
    >>> graph = Graph(rates={0: 1})  # an angle and its rate
    >>> angle = graph.state(0)
    >>> x, y = 2.0 * np.cos(angle), 2.0 * np.sin(angle)
    >>> graph.tape([x, y, graph.rate(y)]).values(np.array([0.5 * np.pi, 3.0])).round(12) + 0.0
    array([0., 2., 0.])
    """

    def __init__(self, rates: Mapping[int, int | Callable[[], Any]] | None = None):
        self.nodes: list[tuple[Any, ...]] = []
        self._tables: dict[bytes, tuple[int, np.ndarray]] = {}
        self.rates = rates or {}
        self._known: dict[tuple[Any, ...], int] = {}
        self._rate_of: dict[int, Any] = {}

    def node(self, *node: Any) -> Any:
        """The formula of one operation, made once."""
        number = self._known.get(node)
        if number is None:
            number = self._known[node] = len(self.nodes)
            self.nodes.append(node)
        return Expression(self, number)

    def state(self, place: int, weight: float = 1.0) -> Any:
        """A number of the state, times a weight."""
        return self.node(STATE_SUM, (int(place),), (weight,), 0.0)

    def state_sum(self, places: Iterable[int], weights: Iterable[float]) -> Any:
        """Weighted sum of numbers of the state; places below 0 count nothing."""
        used = [(int(p), float(w)) for p, w in zip(places, weights, strict=True) if p >= 0 and w]
        return self.node(STATE_SUM, *zip(*used, strict=True), 0.0) if used else 0.0

    def constant(self, value: float) -> Any:
        """A number as a formula."""
        return self.node(STATE_SUM, (), (), float(value))

    def row(self, weights: np.ndarray, constant: float = 0.0, first: int = 0) -> Any:
        """Weighted sum of the numbers of the state from place `first` on."""
        places = np.flatnonzero(weights)
        return self.node(STATE_SUM, tuple((places + first).tolist()), tuple(weights[places].tolist()), float(constant))

    def rows(self, weights: np.ndarray, constants: Any = 0.0, first: int = 0) -> np.ndarray:
        """Formulas of the rows of a matrix (any leading axes)."""
        lead = weights.shape[:-1]
        constants = np.broadcast_to(constants, lead)
        out = np.empty(lead, dtype=object)
        for index in np.ndindex(*lead):
            out[index] = self.row(weights[index], constants[index], first)
        return out

    def piecewise(self, table: np.ndarray, formula: Any) -> Expression:
        """A function of a formula by cubics in cells: rows (begin of the cell, coefficients of the powers of what is beyond)."""
        table = np.ascontiguousarray(table, dtype=float)
        key = table.tobytes()
        if key not in self._tables:
            self._tables[key] = sum(len(other) + 1 for _, other in self._tables.values()), table
        formula = formula if isinstance(formula, Expression) else self.constant(formula)
        return self.node(PIECEWISE, formula.number, key)

    def scaled(self, number: int, factor: float, constant: float) -> Any:
        """A node times a factor, plus a number."""
        op, *given = self.nodes[number]
        if op in (STATE_SUM, SUM):
            places, weights, own = given
            if factor != 1.0:
                weights = tuple([factor * weight for weight in weights])
            return self.node(op, places, weights, float(factor * own + constant))
        if factor == 1.0 and constant == 0.0:
            return Expression(self, number)
        return self.node(SUM, (number,), (factor,), float(constant))

    def sum_of_two(self, first: int, second: int, weight: float) -> Any:
        """A node plus another one with a weight; sums of the state that are not too wide become one."""
        a, b = self.nodes[first], self.nodes[second]
        if a[0] != STATE_SUM or b[0] != STATE_SUM or len(a[1]) + len(b[1]) > WIDEST_MERGE:
            return self.node(SUM, (first, second), (1.0, weight), 0.0)
        merged = dict(zip(a[1], a[2], strict=True))
        for place, own in zip(b[1], b[2], strict=True):
            merged[place] = merged.get(place, 0.0) + weight * own
        return self.node(STATE_SUM, tuple(merged), tuple(merged.values()), a[3] + weight * b[3])

    def total(self, terms: Sequence[Any], weights: Sequence[float] | None = None) -> Any:
        """Weighted sum of formulas and numbers; a number if all are."""
        numbers: list[int] = []
        factors: list[float] = []
        constant, linear, width = 0.0, True, 0
        for term, weight in zip(terms, weights or (1.0,) * len(terms), strict=True):
            if isinstance(term, Expression):
                numbers.append(term.number)
                factors.append(weight)
                node = self.nodes[term.number]
                linear = linear and node[0] == STATE_SUM
                width += len(node[1]) if linear else 0
            else:
                constant += weight * term
        if not numbers:
            return constant
        if linear and width <= WIDEST_MERGE:
            return self._merged(numbers, factors, constant)
        if factors == [1.0] and constant == 0.0:
            return Expression(self, numbers[0])
        return self.node(SUM, tuple(numbers), tuple(factors), constant)

    def _merged(self, numbers: Sequence[int], factors: Sequence[float], constant: float) -> Expression:
        """Sums of the state as one sum."""
        merged: dict[int, float] = {}
        for number, factor in zip(numbers, factors, strict=True):
            _, places, weights, own = self.nodes[number]
            constant += factor * own
            for place, weight in zip(places, weights, strict=True):
                merged[place] = merged.get(place, 0.0) + factor * weight
        return self.node(STATE_SUM, tuple(merged), tuple(merged.values()), constant)

    def rate(self, formula: Any) -> Any:
        """Change of a formula per time."""
        if not isinstance(formula, Expression):
            return 0.0
        for number in self._needed([formula.number], self._rate_of):
            self._rate_of[number] = self._derivative(number)
        return self._rate_of[formula.number]

    def _derivative(self, number: int) -> Any:
        op, *given = self.nodes[number]
        own = Expression(self, number)
        if op == STATE_SUM:
            moving = [(self.rates[p], w) for p, w in zip(given[0], given[1], strict=True) if p in self.rates]
            terms = [rate() if callable(rate) else self.state(rate) for rate, _ in moving]
            return self.total(terms, [w for _, w in moving])
        if op == SUM:
            return self.total([self._rate_of[k] for k in given[0]], given[1])
        a, da = Expression(self, given[0]), self._rate_of[given[0]]
        if op == SINE:
            return a.cos() * da
        if op == COSINE:
            return a.sin() * da * -1.0
        if op == ROOT:
            return da * 0.5 / own
        if op == PIECEWISE:
            table = self._tables[given[1]][1]
            slope = np.column_stack([table[:, 0], table[:, 2:] * (1.0, 2.0, 3.0), np.zeros(len(table))])
            return self.piecewise(slope, a) * da
        b, db = Expression(self, given[1]), self._rate_of[given[1]]
        if op == PRODUCT:
            return a * db + b * da
        if op == QUOTIENT:
            return (da - own * db) / b
        return (b * da - a * db) / (a * a + b * b)

    def _needed(self, numbers: Sequence[int], known: Mapping[int, Any]) -> list[int]:
        """Numbers of the nodes behind some, in order, but for those that are known."""
        found: set[int] = set()
        stack = list(numbers)
        while stack:
            number = stack.pop()
            if number in found or number in known:
                continue
            found.add(number)
            op, *given = self.nodes[number]
            stack.extend(() if op == STATE_SUM else given[0] if op == SUM else given[:1] if op == PIECEWISE else given)
        return sorted(found)

    def tape(self, formulas: Iterable[Any]) -> Tape:
        """The operations that work out some formulas (or plain numbers), one after the other."""
        wanted = [f.number if isinstance(f, Expression) else self.constant(f).number for f in formulas]
        order = self._needed(wanted, {})
        new = {number: k for k, number in enumerate(order)}
        code = np.zeros((len(order), 3), dtype=np.int64)
        constant = np.zeros(len(order))
        places: list[int] = []
        weights: list[float] = []
        for k, number in enumerate(order):
            op, *given = self.nodes[number]
            if op in (STATE_SUM, SUM):
                first = len(places)
                places += given[0] if op == STATE_SUM else [new[p] for p in given[0]]
                weights += given[1]
                code[k], constant[k] = (op, first, len(places)), given[2]
            elif op == PIECEWISE:
                code[k] = (op, new[given[0]], self._tables[given[1]][0])
            else:
                code[k] = (op, new[given[0]], new[given[-1]])
        ended = [np.pad(table, ((0, 1), (0, 0)), constant_values=np.inf) for _, table in self._tables.values()]
        steps = Operations(
            code, constant, np.array(places, dtype=np.int64), np.array(weights),
            np.concatenate([np.zeros((0, 5)), *ended]), np.array([new[k] for k in wanted], dtype=np.int64), np.zeros(len(order)),
            np.zeros(len(order)),
        )  # fmt: skip
        return Tape(steps)


class Operations(Bundle):
    """A list of operations: code (n, 3) and constants, places and weights of sums, tables of cubics one after the other, results
    that are wanted, workspace."""

    code: np.ndarray
    constant: np.ndarray
    places: np.ndarray
    weights: np.ndarray
    tables: np.ndarray
    wanted: np.ndarray
    result: np.ndarray
    adjoint: np.ndarray


class Tape:
    """Formulas ready to be evaluated."""

    def __init__(self, operations: Operations):
        self.operations = operations
        self.size = len(operations.wanted)

    def read(self, x: np.ndarray, out: np.ndarray) -> None:
        """Values at a state, into `out`."""
        values(self.operations, x, out)

    def values(self, x: np.ndarray) -> np.ndarray:
        """Values (k,) at a state, or (n, k) at records (n, width)."""
        many = np.ascontiguousarray(np.atleast_2d(x), dtype=float)
        out = np.empty((len(many), self.size))
        values_of_many(self.operations, many, out)
        return out if np.ndim(x) == 2 else out[0]

    def derivatives(self, x: np.ndarray) -> np.ndarray:
        """Derivatives (k, width) of the formulas by the numbers of the state."""
        out = np.zeros((self.size, len(x)))
        derivatives(self.operations, np.ascontiguousarray(x, dtype=float), out)
        return out


@njit_part
def values_at(tape, x, out):
    """Work out the formulas at the state x."""
    _run(tape, x)
    for i in range(tape.wanted.shape[0]):
        out[i] = tape.result[tape.wanted[i]]


@njit
def values(tape, x, out):
    """The same for calls from Python."""
    values_at(tape, x, out)


@njit
def values_of_many(tape, records, out):
    """Work out the formulas for every record."""
    for t in range(records.shape[0]):
        _run(tape, records[t])
        for i in range(tape.wanted.shape[0]):
            out[t, i] = tape.result[tape.wanted[i]]


@njit_part
def _run(tape, x):
    code, result, places, weights = tape.code, tape.result, tape.places, tape.weights
    for k in range(code.shape[0]):
        op, a, b = code[k, 0], code[k, 1], code[k, 2]
        if op == STATE_SUM:
            total = tape.constant[k]
            for j in range(a, b):
                total += weights[j] * x[places[j]]
            result[k] = total
        elif op == SUM:
            total = tape.constant[k]
            for j in range(a, b):
                total += weights[j] * result[places[j]]
            result[k] = total
        elif op == PRODUCT:
            result[k] = result[a] * result[b]
        elif op == QUOTIENT:
            result[k] = result[a] / result[b]
        elif op == SINE:
            result[k] = math.sin(result[a])
        elif op == COSINE:
            result[k] = math.cos(result[a])
        elif op == ROOT:
            result[k] = math.sqrt(result[a])
        elif op == ANGLE:
            result[k] = math.atan2(result[a], result[b])
        else:
            cell, beyond = _cell(tape, b, result[a])
            result[k] = cell[1] + beyond * (cell[2] + beyond * (cell[3] + beyond * cell[4]))


@njit_part
def _cell(tape, first, value):
    """The cell of a table in which a value lies, and how far beyond its begin."""
    k = first
    while tape.tables[k + 1, 0] <= value:
        k += 1
    return tape.tables[k], value - tape.tables[k, 0]


@njit
def derivatives(tape, x, out):
    """Derivatives of every formula, backwards through the operations."""
    _run(tape, x)
    code, result, adjoint, places, weights = tape.code, tape.result, tape.adjoint, tape.places, tape.weights
    for i in range(tape.wanted.shape[0]):
        adjoint[:] = 0.0
        adjoint[tape.wanted[i]] = 1.0
        for k in range(tape.wanted[i], -1, -1):
            slope, op, a, b = adjoint[k], code[k, 0], code[k, 1], code[k, 2]
            if slope == 0.0:
                continue
            if op == STATE_SUM:
                for j in range(a, b):
                    out[i, places[j]] += slope * weights[j]
            elif op == SUM:
                for j in range(a, b):
                    adjoint[places[j]] += slope * weights[j]
            elif op == PRODUCT:
                adjoint[a] += slope * result[b]
                adjoint[b] += slope * result[a]
            elif op == QUOTIENT:
                adjoint[a] += slope / result[b]
                adjoint[b] -= slope * result[k] / result[b]
            elif op == SINE:
                adjoint[a] += slope * math.cos(result[a])
            elif op == COSINE:
                adjoint[a] -= slope * math.sin(result[a])
            elif op == ROOT:
                adjoint[a] += slope * 0.5 / result[k]
            elif op == ANGLE:
                square = result[a] * result[a] + result[b] * result[b]
                adjoint[a] += slope * result[b] / square
                adjoint[b] -= slope * result[a] / square
            else:
                cell, beyond = _cell(tape, b, result[a])
                adjoint[a] += slope * (cell[2] + beyond * (2.0 * cell[3] + 3.0 * beyond * cell[4]))
