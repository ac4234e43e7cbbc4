# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""What a `with` or a `for` of a kernel function may stand on: plain records, read by the parser."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class KernelFrame:
    blocks: tuple
    threads: int


@dataclass
class ScopeFrame:
    cube: bool


@dataclass
class IfFrame:
    condition: Any


@dataclass
class ThenFrame:
    pass


@dataclass
class ElseFrame:
    pass


@dataclass
class SerialLoop:
    start: Any
    stop: Any
    step: int = 1


@dataclass
class GridLoop:
    extents: tuple


@dataclass
class ParallelLoop:
    extents: tuple


@dataclass
class PipelinedLoop:
    start: Any
    stop: Any
    num_stages: int = 0
    cross_interval: int = 1


@dataclass
class PersistentLoop:
    domain: tuple
    wave_size: Any
    index: Any
    group_size: int = 8


@dataclass
class IfState:
    """What T.Then and T.Else have left for the T.If around them."""

    then_body: Any = None
    else_body: Any = None
    closed: bool = field(default=False)
