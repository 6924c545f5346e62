"""Factoring of sums of products to save operations: x·a + x·b → x·(a + b); subexpressions of several sums are shared.

Every sum and product behind the roots becomes a *definition*: a sum of terms, each a sign, a coefficient of numbers and
parameters (computed once, so free) and a *cube*, the factors that change from call to call. Divisors are pulled out,
those that save most first (fast extract: Rajski & Vasudevamurthy 1992; for polynomials Hosangadi, Fallah & Kastner
2006):

- two terms, b·r + b·s → b·D with D = r + s, in all sums that contain a multiple of D; sin² + cos² is 1;
- two factors, x·y → D in all products that contain both.

When no divisor saves anything more, definitions are opened where they are used, products multiplied out into sums, and
divisors pulled out anew; what then costs more is undone. It pays to open together what has the same factors, as the
components of a rotated vector have (c·a + s·b + l·(c·f + s·g) is c·(a + l·f) + s·(b + l·g)), products in some part of
the program, and what stands inside definitions of the same factors.
"""

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import NamedTuple

from freebody.program.code import Code, Store, compact, exact_numbers
from freebody.program.count import operations
from freebody.program.program import Block, Program, Region
from freebody.program.stage import node_masks, settle
from freebody.program.sums import FACTORS, Key, SumTable, Term, TermPair, common, moderate, strip
from freebody.scalar.graph import Graph
from freebody.scalar.node import ONE, ZERO, Node, all_nodes
from freebody.scalar.ops import ADD, ARITY, CONST, MUL, NEG, SUB, SYMBOL, WHERE
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind
from freebody.scalar.walk import computed, live, operands, rebuild, transfer

TERMS = 32  # the longest sum that opening makes
PART = 16  # definitions that are opened together because they are near each other
WORK = 20_000  # terms the search may write, and a few more for each there is

Definitions = Sequence[Node]
Opening = tuple[Node, int]  # a definition and a term that contains it


class Factored(NamedTuple):
    """Definitions as nodes of a graph of their own; ``time`` orders the nodes (see ``ordered``)."""

    graph: Graph
    roots: list[Node]
    time: dict[Node, int]


def shortened(program: Program, work: int = WORK) -> Program:
    """The same values up to rounding, by as many operations or fewer: blocks are read back as graphs and their sums
    factored. ``work`` as for ``factored``."""
    masks = settle(program)

    def shorten(region: Region) -> Region:
        if not isinstance(region, Block):
            return region
        code = region.code
        result = factored(*read_back(code, node_masks(region, 0, masks)), work)
        if result is None:
            return region
        g, roots, time = result
        stores = [Store(h, s.to, s.add) for h, s in zip(roots, code.stores, strict=True)]
        loads = {i: code.loads[int(g.symbols[g.a[i]].name)] for i in all_nodes(g) if g.op[i] == SYMBOL}
        exact = exact_numbers(code.numbers)
        return Block(compact(g, stores, loads, lambda nodes: ordered(g, nodes, time), exact))

    return replace(program, regions=tuple(map(shorten, program.regions)))


def factored(g: Graph, roots: Sequence[Node], work: int = WORK) -> Factored | None:
    """The roots with fewer operations (additions, multiplications and divisions of what depends on more than
    parameters), equal up to rounding, in a graph of their own; None if none can be saved. ``work`` bounds the search; 0
    only pulls out the divisors there are."""
    search = FactorSearch(g)
    read(search, roots)
    search.settle()
    search.improve(work + 2 * search.written if work else 0)
    result = write(search, roots)
    return result if operations(result.graph, result.roots) < operations(g, roots) else None


# From code to a graph, and the order of what is written


def read_back(code: Code, masks: Sequence[int]) -> tuple[Graph, list[Node]]:
    """Code as a graph in which each load is a symbol, and what it stores."""
    g, at = Graph(), dict[Node, Node]()
    for i, op in zip(all_nodes(code), code.op, strict=True):
        if op == SYMBOL:
            at[i] = g.symbol(str(code.a[i]), Kind.INTERMEDIATE, mask=masks[i] or PARAMETERS_ONLY)
        elif op == CONST:
            value = float(code.numbers[code.a[i]])
            at[i] = g.const(value) if isfinite(value) else g.fail(str(value), value)
        else:
            at[i] = computed(code, i, g, at)
        for label in code.labels.get(i, ()) if g.op[at[i]] != CONST else ():
            g.label(at[i], label.name, label.description)
    return g, [at[s.value] for s in code.stores]


