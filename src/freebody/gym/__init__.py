"""Gymnasium environments of systems: one, and many side by side."""

from freebody.errors import MissingPackageError
from freebody.extras import install_command

try:
    import gymnasium as gymnasium
except ImportError as error:
    raise MissingPackageError(f"freebody.gym needs gymnasium: {install_command('gym')}") from error

from freebody.gym.environment import Env
from freebody.gym.vector import VectorEnv

__all__ = ["Env", "VectorEnv"]
