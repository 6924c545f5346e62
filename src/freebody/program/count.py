"""Operation counts: multiplications, additions and divisions; function calls are listed separately, signs are free."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from freebody.program.program import Program, Scan, Solve
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.ops import CALL, OPS, TABLE
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.walk import live


@dataclass(frozen=True)
class Operations:
    """How many of each; ``calls`` lists functions by name (sin, cos, where, table, …)."""

    mul: int = 0
    add: int = 0
    div: int = 0
    calls: dict[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """The headline: multiplications, additions and divisions together."""
        return self.mul + self.add + self.div

    def __str__(self) -> str:
        calls = "".join(f", {n} {name}" for name, n in sorted(self.calls.items()))
        return f"{self.total} operations ({self.mul} mul, {self.add} add, {self.div} div{calls})"


def count(program: Program) -> Operations:
    """The operations of one call of the program."""
    total: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    for region in program.regions:
        if isinstance(region, Solve):
            total.update(region.plan.operations(region.right_sides))
            continue
        times = Counter(region.kinds) if isinstance(region, Scan) else {0: 1}
        for kind, code in enumerate(region.codes):
            for i, op in enumerate(code.op):
                if OPS[op].cost == "call":
                    name = code.calls[code.a[i]][0].name if op == CALL else "table" if op == TABLE else OPS[op].name
                    calls[name] += times[kind]
                else:
                    total[OPS[op].cost] += times[kind]
            total["add"] += times[kind] * sum(store.add for store in code.stores)
    return Operations(total["mul"], total["add"], total["div"], dict(sorted(calls.items())))


def operations(g: Graph, roots: Sequence[Node]) -> int:
    """Additions, multiplications and divisions behind these nodes that depend on more than parameters."""
    counted = [o.cost in ("add", "mul", "div") for o in OPS]
    return sum([counted[g.op[i]] and g.mask[i] > PARAMETERS_ONLY for i in live(g, roots)])
