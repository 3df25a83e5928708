"""What the files of a folder hold: nodes or edges, and in which columns their ids, labels, types and ends are.

Two kinds of headers are understood: those of `neo4j-admin database import` (`personId:ID(Person)`, `:LABEL`,
`:START_ID(Person)`, `:END_ID`, `:TYPE`, `name:STRING`), also in files of their own, and the names of plain columns.
Knows how files are laid out and not what is in them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import TextIOWrapper
from pathlib import Path
from types import MappingProxyType

from graphir.files import open_input
from graphir.quoting import literal, quoted
from graphir.schema.infer.faults import unreadable
from graphir.schema.model import DataType

SUFFIXES = (".csv", ".tsv", ".parquet")
LINES = (".jsonl", ".ndjson")
"""Files of rows as lines of JSON."""

_FIELD = re.compile(r"(?P<name>.*?)(?::(?P<mark>ID|LABEL|START_ID|END_ID|TYPE|IGNORE)(?:\((?P<space>[^)]*)\))?)?", re.I)
_MARKED = re.compile(r":(?:ID|LABEL|START_ID|END_ID|TYPE|IGNORE)(?:\([^)]*\))?(?:\{[^}]*\})?\Z", re.I)
_HEADER = re.compile(r"[-_.]?header[-_.]?", re.I)
_PART = re.compile(r"[-_.]?(?:part[-_.]?)?\d+(?:[-_]\d+)*\Z", re.I)
_ID = re.compile(r"(?P<of>.*?)(?:(?:^|[-_ .]+)(?i:id|key|uuid|identifier)|(?<=[^\W_A-Z])(?:Id|ID|Key|UUID))(?:_1)?")
_LDBC = re.compile(r"_\d+_\d+\Z")
_ENDS = (
    ("from", "to"),
    ("source", "target"),
    ("src", "dst"),
    ("start", "end"),
    ("head", "tail"),
    ("subject", "object"),
    ("subj", "obj"),
    ("source", "destination"),
)
_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "int": "BIGINT",
        "long": "BIGINT",
        "short": "BIGINT",
        "byte": "BIGINT",
        "float": "DOUBLE",
        "double": "DOUBLE",
        "boolean": "BOOLEAN",
        "date": "DATE",
        "localtime": "TIME",
        "localdatetime": "TIMESTAMP",
        "datetime": "TIMESTAMP WITH TIME ZONE",
    }
)
"""The types of neo4j-admin that DuckDB has too; those of others (point, time, duration, string, char) stay text."""
_AS_TEXT = {
    "point": DataType("POINT"),
    "time": DataType("ZONED TIME"),
    "duration": DataType("DURATION"),
    "char": DataType("STRING"),
    "string": DataType("STRING"),
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column that holds a property: its name there and in the graph, the SQL of its value.

    `type` is set where the header declares one that DuckDB has not.
    """

    held: str
    name: str
    value: str
    type: DataType | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """One table of a folder.

    `table` stands after FROM.  `id`, `label`, `type`, `source`, `target` are columns, None where there is none;
    `spaces` are the id spaces of the id, the source and the target in neo4j-admin's sense.  `marked`: the header is
    neo4j-admin's.  `columns` are the properties; None: all columns that are not named above.
    """

    name: str
    table: str
    header: tuple[str, ...]
    marked: bool = False
    id: str | None = None
    label: str | None = None
    type: str | None = None
    source: str | None = None
    target: str | None = None
    spaces: tuple[str, str, str] = ("", "", "")
    columns: tuple[Column, ...] = field(default=())

    @property
    def is_edges(self) -> bool:
        return self.source is not None


def find(path: Path, suffixes: Collection[str] = SUFFIXES) -> list[list[Path]]:
    """The files of each table: several where one has the header and others the rows, or rows in numbered parts."""
    if path.is_file():
        return [[path]]
    files = sorted(file for file in path.rglob("*") if file.suffix.lower() in suffixes and file.is_file())
    if not files:
        raise unreadable(f"there is no file in {path} that ends in {', '.join(suffixes)}")
    groups: dict[tuple[Path, str, str], list[Path]] = {}
    for file in files:
        groups.setdefault((file.parent, _name([file, file]), file.suffix.lower()), []).append(file)
    return [table for group in groups.values() for table in ([group] if _is_one(group) else [[file] for file in group])]


def _is_one(group: list[Path]) -> bool:
    """Whether files of like names are one table: the header apart, put first, or the same first line in all."""
    headers = [file for file in group if _HEADER.search(file.stem)]
    group.sort(key=lambda file: (file not in headers, file.name))
    if headers or len(group) == 1 or group[0].suffix.lower() in (".parquet", *LINES):
        return len(headers) <= 1
    return len({_header(file) for file in group}) == 1


