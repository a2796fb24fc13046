"""What the reference programs of the cases share: reading a case's series and writing its tables.

A reference program computes with the case's input files and formulas only, never with the SDK. It is run in its
folder: `python3 reference.py`. Times are minutes after the start of the run.
"""
import datetime
import math

BEGIN = datetime.datetime(2015, 12, 1)


def stamp(minute):
    """The time as results write it."""
    return (BEGIN + datetime.timedelta(minutes=minute)).strftime("%Y-%m-%dT%H:%M:%SZ")


def minute_of(text):
    time = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%MZ")
    return round((time - BEGIN).total_seconds() / 60)


def read_series(path="series.csv"):
    """[(minute, [value of each column])]"""
    with open(path) as file:
        lines = [line.strip().split(",") for line in file if not line.startswith("#")][1:]
    return [(minute_of(cells[0]), [float(cell) for cell in cells[1:]]) for cells in lines]


def spans_of(series, step, column=0):
    """[(begin, end, value)] of a series whose stamps are the ends of its steps."""
    return [(minute - step, minute, values[column]) for minute, values in series]


def source_value(step, element=0):
    """What the component test.Source gives in its step with that number, from 1."""
    return 1.0 + 0.375 * ((step * 7 + element * 3) % 11)


def source_spans(step, until, element=0):
    return [(m, m + step, source_value(m // step + 1, element)) for m in range(0, until, step)]


def mean(spans, begin, end):
    """The mean over (begin, end], each value weighted with its time; NaN where one is missing."""
    parts = [(min(e, end) - max(b, begin), v) for b, e, v in spans if e > begin and b < end]
    return math.fsum(minutes * v for minutes, v in parts) / math.fsum(minutes for minutes, _ in parts)


def means(spans, step, until):
    """The means over steps of equal length, from 0 to `until`: [(begin, end, value)]"""
    return [(m, m + step, mean(spans, m, m + step)) for m in range(0, until, step)]


def at_ends(spans):
    """{minute: value} at the end of each span, where results have them."""
    return {end: value for _, end, value in spans}


def amount(spans, begin=0):
    """Rate times seconds, summed up over the spans after `begin`; missing values count nothing."""
    return math.fsum((e - b) * 60.0 * v for b, e, v in spans if b >= begin and not math.isnan(v))


def number(value):
    if isinstance(value, str):
        return value
    return "NaN" if math.isnan(value) else repr(value)


def write_reference(columns):
    """`columns`: heading as in the results -> {minute: value}"""
    minutes = sorted(set().union(*columns.values()))
    with open("reference.csv", "w") as file:
        print("time", *columns, sep=",", file=file)
        for minute in minutes:
            cells = [number(column[minute]) if minute in column else "" for column in columns.values()]
            print(stamp(minute), *cells, sep=",", file=file)


def write_figures(rows):
    """`rows`: (what it is of, figure, value, greatest difference)"""
    with open("figures.csv", "w") as file:
        print("of,figure,value,tolerance", file=file)
        for of, figure, value, tolerance in rows:
            print(of, figure, number(value), tolerance, sep=",", file=file)


def balance_rows(link, unit, left, outside=0.0, arrived=None, missing=0, difference=0.0, near=None, difference_near=1e-12):
    """The figures of a link's balance. Amounts are known to 1e-9 without `near`: times are doubles of days, so an hour is
    known to 1e-10 of itself. `arrived` without a value: all that is not outside."""
    arrived = left - outside if arrived is None else arrived
    near = 1e-9 * abs(left) if near is None else near
    return [(link, "unit", unit, 0), (link, "left", left, near), (link, "arrived", arrived, near),
            (link, "outside", outside, near), (link, "relative difference", difference, difference_near),
            (link, "missing", missing, 0)]
