"""``freebody view``: a model that is simulated live in the browser, or as a page with sliders."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from freebody.cli import models, options
from freebody.cli.options import Debug, Hold, Json, Meshes, Model, Motors, Physical, Quiet, Stops
from freebody.cli.output import CommandOutput, require_writable, usage, write_file
from freebody.cli.run_options import SOLVER, Input, Method, Parameter, Set, Step
from freebody.errors import ArgumentError, ExpressionError
from freebody.files import PAGES, folders_of

PAGE = "The page in the browser"
HOST = "127.0.0.1"

File = Annotated[
    Path | None,
    typer.Argument(
        metavar="[FILE]", show_default=False,
        help="Write a page with a slider for each coordinate to this file (.html), instead of simulating live.",
    ),
]  # fmt: skip
Out = Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Same as FILE.", show_default=False)]
Host = Annotated[
    str,
    typer.Option(
        "--host", metavar="ADDRESS", rich_help_panel=PAGE,
        help="The address it is bound to. At any other than this one, anyone on the network who has the printed address"
        " can control it.",
    ),
]  # fmt: skip
Port = Annotated[
    int | None,
    typer.Option(
        "--port", metavar="NUMBER", min=0, max=65535, rich_help_panel=PAGE, show_default="the first free one from 8080",
        help="The port; 0 takes any that is free.",
    ),
]  # fmt: skip
AllowHost = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host", metavar="NAME", rich_help_panel=PAGE,
        help="A name under which the page may be opened, beside the address it is bound to, such as localhost:9000"
        " (repeatable).",
    ),
]  # fmt: skip
Browser = Annotated[
    bool,
    typer.Option("--browser/--no-browser", rich_help_panel=PAGE, help="Open it in a browser, or print its address."),
]
Speed = Annotated[
    float, typer.Option("--speed", metavar="FACTOR", rich_help_panel=PAGE, help="Simulated seconds in a second.")
]
Paused = Annotated[bool, typer.Option("--paused", rich_help_panel=PAGE, help="Begin with a pause.")]
Rtol = Annotated[float, typer.Option("--rtol", metavar="X", rich_help_panel=SOLVER, help="Relative tolerance.")]
Atol = Annotated[float, typer.Option("--atol", metavar="X", rich_help_panel=SOLVER, help="Absolute tolerance.")]


def view(
    model: Model,
    file: File = None,
    out: Out = None,
    meshes: Meshes = None,
    set_: Set = None,
    parameter: Parameter = None,
    input_: Input = None,
    method: Method = "dop853",
    rtol: Rtol = 1e-6,
    atol: Atol = 1e-8,
    step: Step = None,
    host: Host = HOST,
    port: Port = None,
    allow_host: AllowHost = None,
    browser: Browser = True,
    speed: Speed = 1.0,
    paused: Paused = False,
    motors: Motors = False,
    hold: Hold = None,
    stops: Stops = False,
    physical: Physical = True,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Show a model in 3D: simulated live in the browser until Ctrl-C, or written to a page with sliders.

    Examples: freebody view arm.yaml   ·   freebody view robot.urdf -m models   ·   freebody view arm.yaml arm.html
    """
    with CommandOutput("view", json, quiet, debug) as output:
        output.model = model
        if file is not None and out is not None and file != out:
            raise usage(f"two files are given, {file} and --out {out}; give one")
        target = file or out
        if target is not None:
            require_writable("the page", target, PAGES)
        system = models.load(model, physical, motors, options.held(hold), stops)
        equations = system.derive()
        values = options.initial(equations, set_ or [])
        folders = folders_of(meshes or [])
        if target is not None:
            q = values["q"] or None
            live = {
                "--host": host != HOST,
                "--port": port is not None,
                "--allow-host": bool(allow_host),
                "--no-browser": not browser,
                "--speed": speed != 1.0,
                "--paused": paused,
            }
            if unused := [name for name, given in live.items() if given]:
                raise usage(f"a page is not simulated and not served: remove {unused[0]}, or the file")
            if values["u"] or values["z"] or input_:
                raise usage("a page shows a model at rest: --set takes coordinates only (q.…), and there are no inputs")
            page = partial(system.view, target, q=q, parameters=options.parameters(parameter or []), meshes=folders)
            write_file("the page", target, page)
            output.add(system=system.name, files=[str(target)])
            output.note(f"written: {target}")
            return
        from freebody.api.live import live_view, open_browser

        inputs = options.inputs(input_ or [], system.free_inputs, zero=True)
        try:
            shown = live_view(
                equations,
                folders,
                host,
                port,
                speed,
                not paused,
                allow_host or (),
                q=values["q"],
                u=values["u"],
                z=values["z"],
                inputs=inputs,
                parameters=options.parameters(parameter or []),
                method=method,
                rtol=rtol,
                atol=atol,
                step=step,
            )
        except (ArgumentError, ExpressionError) as error:
            raise usage(str(error)) from error
        output.add(system=system.name, url=shown.url)
        output.note(shown.announcement())
        if browser:
            open_browser(shown.link())
        shown.run()