def ordered(g: Graph, nodes: Sequence[Node], time: Mapping[Node, int]) -> list[Node]:
    """The nodes (operands first, all that are needed) in an order in which values do not wait long, for a processor has
    few registers. Nodes are ordered by ``time``, that of the algorithm they stem from; what only one node needs, and
    what takes values that others need too, comes just before that node."""
    turn = dict[Node, int]()
    for i in nodes:
        turn[i] = max([time.get(i, 0), *(turn[k] for k in operands(g, i) if k in turn)])
    early = sorted(nodes, key=lambda i: (turn[i], i))
    position = {i: k for k, i in enumerate(early)}
    users: dict[Node, set[Node]] = {i: set() for i in early if ARITY[g.op[i]]}
    for i in early:
        for k in operands(g, i):
            if k in users:
                users[k].add(i)
    late = dict[Node, tuple[int, bool, int]]()
    for i in early:
        alone = len(users.get(i, ())) == 1 and all(len(users[k]) > 1 for k in operands(g, i) if k in users)
        late[i] = position[min(users[i])] if alone else position[i], not alone, position[i]
    return sorted(early, key=late.__getitem__)


# From nodes to definitions


def read(sums: SumTable, roots: Sequence[Node]) -> None:
    """The sums and products behind the roots as definitions; what is used once is part of what uses it."""
    g, nodes = sums.g, live(sums.g, roots)
    broken = set(g.broken)  # nodes that a number without a finite value reaches; a choice may avoid it
    for i in nodes if broken else ():
        if not broken.isdisjoint(operands(g, i)[: 1 if g.op[i] == WHERE else None]):
            broken.add(i)
    varying = (i for i in nodes if g.mask[i] > PARAMETERS_ONLY and i not in broken)
    arithmetic = {i for i in varying if g.op[i] in (ADD, SUB, MUL)}
    needed = {strip(g, r)[0] for r in roots}  # by roots, and by other operations than sums and products
    uses = dict.fromkeys(nodes, 0)  # signs left out
    for r in roots:
        uses[r] += 1
    for i in reversed(nodes):
        for k in operands(g, i):
            uses[k] += uses[i] if g.op[i] == NEG else 1
        if i not in arithmetic and g.op[i] != NEG:
            needed.update(strip(g, k)[0] for k in operands(g, i))

    def free(i: Node) -> bool:
        """Whether a node can be part of a coefficient."""
        return g.mask[i] <= PARAMETERS_ONLY and i not in broken and moderate(g, i)

    width: dict[Node, int] = {}
    parts: set[Node] = set()  # sums and products that are written out in the one that uses them
    for i in (i for i in nodes if i in arithmetic):
        factors = 0
        for k in (strip(g, k)[0] for k in operands(g, i)):
            once = k in arithmetic and uses[k] == 1
            if g.op[i] == MUL and once and g.op[k] == MUL and factors + width[k] < FACTORS:
                parts.add(k)
                factors += width[k]
            elif g.op[i] == MUL:
                factors += not free(k)
            elif once:
                parts.add(k)
        width[i] = factors

    def product(i: Node, k: Node, sign: int) -> tuple[int, Node, list[Node]]:
        """Sign, coefficient and factors of a term k of definition i."""
        c, cube, todo = g.one, list[Node](), [k]
        while todo:
            x, sign = strip(g, todo.pop(), sign)
            if g.op[x] == MUL and (x == i or x in parts):
                todo += [g.b[x], g.a[x]]
            elif free(x) and moderate(g, c, x):
                c, sign = strip(g, g.mul(c, x), sign)
            else:
                cube.append(x)
        return sign, c, cube

    for i in (i for i in nodes if i in arithmetic and i not in parts):
        sums.defs[i], todo = {}, [(i, 1)]
        while todo:
            k, sign = strip(g, *todo.pop())
            if g.op[k] in (ADD, SUB) and (k == i or k in parts):
                todo += [(g.b[k], sign if g.op[k] == ADD else -sign), (g.a[k], sign)]
            else:
                sums.insert(i, *product(i, k, sign))
    sums.pinned |= {i for i in needed if i in sums.defs}


