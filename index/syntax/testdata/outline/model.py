#!/usr/bin/env python
"""Module."""
import os.path as osp, sys
from . import sibling
from .x import (y as z, w)
from m import *


@dataclass(frozen=True)
# between
@other
class Model(Base):
    """The model."""

    field = compute()

    def __init__(self, a):
        '''Make it.'''
        super().__init__()

    # Comment above a property.
    @property
    def area(self):
        return self.a.b(lambda: w())

    class Meta:
        def inner(self): pass

# About f.
async def f[T](x: int,
               y=g()) -> None:
    def nested():
        pass
    nested()


if __name__ == "__main__":
    def late(): f(1)
