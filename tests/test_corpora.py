"""Corpora: formats are read and written row by row, runs are ordered and flat and go on when they were interrupted."""

from __future__ import annotations

import csv
import io
import itertools
import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphir.corpora import formats, pipeline, pool
from graphir.corpora.formats import CorpusError, Row
from graphir.corpora.report import Report
from graphir.corpora.work import Job, do_rows, load_task
from graphir.diagnostics import Diagnostic
from tests.corpus_tasks import IDENTITY, JOB

ROOT = Path(__file__).resolve().parents[1]


def read(data: bytes, format: str, field: str = "query") -> list[Row]:
    with formats.open_corpus(io.BytesIO(data), format, field=field, dialect="neo4j-25") as corpus:
        return list(corpus.rows)


def values(rows: list[Row]) -> list[Any]:
    return [json.loads(row.payload) for row in rows]


def shouted(rows: list[Row], job: Job = JOB) -> list[dict[str, Any]]:
    return [json.loads(line) for line in do_rows(rows, job, load_task(job)).lines]


def codes(row: dict[str, Any]) -> list[str]:
    return [found["code"] for found in row["diagnostics"]]


@pytest.fixture(params=[5, 64, 1 << 16])
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Blocks so small that every construct is cut somewhere."""
    monkeypatch.setattr(formats, "_BLOCK", request.param)
    size: int = request.param
    return size


# ------------------------------------------------------------------ reading


ROWS = [
    {"id": 1, "query": "RETURN 1"},
    {"id": 2, "query": "RETURN ']}\\\"{[,' // é 😀", "list": [1, {"a": [2]}], "none": None},
    {"query": "MATCH (n)\nRETURN n", "float": 1.5, "big": 2**70},
    {"query": "x" * 200},
]


@pytest.mark.parametrize("indent", [None, 0, 2])
@pytest.mark.parametrize("ascii", [True, False])
@pytest.mark.usefixtures("block")
def test_json_array(indent: int | None, ascii: bool) -> None:
    data = json.dumps(ROWS, indent=indent, ensure_ascii=ascii).encode()
    assert values(read(data, "json")) == ROWS
    assert values(read(b"\xef\xbb\xbf \n" + data + b"\n", "json")) == ROWS


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("between", ["\n", "\r\n\r\n", ""])
@pytest.mark.usefixtures("block")
def test_json_values_one_after_another(indent: int | None, between: str) -> None:
    data = between.join(json.dumps(row, indent=indent) for row in ROWS).encode()
    assert values(read(data, "json")) == ROWS


@pytest.mark.parametrize(
    ("data", "payloads"),
    [
        (b"", []),
        (b"[]", []),
        (b" [ ] ", []),
        (b"12", [b"12"]),
        (b"[1 , 2]", [b"1", b"2"]),
        (b'[{"a":1},{bad},{"b":[1,2]}] [1] {"x":2}', [b'{"a":1}', b"{bad}", b'{"b":[1,2]}', b"[1]", b'{"x":2}']),
        (b'[{"a":tru},"x",]', [b'{"a":tru}', b'"x"']),
        (b'{"a": 1\n{"b":2}\n', [b'{"a": 1', b'{"b":2}']),
        (b'{bad\n{"b":2}', [b"{bad", b'{"b":2}']),
        (b'[{"a":"\xff"},{"b":1}]', [b'{"a":"\xff"}', b'{"b":1}']),
        (b'[{"a":1}]]', [b'{"a":1}', b"]"]),
        (b'["abc', [b'"abc', b""]),
        (b'[{"a":1}', [b'{"a":1}', b""]),
    ],
)
@pytest.mark.usefixtures("block")
def test_broken_json_is_one_bad_row_each(data: bytes, payloads: list[bytes]) -> None:
    assert [row.payload for row in read(data, "json")] == payloads


@given(st.binary(max_size=60) | st.text('[]{},":1a \\\n', max_size=40).map(str.encode))
@settings(max_examples=300)
def test_any_bytes_are_read_to_the_end(data: bytes) -> None:
    for format in ("json", "jsonl", "cypher"):
        rows = read(data, format)
        assert len(do_rows(rows, JOB, load_task(Job("tests.corpus_tasks:shout"))).lines) == len(rows)


def test_json_lines() -> None:
    data = b'\xef\xbb\xbf{"query": "a"}\r\n\n  \n"b"\n{"query": "c"}'
    assert [row.payload for row in read(data, "jsonl")] == [b'{"query": "a"}', b'"b"', b'{"query": "c"}']
    assert [row["query"] for row in shouted(read(data, "jsonl"))] == ["a", "b", "c"]


def test_csv() -> None:
    data = 'id,query\n1,"RETURN ""x"",\n1"\n\n2\n3,é\n'.encode()
    assert values(read(data, "csv")) == [{"id": "1", "query": 'RETURN "x",\n1'}, {"id": "2"}, {"id": "3", "query": "é"}]
    assert values(read(b"id\tquery\r\n1\ta,b\r\n", "tsv")) == [{"id": "1", "query": "a,b"}]


def test_csv_rows_that_do_not_fit() -> None:
    surplus, encoding, whole = shouted(read(b"id,query\n1,2,3\n\xff,x\n1,y\n", "csv"))
    assert surplus["row"] == '["1", "2", "3"]'
    assert codes(surplus) == codes(encoding) == ["G090"]
    assert whole["loud"] == "Y"


@pytest.mark.parametrize(("data", "message"), [(b"", "no header"), (b"a,b,a\n", "'a' twice")])
def test_csv_without_a_usable_header(data: bytes, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        read(data, "csv")


SCRIPT = "// c;\nMATCH (n) RETURN ';' ;\n\n RETURN 1; // x;\n/* ; */ RETURN `a;b`,\n 2 // tail\n;;\n RETURN \"é;\""


@pytest.mark.usefixtures("block")
def test_script() -> None:
    rows = values(read(SCRIPT.encode(), "cypher", "q"))
    assert [row["q"] for row in rows] == ["MATCH (n) RETURN ';'", "RETURN 1", "RETURN `a;b`,\n 2", 'RETURN "é;"']
    for row in rows:
        assert SCRIPT[row["start"] :].startswith(row["q"])
        before = SCRIPT[: row["start"]].split("\n")
        assert (row["line"], row["column"]) == (len(before), len(before[-1]) + 1)


@pytest.mark.parametrize("script", ["", " \n", "// nothing", ";", "/* no end"])
def test_script_without_a_statement_is_one_row(script: str) -> None:
    assert [row["query"] for row in values(read(script.encode(), "cypher"))] == [script]


def test_unclosed_quote_takes_the_rest_of_a_script() -> None:
    rows = values(read(b"RETURN 1; RETURN ' ; RETURN 2;", "cypher"))
    assert [row["query"] for row in rows] == ["RETURN 1", "RETURN ' ; RETURN 2;"]


def test_parquet(tmp_path: Path) -> None:
    path = tmp_path / "it's.parquet"
    duckdb.sql(
        "SELECT i AS id, 'RETURN ' || i AS query, 'nan'::DOUBLE AS f, DATE '2020-01-02' AS d, "
        "{'a': [1, 2]} AS s, NULL::INTEGER AS n FROM range(3) t(i)"
    ).write_parquet(str(path))
    with formats.open_corpus(path, "parquet", field="query", dialect="neo4j-25") as corpus:
        assert corpus.columns == ("id", "query", "f", "d", "s", "n")
        assert corpus.total == 3
        rows = values(list(corpus.rows))
    assert rows[2] == {"id": 2, "query": "RETURN 2", "f": "NaN", "d": "2020-01-02", "s": {"a": [1, 2]}, "n": None}


def test_parquet_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    path.write_bytes(b"PAR1 no")
    with (
        pytest.raises(CorpusError),
        formats.open_corpus(path, "parquet", field="query", dialect="neo4j-25"),
    ):
        pass
    with (
        pytest.raises(FileNotFoundError),
        formats.open_corpus(tmp_path / "none.parquet", "parquet", field="query", dialect="neo4j-25"),
    ):
        pass


@pytest.mark.parametrize(
    ("head", "format"),
    [(b" \n{", "jsonl"), (b"\xef\xbb\xbf[", "json"), (b"MATCH", "cypher"), (b"", "cypher"), (b"// {", "cypher")],
)
def test_format_by_the_first_character(head: bytes, format: str, tmp_path: Path) -> None:
    path = tmp_path / "queries.txt"
    path.write_bytes(head)
    assert formats.detect(path) == format
    assert formats.detect(formats.buffered(io.BytesIO(head))) == format


# ------------------------------------------------------------------ rows


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        (b"{", "not JSON"),
        (b"[1]", "not a JSON object"),
        (b"1", "not a JSON object"),
        (b'{"id": 1}', "no 'query'"),
        (b'{"query": 1}', "holds no text"),
        (b'{"query": null}', "holds no text"),
        (b'{"query": "x", "f": NaN}', "NaN"),
        (b'{"query": "x", "f": 1e999}', "out of range"),
        (b'{"query": "x", "i": ' + b"1" * 5000 + b"}", "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"query": "\xc3"}', "not UTF-8"),
    ],
)
def test_row_that_cannot_be_read(payload: bytes, message: str) -> None:
    (row,) = shouted([Row(payload)])
    assert codes(row) == ["G090"]
    assert message in row["diagnostics"][0]["message"]
    assert row["loud"] is None
    assert row.get("row", payload.decode(errors="replace")) == payload.decode(errors="replace")


def test_row_keeps_its_keys_in_order_and_loses_old_diagnostics() -> None:
    (row,) = shouted([Row(b'{"z": 1.10, "query": "a", "diagnostics": [1], "b": 12345678901234567890123}')])
    assert list(row) == ["z", "query", "diagnostics", "b", "loud"]
    assert row["diagnostics"] == []
    assert row["b"] == 12345678901234567890123


def test_bytes_that_are_no_text_are_kept() -> None:
    (row,) = shouted([Row(b'{"id": 7, "query": "RETURN \xe9"}')])
    assert (row["id"], codes(row)) == (7, ["G090"])
    assert row["query"].encode("utf-8", "surrogateescape") == b"RETURN \xe9"


def test_half_a_surrogate_pair_is_written_escaped() -> None:
    (line,) = do_rows([Row(b'{"query": "\\ud800"}')], JOB, load_task(JOB)).lines
    assert line.decode("ascii")
    assert json.loads(line)["loud"] == "\ud800"


# ------------------------------------------------------------------ writing


def lines(*rows: dict[str, Any]) -> list[bytes]:
    return [json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows]


def test_write_csv() -> None:
    out = io.BytesIO()
    rows = lines({"a": 'x,\n"é"', "n": None}, {"a": "", "b": [1, {"c": True}], "i": 3})
    formats.write_csv(rows, formats.columns_of(rows), out, ",")
    assert list(csv.reader(io.StringIO(out.getvalue().decode()))) == [
        ["a", "n", "b", "i"],
        ['x,\n"é"', "", "", ""],
        ["", "", '[1, {"c": true}]', "3"],
    ]


def test_write_json() -> None:
    for rows in ([], [{"a": 1}], [{"a": 1}, {"b": 2}]):
        out = io.BytesIO()
        formats.write_json(lines(*rows), out)
        assert json.loads(out.getvalue()) == rows


def test_write_parquet_keeps_types(tmp_path: Path) -> None:
    source, target = tmp_path / "lines", tmp_path / "out.parquet"
    rows = lines(
        {"i": 1, "f": 1, "t": "2020-01-01", "d": "2020-01-02", "x": [1], "big": 2**70, "b": True, "none": None},
        {"i": 2, "f": 1.5, "t": "é", "d": None, "x": {"k": "v"}, "more": "m"},
    )
    source.write_bytes(b"".join(rows))
    formats.write_parquet(source, formats.columns_of(rows), target, {"d": "DATE"})
    table = duckdb.sql(f"SELECT * FROM '{target}'")
    kinds = dict(zip(table.columns, map(str, table.types), strict=True))
    assert kinds == {
        **{"i": "BIGINT", "f": "DOUBLE", "t": "VARCHAR", "d": "DATE", "x": "VARCHAR", "big": "VARCHAR"},
        **{"b": "BOOLEAN", "none": "VARCHAR", "more": "VARCHAR"},
    }
    first, second = table.fetchall()
    assert first[:3] == (1, 1.0, "2020-01-01")
    assert (json.loads(first[4]), first[5]) == ([1], str(2**70))
    assert (second[2], second[3], json.loads(second[4]), second[8]) == ("é", None, {"k": "v"}, "m")


def test_write_parquet_spells_out_half_surrogate_pairs(tmp_path: Path) -> None:
    source, target = tmp_path / "lines", tmp_path / "out.parquet"
    rows = [b'{"a": "\\udce9x"}\n', *lines({"a": "\\udder \0"}, {"a": "\\ud800"})]
    source.write_bytes(b"".join(rows))
    formats.write_parquet(source, formats.columns_of(rows), target, None)
    assert duckdb.sql(f"SELECT a FROM '{target}'").fetchall() == [("\\udce9x",), ("\\udder \0",), ("\\ud800",)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lines", "out.parquet"]


# ------------------------------------------------------------------ workers


def corpus(*queries: str) -> list[Row]:
    return [Row(json.dumps({"id": i, "query": q}).encode()) for i, q in enumerate(queries)]


def outputs(rows: list[Row], workers: int) -> tuple[list[bytes], Report]:
    found, report = [], Report()
    for _, batch in pipeline.run(iter(rows), JOB, workers):
        found += batch.lines
        report.merge(batch.report)
    return found, report


def test_workers_give_what_one_process_gives() -> None:
    rows = corpus(*["bad" if i % 7 == 0 else f"q{i}" for i in range(1500)])
    alone, report = outputs(rows, 0)
    assert outputs(rows, 1) == (alone, report)
    assert outputs(rows, 3) == (alone, report)
    assert [json.loads(line)["id"] for line in alone] == list(range(1500))
    assert report.outcomes == {"ok": 1285, "invalid": 215}


@pytest.mark.parametrize(
    ("word", "reason"),
    [("raise", "ZeroDivisionError: as asked (corpus_tasks.py:"), ("exit", "exit code 7"), ("kill", "signal 9")],
)
def test_only_the_row_that_kills_a_worker_is_given_up(word: str, reason: str) -> None:
    rows = corpus("a", word, "b", "print", *["c"] * 300)
    found = [json.loads(line) for line in outputs(rows, 2)[0]]
    assert [row["loud"] for row in found] == ["A", None, "B", "PRINT", *["C"] * 300]
    assert codes(found[1]) == ["G092"]
    assert reason in found[1]["diagnostics"][0]["message"]


def test_worker_that_cannot_start_ends_the_run() -> None:
    with pytest.raises(CorpusError, match=r"does not start.*no_such_module"):
        list(pool.run_workers(corpus("a"), Job("no_such_module:x"), 1))


def test_rows_are_not_read_far_ahead() -> None:
    read_rows = 0

    def endless() -> Iterator[Row]:
        nonlocal read_rows
        for read_rows in itertools.count(1):  # noqa: B007
            yield Row(b'{"query": "a"}')

    batches = pool.run_workers(endless(), JOB, 2)
    for _ in range(5):
        next(batches)
    batches.close()  # type: ignore[attr-defined]
    assert read_rows <= 13 * pool.CHUNK_ROWS


# ------------------------------------------------------------------ reports


def test_report_survives_json() -> None:
    report = Report()
    report.add(10, [], ["match"])
    report.add(20, [Diagnostic("G001", "error", "x"), Diagnostic("G001", "error", "y")], [])
    report.add(5, [Diagnostic("G040", "warning", "x")], ["match", "return"])
    report.add(5, [Diagnostic("G501", "error", "x")], ["return"])
    again = Report.from_json(json.loads(json.dumps(report.to_json())))
    assert again == report
    assert report.to_json()["outcomes"] == {
        **{"ok": 1, "warning": 1, "invalid": 1, "refused": 1, "unreadable": 0, "crashed": 0}
    }
    assert report.to_json()["codes"][0] == {
        **{"code": "G001", "name": report.to_json()["codes"][0]["name"], "severity": "error", "count": 2, "rows": 1}
    }
    assert report.to_json()["constructs"]["return"] == {"rows": 2, "failed": 1}


def test_findings() -> None:
    report = Report()
    report.add(1, [Diagnostic("G900", "info", "x")], [])
    assert not report.fails_on(None)
    assert report.fails_on(["G9"])
    report.add(1, [Diagnostic("G040", "warning", "x")], [])
    assert report.fails_on(None)
    assert not report.fails_on(["G1", "G5"])
    assert not report.fails_on([])


# ------------------------------------------------------------------ interruption


def write(rows: list[Row], target: Path, *, resume: bool = False, **changes: Any) -> pipeline.Finished:
    return pipeline.write_rows(
        iter(rows),
        changes.get("job", JOB),
        target,
        workers=0,
        identity=changes.get("identity", IDENTITY),
        resume=resume,
    )


class Interruption(Exception):
    pass


def interrupted(rows: list[Row], after: int) -> Iterator[Row]:
    yield from rows[:after]
    raise Interruption


def start(rows: list[Row], target: Path, after: int, monkeypatch: pytest.MonkeyPatch, job: Job = JOB) -> None:
    """A run that ends after so many rows, with a record of each chunk."""
    monkeypatch.setattr(pipeline, "RECORD_INTERVAL", 0.0)
    with pytest.raises(Interruption):
        pipeline.write_rows(interrupted(rows, after), job, target, workers=0, identity=IDENTITY)


@pytest.fixture
def rows() -> list[Row]:
    return corpus(*["bad" if i % 5 == 0 else f"q{i}" for i in range(2000)])


def test_resumed_run_gives_the_same_file_and_report(
    rows: list[Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, target = tmp_path / "whole", tmp_path / "out"
    finished = write(rows, whole)
    for after in (0, 1, 255, 256, 257, 1000, 2000):
        start(rows, target, after, monkeypatch)
        assert target.with_name("out.resume").exists()
        with target.open("ab") as stream:
            stream.write(b'{"id": 99999, "que')
        again = write(rows, target, resume=True)
        assert target.read_bytes() == whole.read_bytes()
        assert again.report == finished.report
        assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "whole"]


def test_resumed_run_does_only_what_is_missing(
    rows: list[Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out"
    start(rows, target, 1600, monkeypatch)
    certain = json.loads(target.with_name("out.resume").read_text())["rows"]
    assert certain == 1536
    done: list[int] = []

    def count(rows: Iterator[Row], job: Job, workers: int) -> Any:
        for chunk, batch in pool.run_here(rows, job):
            done.append(len(chunk))
            yield chunk, batch

    monkeypatch.setattr(pipeline, "run", count)
    write(rows, target, resume=True)
    assert sum(done) == 2000 - certain


def test_resume_without_a_record_compares(rows: list[Row], tmp_path: Path) -> None:
    whole, target = tmp_path / "whole", tmp_path / "out"
    report = write(rows, whole).report
    data = whole.read_bytes()
    for size in (0, 1, 100, len(data) // 2, len(data) - 1, len(data)):
        target.write_bytes(data[:size])
        assert write(rows, target, resume=True).report == report
        assert target.read_bytes() == data
    target.write_bytes(data + b'{"torn')
    write(rows, target, resume=True)
    assert target.read_bytes() == data
    target.unlink()
    write(rows, target, resume=True)
    assert target.read_bytes() == data


def test_resume_refuses_another_input(rows: list[Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out"
    start(rows, target, 1000, monkeypatch)
    before = target.read_bytes()
    others = [*rows]
    others[300] = Row(b'{"query": "other"}')
    for wrong in (others, rows[:500]):
        with pytest.raises(CorpusError, match="another input"):
            write(wrong, target, resume=True)
        assert target.read_bytes() == before
    write(rows, target, resume=True)
    assert target.read_bytes().count(b"\n") == 2000


def test_resume_refuses_other_options(rows: list[Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out"
    start(rows, target, 1000, monkeypatch)
    with pytest.raises(CorpusError, match="task was 'shout', is 'whisper'"):
        write(rows, target, resume=True, identity={"task": "whisper"})


def test_resume_without_a_record_names_the_first_row_that_differs(rows: list[Row], tmp_path: Path) -> None:
    target = tmp_path / "out"
    write(rows, target)
    other = Job(JOB.task, JOB.field, {"mark": "!"}, JOB.columns)
    with pytest.raises(CorpusError, match="row 2 of"):
        write(rows, target, resume=True, job=other)
    with pytest.raises(CorpusError, match="more rows"):
        write(rows[:1990], target, resume=True)


def test_edited_output_is_noticed(rows: list[Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out"
    start(rows, target, 1000, monkeypatch)
    data = target.read_bytes()
    target.write_bytes(data.replace(b'"id": 17,', b'"id": 18,', 1))
    with pytest.raises(CorpusError, match="row 18 of"):
        write(rows, target, resume=True)


def test_record_without_constructs_is_not_used_for_a_report_of_them(
    rows: list[Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out"
    start(rows, target, 1000, monkeypatch)
    record = target.with_name("out.resume")
    data = json.loads(record.read_text())
    data["report"]["constructs"] = {}
    record.write_text(json.dumps(data))
    counting = Job(JOB.task, JOB.field, {"constructs": True}, JOB.columns)
    assert write(rows, target, resume=True, job=counting).report.constructs["word"] == 2000


@pytest.mark.parametrize("record", [b"", b"{", b"[]", b'{"version": 0}', b"\xff"])
def test_broken_record_is_no_record(rows: list[Row], record: bytes, tmp_path: Path) -> None:
    target = tmp_path / "out"
    write(rows, target)
    data = target.read_bytes()
    target.write_bytes(data[:5000])
    target.with_name("out.resume").write_bytes(record)
    write(rows, target, resume=True)
    assert target.read_bytes() == data


def test_killed_at_any_moment(tmp_path: Path) -> None:
    source, whole, target = tmp_path / "in.jsonl", tmp_path / "whole", tmp_path / "out"
    words = ["slow", "bad", "a"]
    source.write_bytes(b"".join(row.payload + b"\n" for row in corpus(*[words[i % 3] for i in range(6000)])))
    program = [sys.executable, "-m", "tests.corpus_tasks", str(source)]
    done = subprocess.run([*program, str(whole)], capture_output=True, cwd=ROOT, check=True)
    chance = random.Random(5)
    kills = 0
    for turn in range(30):
        resume = ["resume"] if turn else []
        process = subprocess.Popen([*program, str(target), *resume], stdout=subprocess.PIPE, cwd=ROOT)
        try:
            again, _ = process.communicate(timeout=chance.uniform(0.2, 1.2) if turn < 29 else None)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            kills += 1
            continue
        break
    assert process.returncode == 0
    assert kills > 0
    assert target.read_bytes() == whole.read_bytes()
    assert again == done.stdout
    assert not target.with_name("out.resume").exists()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc")
def test_workers_go_when_the_parent_is_killed(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_bytes(b"".join(row.payload + b"\n" for row in corpus(*["slow"] * 5000)))
    program = [sys.executable, "-m", "tests.corpus_tasks", str(source), str(tmp_path / "out")]
    with subprocess.Popen(program, cwd=ROOT) as process:
        workers: list[int] = []
        while len(workers) < 2 and process.poll() is None:
            time.sleep(0.05)
            tasks = Path(f"/proc/{process.pid}/task").glob("*/children")
            workers = [int(pid) for path in tasks for pid in path.read_text().split()]
        process.kill()
    assert len(workers) == 2
    for _ in range(200):
        left = [pid for pid in workers if _runs(pid)]
        if not left:
            break
        time.sleep(0.05)
    assert left == []


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
