"""Craig–Bampton reduction of a solid with 100 000 unknowns, beside SciPy's eigsh on the same matrices.

    python benchmarks/structures.py             # needs: pip install "freebody[fem]"; takes some minutes

A bar of 50 × 12 × 12 hexahedra with 20 nodes each is reduced to 20 modes of vibration and two interfaces, its end
faces. eigsh gets the stiffness and mass matrices without the unknowns of both faces, and sigma=0 as its manual says for
the lowest modes of structures. Each runs in a process of its own, whose largest memory is reported.
"""

import json
import resource
import subprocess
import sys
import time

import numpy as np

CELLS, SIZES, MODES = (50, 12, 12), (10.0, 1.0, 1.0), 20
Row = tuple[str, float, float | None, dict]


def bar():
    from skfem import MeshHex

    import freebody as fb

    mesh = MeshHex.init_tensor(*(np.linspace(0, l, n + 1) for l, n in zip(SIZES, CELLS, strict=True)))
    sets = {"left": lambda x: x[:, 0] < 1e-9, "right": lambda x: x[:, 0] > SIZES[0] - 1e-9}
    return fb.solid_structure(mesh, young=2.1e11, poisson=0.3, density=7850, sets=sets)


def reduced(stiffening: bool) -> dict:
    """Times and memory of the reduction."""
    structure = bar()
    start = time.perf_counter()
    body = structure.reduce(
        MODES, interfaces={"root": "left", "tip": "right"}, frame="root", stiffening=stiffening, progress=False
    )
    return {"seconds": time.perf_counter() - start, "unknowns": structure.size, "modes": body.reduced.data.n}


def scipy_alone() -> dict:
    """Times and memory of eigsh alone."""
    from scipy.sparse.linalg import eigsh

    structure = bar()
    held = np.isin(structure.node, np.concatenate([structure.sets["left"], structure.sets["right"]]))
    K, M = (A[~held][:, ~held].tocsc() for A in (structure.stiffness, structure.mass))
    start = time.perf_counter()
    values = eigsh(K, MODES, M, sigma=0.0, return_eigenvectors=True)[0]
    return {"seconds": time.perf_counter() - start, "unknowns": len(K.indptr) - 1, "lowest": float(values.min()) ** 0.5}


TASKS = {"reduce": lambda: reduced(False), "reduce with stiffening": lambda: reduced(True), "eigsh": scipy_alone}


def separately(task: str) -> dict:
    """The result of a task in a process of its own."""
    out = subprocess.run([sys.executable, __file__, task], capture_output=True, text=True, check=True).stdout
    return dict(json.loads(out.splitlines()[-1]))


def structures() -> list[Row]:
    found = {task: separately(task) for task in TASKS}
    plain, stiff, alone = found.values()
    what = f"Craig–Bampton, {plain['unknowns']} unknowns to {plain['modes']} modes"
    return [
        (f"{what}: seconds", plain["seconds"], 30.0, found),
        (f"{what}, with stiffening: seconds", stiff["seconds"], None, stiff),
        (f"{what}: GB", plain["gigabytes"], 4.0, plain),
        (f"{what}, over eigsh alone", plain["seconds"] / alone["seconds"], 1.2, alone),
    ]


JOBS = {"reduction of structures": structures}


if __name__ == "__main__":
    if sys.argv[1:]:
        result = TASKS[sys.argv[1]]()
        print(json.dumps({**result, "gigabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6}))
    else:
        from mechanics import show

        for row in structures():
            show(*row)
