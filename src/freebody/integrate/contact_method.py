"""The method of implicit steps of fixed size with contact: what drivers need to know of it (see ``emit_contact``)."""

from dataclasses import dataclass

from freebody.integrate.rosenbrock import COMPILED as WITH_RATES
from freebody.integrate.rosenbrock import Rosenbrock
from freebody.integrate.tableaus import Row, Tableau


@dataclass(frozen=True)
class ContactMethod:
    """Steps of first order whose size is given; between the two ends of a step the state is interpolated on a line."""

    name: str = "contact"
    order: int = 1
    control: None = None
    stages: int = 1
    terms: int = 2
    error_needs_end: bool = True
    extra: tuple[Row, ...] = ()


CONTACT = ContactMethod()

Method = Tableau | Rosenbrock | ContactMethod
COMPILED: dict[str, Method] = {**WITH_RATES, CONTACT.name: CONTACT}
"""All methods in machine code by name, in the order in which users read them."""
