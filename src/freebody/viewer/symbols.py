"""Small pictures of joints, around (0, 0), on a line that comes from above; SVG without any text from outside."""

_RAILS = '<path d="M-8 -9V9M8 -9V9"/>'
SYMBOLS = {
    "revolute": '<circle r="7"/><circle r="2" fill="currentColor"/>',
    "prismatic": f'{_RAILS}<rect x="-5" y="-6" width="10" height="12"/>',
    "cylindrical": f'{_RAILS}<circle r="5.5"/><circle r="1.5" fill="currentColor"/>',
    "screw": '<circle r="7"/><path d="M-4 3.5L-2 -3.5L0 3.5L2 -3.5L4 3.5" fill="none"/>',
    "universal": '<circle r="7"/><path d="M-5 -5L5 5M-5 5L5 -5"/>',
    "spherical": '<path d="M-6.9 -4A8 8 0 1 0 6.9 -4" fill="none"/><circle r="4.5" fill="currentColor"/>',
    "planar": '<path d="M-9 4.5H4L9 -4.5H-4Z"/><circle r="1.8" fill="currentColor"/>',
    "free": '<circle r="7" stroke-dasharray="2.5 2"/>',
    "weld": '<rect x="-4.5" y="-4.5" width="9" height="9" fill="currentColor"/>',
    "simple": '<circle r="7"/><path d="M-4 -4V4M4 -4V4M-4 0H4"/>',
    "compound": '<circle cx="-3" r="5.5" fill="none"/><circle cx="3" r="5.5" fill="none"/>',
    "custom": '<circle r="7"/><path d="M-4.5 2C-3 -5 1.5 5 4.5 -2" fill="none"/>',
    "building block": '<rect x="-6.5" y="-6.5" width="13" height="13"/><path d="M-6.5 0H6.5M0 -6.5V6.5"/>',
}
OTHER = '<path d="M0 -8L8 0L0 8L-8 0Z"/>'
"""A joint of no known kind."""


def symbol(kind: str) -> str:
    return SYMBOLS.get(kind, OTHER)