def _name(group: Sequence[Path]) -> str:
    """The name of a table: that of its file, without what says that it is the header or a part of several.

    `person_0_0` is a part even if it is the only one: so LDBC's generator calls its files.
    """
    stem = _HEADER.sub("", group[0].stem) or group[0].stem
    stem = _LDBC.sub("", stem) or stem
    return _PART.sub("", stem) or stem if len(group) > 1 else stem


def layout(
    files: Sequence[Path],
    describe: Callable[[str], Mapping[str, str]],
    texts: Callable[[str], Collection[str]] = lambda _: (),
) -> Layout:
    """How a table is laid out, by its header alone; whether plain columns hold ends is found later, by values.

    `describe` gives the columns of what stands after FROM and their types, as DuckDB reads them; `texts` those of a
    table that are text whatever they look like.
    """
    first = files[0]
    name = _name(files)
    if first.suffix.lower() == ".parquet":
        table = f"read_parquet({_listed(files)})"
        return _by_names(name, table, tuple(describe(table)))
    if first.suffix.lower() in LINES:
        return _of_lines(files, name, describe)
    header, delimiter = _header(first)
    if not any(_MARKED.search(one) for one in header):
        return _plain(files, name, delimiter, describe, texts(name))
    apart = _HEADER.search(first.stem) is not None and len(files) > 1
    names = ", ".join(f"{held}: 'VARCHAR'" for held in _held(header))
    table = (
        f"read_csv({_listed(files[1:] if apart else files)}, header = {str(not apart).lower()}, "
        f"delim = {literal(delimiter)}, columns = {{{names}}}, nullstr = '', quote = '\"', "
        "escape = '\"', auto_detect = false, allow_quoted_nulls = false)"
    )
    return _by_marks(name, table, header)


def _of_lines(files: Sequence[Path], name: str, describe: Callable[[str], Mapping[str, str]]) -> Layout:
    """A table of JSON: every value is JSON, and what may be an id is there as text as well."""
    read = (
        f"read_json({_listed(files)}, format = 'newline_delimited', union_by_name = true, sample_size = -1, "
        "maximum_depth = 1)"
    )
    header = tuple(describe(read))
    found = _by_names(name, "", header)
    ids = [one for one in header if one in (found.id, found.source, found.target) or _ID.fullmatch(one)]
    kept = {one: quoted(f"graphir:json:{one}") for one in ids}
    made = ", ".join([f"{quoted(one)} ->> '$' AS {quoted(one)}, {quoted(one)} AS {kept[one]}" for one in ids])
    plain = ", ".join([quoted(one) for one in header if one not in kept])
    table = f"(SELECT {', '.join(part for part in (made, plain) if part)} FROM {read})"
    columns = tuple([replace(one, value=kept.get(one.held, one.value)) for one in found.columns])
    return replace(found, table=table, columns=columns)


def _plain(
    files: Sequence[Path],
    name: str,
    delimiter: str,
    describe: Callable[[str], Mapping[str, str]],
    texts: Collection[str],
) -> Layout:
    """A table of CSV without marks.  What is called as an id is read as text, so that 007 is not the id 7."""
    options = (
        f"{_listed(files)}, header = true, union_by_name = true, sample_size = -1, skip = 0, "
        f"delim = {literal(delimiter)}, quote = '\"', escape = '\"'"
    )
    words = describe(f"read_csv({options})")
    found = _by_names(name, "", tuple(words))
    ids = {one for one in words if one in (found.id, found.source, found.target) or _ID.fullmatch(one)}
    read = [one for one, word in words.items() if word != "VARCHAR" and (one in ids or one in texts)]
    listed = ", ".join([f"{literal(one)}: 'VARCHAR'" for one in read])
    types = f", types = {{{listed}}}" if read else ""
    cast = {one: f"CAST({quoted(one)} AS {words[one]})" for one in read if one not in texts}
    columns = tuple(replace(one, value=cast.get(one.held, one.value)) for one in found.columns)
    return replace(found, table=f"read_csv({options}{types})", columns=columns)


def _listed(files: Iterable[Path]) -> str:
    """The files as a list in SQL; what stands for several names in a name stands for itself."""
    return f"[{', '.join(literal(re.sub('[][*?]', _escape, str(file))) for file in files)}]"


def _escape(found: re.Match[str]) -> str:
    return found[0] if found[0] == "]" else f"[{found[0]}]"


def _held(header: Sequence[str]) -> list[str]:
    """The names of marked columns in the table: marks may come twice in one header."""
    return [f"c{index}" for index in range(len(header))]


def _header(file: Path) -> tuple[tuple[str, ...], str]:
    """The names of the first line, and the delimiter that divides them."""
    try:
        with TextIOWrapper(open_input(file), encoding="utf-8-sig", newline="") as lines:
            line = lines.readline()
            delimiter = max(",\t|;", key=line.count)
            lines.seek(0)
            names = next(csv.reader(lines, delimiter=delimiter), [])
    except (OSError, UnicodeDecodeError, csv.Error) as fault:
        raise unreadable(f"{file} cannot be read: {fault}") from None
    if not names:
        raise unreadable(f"{file} has no header")
    return tuple(names), delimiter


