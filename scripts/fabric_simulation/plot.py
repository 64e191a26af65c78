# SPDX-License-Identifier: Apache-2.0
"""Panels of lines over the number of hosts, as SVG; looks like the plots of `ferry bench --plot`."""

from __future__ import annotations

import dataclasses
import math

WIDTH, HEIGHT, LEFT, TOP, STEP = 280, 240, 72, 104, 376
STYLE = (
    "text{font:12px sans-serif;fill:#333}.bold{font-weight:bold}.title{font:bold 16px sans-serif}"
    ".middle{text-anchor:middle}.end{text-anchor:end}.grid{stroke:#e4e7eb;fill:none}"
    ".axis{stroke:#333;fill:none}.line{stroke-width:2;fill:none}"
)


@dataclasses.dataclass
class Line:
    name: str
    colour: str
    values: list[float]


@dataclasses.dataclass
class Panel:
    title: str
    lines: list[Line]


def text(x: float, y: float, kind: str, what: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{what}</text>\n'


def decades(panel: Panel) -> tuple[int, int]:
    """The powers of ten below the smallest and above the largest value."""
    values = [value for line in panel.lines for value in line.values if value > 0]
    low = math.floor(math.log10(min(values)))
    return low, max(low + 1, math.ceil(math.log10(max(values))))


def panel_svg(panel: Panel, hosts: list[int], left: float) -> str:
    low, high = decades(panel)

    def x_of(index: int) -> float:
        return WIDTH * index / max(1, len(hosts) - 1)

    def y_of(value: float) -> float:
        return HEIGHT * (1 - (math.log10(value) - low) / (high - low))

    svg = f'<g transform="translate({left:.0f} {TOP})">\n'
    svg += text(WIDTH / 2, -8, "middle bold", panel.title)
    for decade in range(low, high + 1):
        y = y_of(10.0**decade)
        svg += f'<path class="grid" d="M0 {y:.1f}H{WIDTH}"/>\n' + text(-8, y + 4, "end", f"{10.0**decade:g}")
    for index, count in enumerate(hosts):
        svg += f'<path class="grid" d="M{x_of(index):.1f} 0V{HEIGHT}"/>\n'
        svg += text(x_of(index), HEIGHT + 18, "middle", str(count))
    svg += f'<path class="axis" d="M0 0V{HEIGHT}H{WIDTH}"/>\n'
    for line in panel.lines:
        points = [(x_of(i), y_of(value)) for i, value in enumerate(line.values) if value > 0]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        svg += f'<path class="line" stroke="{line.colour}" d="M{path}"/>\n'
        svg += "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{line.colour}"/>\n' for x, y in points)
    # The legend is below: each panel has lines of its own.
    for row, line in enumerate(panel.lines):
        y = HEIGHT + 40 + 18 * row
        svg += f'<path class="line" stroke="{line.colour}" d="M0 {y}h22"/>\n' + text(28, y + 4, "", line.name)
    return svg + "</g>\n"


def document(title: str, subtitle: str, panels: list[Panel], hosts: list[int]) -> str:
    width = LEFT + STEP * len(panels) - (STEP - WIDTH) + 24
    height = TOP + HEIGHT + 40 + 18 * max(len(panel.lines) for panel in panels)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}">\n'
        f"<!-- SPDX-License-Identifier: Apache-2.0 -->\n<style>{STYLE}</style>\n"
        '<rect width="100%" height="100%" fill="#fff"/>\n'
    )
    body = "".join(panel_svg(panel, hosts, LEFT + STEP * i) for i, panel in enumerate(panels))
    return head + text(LEFT, 26, "title", title) + text(LEFT, 44, "", subtitle) + body + "</svg>\n"
