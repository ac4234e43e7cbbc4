# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""The workspaces of one call, as a table."""

from __future__ import annotations

import html


class WorkspacePlan:
    """What a call leases: one row per workspace, with its offset in the block that all of them share. Behind each there
    are 512 bytes that belong to none, so that an overrun is caught. Those that keep zeros from call to call stand in a
    second block, for which the offset counts then. The total is the size of both blocks."""

    def __init__(self, kernel: str, plan: dict):
        self.kernel = kernel
        self.rows = plan["rows"]
        self.total_bytes = plan["total_bytes"]
        self.declared_bytes = sum(row["declared"] for row in self.rows)

    def __len__(self):
        return len(self.rows)

    def __iter__(self):
        return iter(self.rows)

    def _folding(self):
        leased = sum(row["bytes"] for row in self.rows)
        return f"; folded, {self.declared_bytes} bytes are declared" if leased != self.declared_bytes else ""

    def _cells(self):
        for row in self.rows:
            shape = "x".join(str(size) for size in row["shape"])
            contents = row["contents"] + (", in a block of its own" if row["persistent"] else "")
            yield row["name"], shape, row["dtype"], str(row["bytes"]), str(row["offset"]), contents

    def __str__(self):
        head = ("workspace", "shape", "dtype", "bytes", "offset", "contents")
        table = [head, *self._cells()]
        widths = [max(len(line[column]) for line in table) for column in range(len(head))]
        right = {3, 4}
        lines = [
            "  ".join(
                cell.rjust(width) if column in right else cell.ljust(width)
                for column, (cell, width) in enumerate(zip(line, widths))
            ).rstrip()
            for line in table
        ]
        lines.append(
            f"{len(self.rows)} workspaces of kernel '{self.kernel}', {self.total_bytes} bytes{self._folding()}"
        )
        return "\n".join(lines)

    __repr__ = __str__

    def to_html(self) -> str:
        """One self-contained page."""
        head = "".join(f"<th>{name}</th>" for name in ("workspace", "shape", "dtype", "bytes", "offset", "contents"))
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>" for cells in self._cells()
        )
        bars = "".join(
            f'<div title="{html.escape(row["name"])}" style="flex:{max(row["bytes"], 1)} 0 2px">'
            f"{html.escape(row['name'])}</div>"
            for row in self.rows
        )
        title = html.escape(f"Workspaces of {self.kernel}")
        return (
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
            "<style>:root{color-scheme:light dark}body{font:14px sans-serif;margin:2em}table{border-collapse:collapse}"
            "td,th{padding:.3em .8em;border-bottom:1px solid #8886;text-align:left}"
            "td:nth-child(4),td:nth-child(5){text-align:right;font-variant-numeric:tabular-nums}"
            ".map{display:flex;height:3em;margin:1em 0}.map div{border:1px solid #8886;overflow:hidden;padding:.2em}"
            f'</style><h1>{title}</h1><p>{self.total_bytes} bytes{self._folding()}</p><div class="map">{bars}</div>'
            f"<table><tr>{head}</tr>{body}</table></html>"
        )
