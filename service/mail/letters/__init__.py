"""The emails that Echtra sends, with a module for each subject."""

from importlib import import_module
from pkgutil import iter_modules

from service.mail.letters.registry import COMPOSERS, compose

__all__ = ["COMPOSERS", "compose"]

# Each module registers its composers when it is imported.
for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