def _by_marks(name: str, table: str, header: tuple[str, ...]) -> Layout:
    """The header of neo4j-admin: `name:type`, `name:ID(space)`, `:LABEL`."""
    places: dict[str, str] = {}
    spaces: dict[str, str] = {}
    columns = []
    for held, full in zip(_held(header), header, strict=True):
        plain = full.split("{", 1)[0]
        found = _FIELD.fullmatch(plain)
        mark = (found["mark"] or "").upper() if found else ""
        if mark == "IGNORE":
            continue
        if found and mark:
            places[mark] = held
            spaces[mark] = found["space"] or ""
        column = _declared(held, found["name"] if found and mark else plain)
        if column.name and mark in ("", "ID"):
            columns.append(column)
    if ("START_ID" in places) != ("END_ID" in places):
        raise unreadable(f"the header of {name} has one of :START_ID and :END_ID, which go together")
    names = [column.name for column in columns]
    if len(set(names)) < len(names):
        twice = next(one for one in names if names.count(one) > 1)
        raise unreadable(f"the header of {name} has the property {twice} twice")
    return Layout(
        name,
        table,
        header,
        True,
        places.get("ID"),
        places.get("LABEL"),
        places.get("TYPE"),
        places.get("START_ID"),
        places.get("END_ID"),
        (spaces.get("ID", ""), spaces.get("START_ID", ""), spaces.get("END_ID", "")),
        tuple(columns),
    )


def _declared(held: str, plain: str) -> Column:
    """`age:int`, `names:string[]`: arrays are divided by `;`."""
    name, _, word = plain.rpartition(":") if ":" in plain else (plain, "", "string")
    word = word.strip().casefold()
    array = word.endswith("[]")
    of = word.removesuffix("[]")
    target = _TYPES.get(of)
    value = quoted(held) if (of, array) in (("string", False), ("char", False)) else f"nullif({quoted(held)}, '')"
    if array:
        value = f"string_split({value}, ';')"
        value = f"TRY_CAST({value} AS {target}[])" if target else value
    elif target:
        value = f"TRY_CAST({value} AS {target})"
    text = None if target else _AS_TEXT.get(of)
    return Column(held, name, value, DataType("LIST", text) if array and text else text)


def _by_names(name: str, table: str, header: tuple[str, ...]) -> Layout:
    """Plain names: edges where a pair of columns is called as ends are, else nodes, unless values say otherwise."""
    ends = _ends(header)
    columns = tuple(Column(one, one, quoted(one)) for one in header if one not in ends)
    if ends:
        return Layout(name, table, header, source=ends[0], target=ends[1], columns=columns)
    return Layout(name, table, header, id=_id(name, header), columns=columns)


def _ends(header: tuple[str, ...]) -> tuple[str, ...]:
    folded = {fold(one): one for one in header}
    for source, target in _ENDS:
        for before, after in (("", ""), ("", "id"), ("id", ""), ("", "node"), ("", "nodeid"), ("node", "")):
            pair = before + source + after, before + target + after
            if pair[0] in folded and pair[1] in folded:
                return folded[pair[0]], folded[pair[1]]
    return ()


def fold(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())


def _id(name: str, header: tuple[str, ...]) -> str | None:
    """The column called `id`, or after the table (`person_id` in `person`); else the first, if called like an id."""
    folded = {fold(one): one for one in header}
    for wanted in ("id", fold(name) + "id", fold(name).removesuffix("s") + "id", "uuid", "key"):
        if wanted in folded:
            return folded[wanted]
    return header[0] if header and _ID.fullmatch(header[0]) else None


def type_name(table: str, source: str | None, target: str | None) -> str:
    """The type of the edges of a plain table: `person_knows_person` between two of `person` is `knows`."""
    words = re.split(r"[-_ ]+", table)
    if len(words) > 2 and (fold(words[0]), fold(words[-1])) == (fold(source or ""), fold(target or "")):
        return table[len(words[0]) : -len(words[-1])].strip("-_ ")
    return table


def is_named_after(column: str, tables: Iterable[str]) -> bool:
    """Whether a column is called as the id of one of these tables: `person_id`, `Person.id`, `personId`."""
    found = _ID.fullmatch(column)
    of = fold(found["of"]) if found else ""
    return bool(of) and any(of in (fold(table), fold(table).removesuffix("s")) for table in tables)


def ids(layout: Layout, tables: Collection[str]) -> list[str]:
    """The columns that are called as ids are, those first that are called after a table; none if none of them is."""
    named = [column for column in layout.header if is_named_after(column, tables)]
    others = [column for column in layout.header if column not in named and _ID.fullmatch(column)]
    return [*named, *others] if named else []
