"""What objects look like in a notebook: HTML with its own few styles, readable in light and dark pages."""

from __future__ import annotations

import base64
import html
import os
from typing import TYPE_CHECKING, Any, Iterable, Sequence

if TYPE_CHECKING:
    from .check import Problems
    from .composition import Composition
    from .results import Report, Results

_COLOURS = {"error": "#b3261e", "warning": "#8a5a00", "note": "#5f6b7a"}  # below white letters


def table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table without its empty columns; a cell that is a pair is (text, colour of its ground)."""
    rows = list(rows)
    used = [column for column in range(len(heads)) if any(str(row[column]) for row in rows)]
    text = "".join(f"<th style='text-align:left'>{html.escape(heads[column])}</th>" for column in used)
    text = f"<table><thead><tr>{text}</tr></thead><tbody>"
    for row in rows:
        text += "<tr>"
        for shown, colour in (row[column] if isinstance(row[column], tuple) else (row[column], "") for column in used):
            inside = html.escape(str(shown))
            if colour:
                inside = f"<span style='background:{colour};color:#fff;padding:1px 6px;border-radius:3px'>{inside}</span>"
            text += f"<td style='text-align:left'>{inside}</td>"
        text += "</tr>"
    return text + "</tbody></table>"


def problems_table(problems: Problems) -> str:
    """The problems as a table, with their numbers above."""
    head = f"<p>{html.escape(problems.summary)}</p>"
    if not problems:
        return head
    rows = []
    for problem in problems:
        place = os.path.basename(problem.file) + (f":{problem.line}" if problem.line else "")
        thing = ".".join(part for part in (problem.component, problem.item) if part)
        rows.append([(problem.severity, _COLOURS[problem.severity]), place, thing, problem.problem, problem.remedy])
    return head + table(["", "place", "component, item", "problem", "what to do"], rows)


def picture(svg: str, text: str) -> str:
    """An SVG picture as an image, so that its styles stay inside."""
    data = base64.b64encode(svg.encode()).decode()
    return f"<img alt='{html.escape(text)}' style='max-width:100%;border-radius:4px' src='data:image/svg+xml;base64,{data}'/>"


def _minute(time: Any) -> str:
    return str(time)[:16].replace("T", " ")


def composition_html(composition: Composition) -> str:
    """The diagram of a composition below its name and its run."""
    run = composition.run_settings
    times = ""
    if run is not None and run.start is not None and run.end is not None:
        times = f"<br>{_minute(run.start)} to {_minute(run.end)} UTC"
    caption = f" <small>{html.escape(composition.caption)}</small>" if composition.caption else ""
    return f"<p><b>{html.escape(composition.id)}</b>{caption}{times}</p>{picture(composition.diagram(), 'diagram')}"


def results_html(results: Results) -> str:
    """A table of the series, with how far the run came above."""
    rows = [[series.id, series.unit, series.kind, len(series.times), max(len(series.elements), 1)]
            for series in results.values()]
    return f"<p>{html.escape(results.summary_line)}</p>" + table(["series", "unit", "kind", "rows", "elements"], rows)


def report_html(report: Report) -> str:
    """The page of a report in a frame of its own, so that its styles stay inside."""
    return (f"<iframe style='width:100%;height:40em;border:1px solid #8888' sandbox='allow-scripts' "
            f"srcdoc=\"{html.escape(report.html, quote=True)}\"></iframe>")
