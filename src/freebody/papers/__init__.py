"""The methods of papers, with their equations beside the code: Sayers (1991), Mufti (1983), Kwatny & Blankenship
(1995), Rodriguez, Jain & Kreutz (1991), and their flexible bodies. The rest of freebody works without this package and
does not import it; it finds what is listed here (`freebody.wings`)."""

from freebody.wings import Place

HERE = "freebody.papers"

TABLES: dict[str, dict[str, Place]] = {
    "formulation": {
        "sayers": Place(f"{HERE}.sayers_speeds:FORMULATION", "Sayers' method"),
        "poincare": Place(f"{HERE}.poincare:FORMULATION", "Poincaré's equations"),
    },
    "speeds": {"mass-centre": Place(f"{HERE}.sayers_speeds:FORMULATION", "Sayers' speeds of mass centres")},
    "solver": {
        "hinge-forces": Place(
            f"{HERE}.solvers.hinge_forces:SOLVER", "forces of joints and constraints first, accelerations from them"
        ),
        "mixed": Place(
            f"{HERE}.solvers.mixed:SOLVER", "accelerations of mass centres and forces of joints are eliminated first"
        ),
        "compliance": Place(
            f"{HERE}.solvers.compliance:SOLVER", "trees with free ends, then the compliance A Λ A* at closures"
        ),
        "barycentric": Place(
            f"{HERE}.solvers.barycentric:SOLVER",
            "angular accelerations of bodies, with augmented bodies about their barycentres",
        ),
        "relative": Place(
            f"{HERE}.solvers.relative:SOLVER", "rotations of joints: the matrix of augmented bodies, projected along"
            " paths",
        ),
        "null-space": Place(f"{HERE}.solvers.null_space:SOLVER", "d'Alembert: M on the null space of G"),
        "independent": Place(
            f"{HERE}.solvers.independent:SOLVER", "independent speeds, chosen at each state by pivots"
        ),
        "penalty": Place(f"{HERE}.solvers.penalty:SOLVER", "a penalty that steps of the augmented Lagrangian remove"),
    },
    "command": {"tables": Place(f"{HERE}.commands:tables")},
    "gauss": {"tree": Place(f"{HERE}.solvers.barycentric:FirstBody")},
    "method": {
        "absolute": Place(f"{HERE}.methods:absolute"),
        "barycentres": Place(f"{HERE}.methods:barycentres"),
        "matrices": Place(f"{HERE}.methods:matrices"),
        "operators": Place(f"{HERE}.methods:operators"),
        "tables": Place(f"{HERE}.methods:tables"),
        "topology": Place(f"{HERE}.topology:topology"),
    },
    "name": {
        **{name: Place(f"{HERE}.joint_matrices:{name}") for name in ("joint_configuration", "joint_map",
                                                                     "kinematic_matrix")},
        **{name: Place(f"{HERE}.serial_chain:{name}") for name in (
            "ChainBody", "ChainMatrices", "bracket_matrices", "chain_inertia", "coriolis_matrix", "end_effector_pose",
            "gravity_potential", "poincare_function", "structure_coefficients")},
        "Matrix": Place(f"{HERE}.matrices:Matrix"),
        "MatrixEquations": Place(f"{HERE}.matrix_equations:MatrixEquations"),
    },
}  # fmt: skip
"""What the package brings, by kind and name: "gauss" are equations that derive("gauss", solver=…) takes for a
solver of that name, "method" is what methods of equations and systems call, "name" a name of ``freebody`` itself."""