# From definitions to nodes


def write(sums: SumTable, roots: Sequence[Node]) -> Factored:
    """The roots built from the definitions; a node's labels go to the node that replaces it.

    Time is measured in handles of the old graph, whose order is that of the algorithm: a term's is that of its latest
    factor, and sums take their terms in the order of time, so that few values wait for others.
    """
    g, target = sums.g, Graph()
    time: dict[Node, int] = {}  # of old nodes and definitions
    done: dict[Node, Node] = {}
    at: dict[Node, int] = {}  # the time of new nodes

    def note(node: Node, when: int) -> Node:
        at.setdefault(node, when)
        return node

    def fixed(i: Node) -> Node:
        """What depends on parameters alone."""
        done.update(transfer(g, [i], target, done))
        return done[i]

    def total(i: Node) -> Node:
        """The node of a definition."""
        terms = [sums.term[t] for t in sums.defs[i].values()]
        timed = [(max((time[x] for x in q), default=0), sign, c, q) for _, sign, c, q in terms]
        result, now = target.zero, 0
        for when, sign, c, cube in sorted(timed, key=lambda term: term[0]):
            product, now = target.one, max(now, when)
            for x in sorted(cube, key=time.__getitem__):
                product = note(target.mul(product, done[x]), when)
            value = note(target.mul(fixed(c), product), when)
            result = note((target.add if sign > 0 else target.sub)(result, value), now)
        return result

    todo = list(reversed(roots))
    while todo:  # each node and definition after those it needs
        i = todo.pop()
        if i in sums.defs:
            needed: Sequence[Node] = [x for q in sums.defs[i] for x in q]
        else:
            needed = operands(g, i) if g.mask[i] > PARAMETERS_ONLY else ()
        missing = [k for k in needed if k not in time]
        if missing:
            todo += [i, *reversed(missing)]
        elif i not in time:
            time[i] = max(i, *(time[k] for k in needed), 0)
            if i in sums.defs:
                done[i] = total(i)
            elif g.mask[i] <= PARAMETERS_ONLY:
                fixed(i)
            else:
                done[i] = note(rebuild(g, i, target, done, target.const), time[i])
            for label in g.labels.get(i, ()) if target.op[done[i]] != CONST else ():
                target.label(done[i], label.name, label.description)
    return Factored(target, [done[r] for r in roots], at)


# The search


class FactorSearch(SumTable):
    """Pull out divisors; open definitions and look whether there are better ones."""

    end = 0  # no opening once so many terms were written

    # Divisors

    def settle(self) -> None:
        """Pull out divisors as long as that saves operations, those that save most first, sums before products."""
        heap: list[tuple[int, bool, int, Key]] = []
        number, pulled = 0, True
        while pulled or self.flatten():
            self.compare()
            changed, self.divisors.changed = self.divisors.changed, {}
            for key in changed:  # whose gain may have risen
                gain, _ = self.divisors.gain(key)
                if gain > 0:
                    number += 1
                    heapq.heappush(heap, (-gain, key[0] == 0, number, key))
            pulled = False
            while heap and not pulled:
                expected, product, entry, key = heapq.heappop(heap)
                gain, pairs = self.divisors.gain(key)
                if gain == -expected:
                    self._pull_out(key, pairs)
                    pulled = True
                elif gain > 0:
                    heapq.heappush(heap, (-gain, product, entry, key))

    def _pull_out(self, key: Key, pairs: Sequence[TermPair]) -> None:
        D, turned = (ZERO, 1) if self.divisors.unit(key) else self._home(key, pairs)
        for i, j in pairs:
            if i in self.term and j in self.term and self.term[i][0] != D:
                owner, sign, c, base = self._remainder(key, i, j)
                for t in {i, j}:
                    self.remove(t)
                self.insert(owner, sign * turned, c, (*base, D) if D else base)

    def _remainder(self, key: Key, i: int, j: int) -> Term:
        """The remainder of a term, or of two together, without the divisor."""
        owner, sign, c, q = self.term[i]
        if i == j:
            return owner, sign, c if key[1] == 1 else ONE, common(q, key[3])[1]
        return owner, *self.divisors.split(self.term[i], self.term[j])[1:]

    def _home(self, key: Key, pairs: Sequence[TermPair]) -> tuple[Node, int]:
        """The definition that is the divisor up to a sign, and the sign; a new one if there is none."""
        for i, j in pairs:
            owner, turned, c, base = self._remainder(key, i, j)
            if not base and c == 1 and len(self.defs[owner]) == len({i, j}):
                return owner, turned
        D, (sign, c, d, q, r) = self.define(), key
        self.insert(D, 1, c, q)
        if sign:
            self.insert(D, sign, d, r)
        return D, 1

    # Openings

    def improve(self, work: int) -> None:
        """Try openings until none helps, or so many terms were written."""
        self.log.clear()
        self.end, before = self.written + work, self.cost + 1
        while self.cost < before:
            before = self.cost
            for groups, openings, products, sums in MOVES:
                for group in groups(self):
                    if self.written >= self.end:
                        return
                    self.attempt(openings(self, group), products, sums)

    def attempt(self, openings: Iterator[Opening], products: int, sums: int) -> None:
        """Open products and sums that are used so often at most. What costs more is undone; what costs the same
        stays, as another start for what follows."""
        before = self.cost
        for d, t in openings:
            size = len(self.defs[d])
            if t not in self.term or self.written >= self.end or self.uses(d) > (products if size == 1 else sums):
                continue
            if (size == 1 or size + len(self.defs[self.term[t][0]]) <= TERMS + 1) and self.fits(d, t):
                self.open(d, t)
        if self.log:
            self.settle()
            if self.cost > before:
                self.undo()
            self.log.clear()

    def outside(self, group: Definitions) -> Iterator[Opening]:
        """The definitions of a group, where they are used."""
        return ((d, t) for d in group for t in list(self.refs.get(d, ())))

    def inside(self, group: Definitions) -> Iterator[Opening]:
        """What is used in the definitions of a group, there."""
        needed = dict.fromkeys(x for d in group for q in self.defs[d] for x in q if x in self.defs)
        return ((x, t) for d in group for x in needed for q, t in list(self.defs[d].items()) if x in q)

    # Groups of definitions

    def alike(self) -> list[Definitions]:
        """Definitions that have the same factors."""
        groups: dict[frozenset[Node], list[Node]] = {}
        for d in self.order():
            groups.setdefault(frozenset(x for q in self.defs[d] for x in q), []).append(d)
        return list(groups.values())

    def parts(self, size: int = PART) -> list[Definitions]:
        order = self.order()
        return [order[k : k + size] for k in range(0, len(order), size)]

    def everything(self) -> list[Definitions]:
        return [self.order()]

    def order(self) -> list[Node]:
        """The definitions, each after those it needs."""
        ordered: dict[Node, None] = {}
        begun: set[Node] = set()
        todo = sorted(self.pinned, reverse=True)
        while todo:
            d = todo.pop()
            if d in begun:
                ordered[d] = None
            elif d in self.defs:
                begun.add(d)
                todo += [d, *(x for q in self.defs[d] for x in q if x not in begun)]
        return list(ordered)


Groups = Callable[[FactorSearch], list[Definitions]]
Openings = Callable[[FactorSearch, Definitions], Iterator[Opening]]
MOVES: tuple[tuple[Groups, Openings, int, int], ...] = (
    (FactorSearch.alike, FactorSearch.outside, 0, 1),
    (FactorSearch.everything, FactorSearch.outside, 9, 0),
    (FactorSearch.everything, FactorSearch.outside, 3, 1),
    (FactorSearch.alike, FactorSearch.outside, 3, 3),
    (FactorSearch.parts, FactorSearch.outside, 9, 0),
    (FactorSearch.parts, FactorSearch.outside, 3, 1),
    (FactorSearch.alike, FactorSearch.inside, 9, 9),
)
"""Groups of definitions, where they are opened, and how often products and sums may be used to be opened."""
