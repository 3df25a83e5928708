"""Commands (indexes, constraints, SHOW, databases, users, privileges, servers): recognized by shape, kept as text.

The shapes are a table of small rules, read by a matcher that follows all alternatives at once and remembers how far it
came, so that a broken command is described like a broken query.  Knows nothing of queries: what follows a SHOW's YIELD
is not looked into, except to tell whether it writes.

Notation: WORDS are keywords in any case, other words are rules or kinds of tokens, marks stand in quotes; `[ ]` is
optional, `( | )` a choice, `*` and `+` repeat.  `old:`, `5:`, `25:` go before what only openCypher 9 texts, Cypher 5
and older, or Cypher 25 hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from graphir import ir
from graphir.diagnostics import SyntaxFault, diagnose
from graphir.grammar.lexical import Token, scan
from graphir.grammar.messages import sentence, suggest
from graphir.source import Source, Span

_PARTS = """
name        = word | quoted
value       = name | parameter
text        = string | parameter
path        = value ("." name)*
values      = value ("," value)*
paths       = path ("," path)*
map         = braces | parameter
absent      = [IF NOT EXISTS]
present     = [IF EXISTS]
options     = [OPTIONS map]
wait        = [NOWAIT | WAIT [number [SEC | SECOND | SECONDS]]]
language    = DEFAULT LANGUAGE CYPHER number
left        = "-" | "<-" | "<" "-"
right       = "-" | "->" | "-" ">"
label       = ":" name
labels      = ":" name ("|" name)*
node        = "(" name label ")"
edge        = "(" ")" left "[" name label "]" right "(" ")"
entity      = node | edge
entities    = "(" name labels ")" | "(" ")" left "[" name labels "]" right "(" ")"
property    = name "." name
properties  = property | "(" property ("," property)* ")"
type        = (word | number | "<" | ">" | "|" | "!" | parentheses)+
constraint  = (REQUIRE | old: ASSERT) (properties held | old: EXISTS "(" property ")")
held        = IS [NODE | RELATIONSHIP | REL] (UNIQUE | KEY) | IS NOT NULL | ("::" | IS ("::" | TYPED)) type
index_kind  = RANGE | TEXT | POINT | FULLTEXT | LOOKUP | VECTOR | old: BTREE
yielding    = 25: YIELD anything | plain
plain       = YIELD ("*" | yields) [ORDER BY expression] [(SKIP | OFFSET) expression] [LIMIT expression]
              [WHERE expression] [RETURN expression [ORDER BY expression] [(SKIP | OFFSET) expression]
              [LIMIT expression]] | WHERE expression | old: (BRIEF | VERBOSE) [OUTPUT]
yields      = name [AS name] ("," name [AS name])*
executable  = [EXECUTABLE [BY (CURRENT USER | name)]]
existence   = EXIST | EXISTENCE | PROPERTY (EXISTENCE | EXIST) | old: EXISTS
as_commands = [AS [REVOKE] (COMMAND | COMMANDS)]
privileges  = PRIVILEGE | PRIVILEGES
password    = [PLAINTEXT | ENCRYPTED] PASSWORD text [CHANGE [NOT] REQUIRED] | PASSWORD CHANGE [NOT] REQUIRED
user_part   = password | STATUS (SUSPENDED | ACTIVE) | HOME DATABASE path | AUTH [PROVIDER] text braces
            | 25: (TAG | TAGS) anything
auth_gone   = ALL AUTH [PROVIDER | PROVIDERS] | AUTH [PROVIDER | PROVIDERS] (text | brackets)
topology    = TOPOLOGY (number (PRIMARY | PRIMARIES | SECONDARY | SECONDARIES) | parameter anything)+
shards      = 25: ([SET] (GRAPH SHARD | PROPERTY SHARD | PROPERTY SHARDS) anything)
database_of = ACCESS READ (ONLY | WRITE) | TOPOLOGY anything | OPTION name anything | language
            | 25: (GRAPH SHARD | PROPERTY) anything
alias_part  = TARGET path [AT text] | USER value | PASSWORD text | DRIVER map | PROPERTIES map | language
rule        = AUTH RULE
privilege   = action [target]
action      = ACCESS | ALIAS | ALL | ALTER | ASSIGN | COMPOSITE | CONSTRAINT | CONSTRAINTS | CREATE | DATABASE | DELETE
            | DROP | EXECUTE | IMPERSONATE | INDEX | INDEXES | LOAD | MATCH | MERGE | NAME | PRIVILEGE | READ | REMOVE
            | RENAME | ROLE | SERVER | SET | SHOW | START | STOP | TERMINATE | TRANSACTION | TRAVERSE | USER | WRITE
            | 25: (rule | SECRETS)
"""

# The kind of the command, and its shape.  SHOW reads; everything else writes.
_COMMANDS = """
create index        = CREATE INDEX [value] absent FOR entity ON properties options
                    | CREATE (RANGE | TEXT | POINT | old: BTREE) INDEX [value] absent FOR entity ON properties options
                    | CREATE VECTOR INDEX [value] absent FOR (entity | 25: entities) ON properties
                      [25: WITH brackets] options
                    | CREATE FULLTEXT INDEX [value] absent FOR entities ON EACH "[" property ("," property)* "]" options
                    | CREATE LOOKUP INDEX [value] absent FOR
                      ("(" name ")" ON EACH | "(" ")" left "[" name "]" right "(" ")" ON [EACH])
                      name "(" name ")" options
                    | old: CREATE INDEX ON label "(" name ("," name)* ")"
create constraint   = CREATE CONSTRAINT [value] absent FOR entity constraint options
                    | old: CREATE CONSTRAINT [value] absent ON entity constraint options
create database     = CREATE [OR REPLACE] DATABASE path absent [language] shards* [topology] options wait
                    | CREATE [OR REPLACE] COMPOSITE DATABASE path absent [language] options wait
                    | 25: CREATE [OR REPLACE] REPLICA DATABASE path anything
create alias        = CREATE [OR REPLACE] ALIAS path absent FOR DATABASE path
                      [AT text USER value PASSWORD text [DRIVER map] [language]] [PROPERTIES map]
create user         = CREATE [OR REPLACE] USER value absent (SET user_part)+
create role         = CREATE [OR REPLACE] [IMMUTABLE] ROLE value absent [AS COPY OF value]
create auth rule    = 25: CREATE [OR REPLACE] rule value anything
drop index          = DROP INDEX value present | old: DROP INDEX ON label "(" name ("," name)* ")"
drop constraint     = DROP CONSTRAINT value present | old: DROP CONSTRAINT ON entity constraint
drop database       = DROP [COMPOSITE] DATABASE path present [RESTRICT | CASCADE (ALIAS | ALIASES)]
                      [(DUMP | DESTROY) DATA] wait
drop alias          = DROP ALIAS path present FOR DATABASE
drop user           = DROP USER value present
drop role           = DROP ROLE value present
drop server         = DROP SERVER text
drop auth rule      = 25: DROP rule value present
alter database      = ALTER DATABASE path present ((SET database_of)+ | (REMOVE OPTION name)+) wait
alter alias         = ALTER ALIAS path present SET DATABASE alias_part+
alter user          = ALTER USER value present (REMOVE (HOME DATABASE | auth_gone | 25: anything))* (SET user_part)*
                      [25: ADD anything]
                    | 25: ALTER USERS anything
alter current user  = ALTER CURRENT USER SET PASSWORD FROM text TO text
alter graph type    = 25: ALTER CURRENT GRAPH TYPE anything
alter server        = ALTER SERVER text SET OPTIONS map
alter auth rule     = 25: ALTER rule value anything
rename role         = RENAME ROLE value present TO value
rename user         = RENAME USER value present TO value
rename server       = RENAME SERVER text TO text
rename auth rule    = 25: RENAME rule value present TO value
start database      = START DATABASE path wait
stop database       = STOP DATABASE path wait
enable server       = ENABLE SERVER text options
reallocate          = [DRYRUN] REALLOCATE (DATABASE | DATABASES)
deallocate          = [DRYRUN] DEALLOCATE (DATABASE | DATABASES) FROM (SERVER | SERVERS) text ("," text)*
grant role          = GRANT (ROLE | ROLES) values TO (values | 25: (USER | USERS | rule) values)
grant               = GRANT [IMMUTABLE] privilege TO values
deny                = DENY [IMMUTABLE] privilege TO values
revoke role         = REVOKE (ROLE | ROLES) values FROM (values | 25: (USER | USERS | rule) values)
revoke              = REVOKE [GRANT | DENY] [IMMUTABLE] privilege FROM values
terminate           = TERMINATE (TRANSACTION | TRANSACTIONS) anything
show indexes        = SHOW [ALL | index_kind] (INDEX | INDEXES) [yielding]
show constraints    = SHOW [ALL | [NODE | RELATIONSHIP | REL] (UNIQUE | UNIQUENESS | KEY | existence | PROPERTY TYPE)]
                      (CONSTRAINT | CONSTRAINTS) [yielding]
show functions      = SHOW [ALL | BUILT IN | USER DEFINED] (FUNCTION | FUNCTIONS) executable [yielding]
show procedures     = SHOW (PROCEDURE | PROCEDURES) executable [yielding]
show settings       = SHOW (SETTING | SETTINGS) [anything]
show transactions   = SHOW (TRANSACTION | TRANSACTIONS) [anything]
show databases      = SHOW (DATABASE | DATABASES) [path] [yielding] | SHOW (DEFAULT | HOME) DATABASE [yielding]
show aliases        = SHOW (ALIAS | ALIASES) [path] FOR (DATABASE | DATABASES) [plain]
show servers        = SHOW (SERVER | SERVERS) [plain]
show current user   = SHOW CURRENT USER [plain]
show users          = SHOW (USER | USERS) [25: AS anything] [WITH AUTH] [plain]
show roles          = SHOW [ALL | POPULATED] (ROLE | ROLES) [WITH (USER | USERS)] [plain]
show privileges     = SHOW [ALL | SUPPORTED] privileges as_commands [plain]
                    | SHOW (ROLE | ROLES) values privileges as_commands [plain]
                    | SHOW (USER | USERS) [values] privileges as_commands [plain]
show graph type     = 25: SHOW CURRENT GRAPH TYPE [yielding]
show auth rules     = 25: SHOW rule [anything] | 25: SHOW AUTH RULES [anything]
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# CREATE is a command where one of these follows; as the name of a path (`CREATE index = ..`) it is none.
_CREATED = _words(
    "INDEX BTREE RANGE TEXT POINT FULLTEXT LOOKUP VECTOR CONSTRAINT DATABASE COMPOSITE REPLICA ALIAS USER ROLE "
    "IMMUTABLE AUTH OR"
)
_FIRST = _words(
    "SHOW TERMINATE CREATE DROP ALTER RENAME GRANT DENY REVOKE START STOP ENABLE DRYRUN REALLOCATE DEALLOCATE USE"
)
_WRITING = _words("CREATE INSERT MERGE SET REMOVE DELETE FOREACH CALL TERMINATE LOAD")
# Where an expression of a SHOW ends.
_CLAUSES = _words(
    "MATCH OPTIONAL WITH UNWIND CALL RETURN ORDER SKIP OFFSET LIMIT CREATE INSERT MERGE SET REMOVE DELETE DETACH "
    "NODETACH FOREACH FINISH USE UNION NEXT LET FILTER LOAD SHOW TERMINATE YIELD WHERE"
)
# What runs over any tokens, and the words that stop it.
_STOPS = {"anything": frozenset[str](), "expression": _CLAUSES, "target": _words("TO FROM")}
_ERAS = {
    "opencypher-9": frozenset({"old", "5"}),
    "neo4j-5": frozenset({"5"}),
    "neo4j-25": frozenset({"5", "25"}),
}


# ------------------------------------------------------------------ the notation


class _Word(NamedTuple):
    value: str


class _Mark(NamedTuple):
    value: str


class _Ref(NamedTuple):
    name: str


class _Sequence(NamedTuple):
    parts: tuple[_Shape, ...]


class _Choice(NamedTuple):
    parts: tuple[_Shape, ...]


class _Repeat(NamedTuple):
    part: _Shape
    least: int
    most: int | None


class _Guard(NamedTuple):
    era: str
    part: _Shape


_Shape = _Word | _Mark | _Ref | _Sequence | _Choice | _Repeat | _Guard
_NOTATION = re.compile(r'\s*(?:"([^"]+)"|(\w+:)|([A-Z_]+\b)|(\w+)|([\[\]()|*+]))')


def _read_rules(text: str) -> dict[str, _Shape]:
    """The rules of a table; a line that begins with white space or `|` goes on with the rule before it."""
    rules: dict[str, _Shape] = {}
    joined = re.sub(r"\n[ ]+", " ", text.strip())
    for line in joined.split("\n"):
        name, _, body = line.partition("=")
        pieces = [m.groups() for m in _NOTATION.finditer(body)]
        rules[name.strip()] = _read_choice(pieces, 0)[0]
    return rules


_Pieces = list[tuple[str | None, ...]]


def _read_choice(pieces: _Pieces, at: int) -> tuple[_Shape, int]:
    options = []
    while True:
        parts = []
        while at < len(pieces) and pieces[at][4] not in ("|", ")", "]"):
            part, at = _read_part(pieces, at)
            parts.append(part)
        options.append(parts[0] if len(parts) == 1 else _Sequence(tuple(parts)))
        if at == len(pieces) or pieces[at][4] != "|":
            return (options[0] if len(options) == 1 else _Choice(tuple(options))), at
        at += 1


def _read_part(pieces: _Pieces, at: int) -> tuple[_Shape, int]:
    mark, era, keyword, rule, control = pieces[at]
    if era:
        part, at = _read_guarded(pieces, at + 1)
        return _Guard(era[:-1], part), at
    if control:
        part, at = _read_choice(pieces, at + 1)
        part = _Repeat(part, 0, 1) if control == "[" else part
    elif keyword:
        part = _Word(keyword)
    else:
        part = _Mark(mark) if mark else _Ref(rule or "")
    at += 1
    if at < len(pieces) and pieces[at][4] in ("*", "+"):
        return _Repeat(part, 0 if pieces[at][4] == "*" else 1, None), at + 1
    return part, at


def _read_guarded(pieces: _Pieces, at: int) -> tuple[_Shape, int]:
    """A guard holds for the rest of its alternative."""
    parts = []
    while at < len(pieces) and pieces[at][4] not in ("|", ")", "]"):
        part, at = _read_part(pieces, at)
        parts.append(part)
    return _Sequence(tuple(parts)), at


@cache
def _rules() -> tuple[dict[str, _Shape], dict[str, _Shape]]:
    return _read_rules(_PARTS), _read_rules(_COMMANDS)


# ------------------------------------------------------------------ the matcher

_KINDS = {
    "word": "a name",
    "quoted": "a name",
    "string": "a string",
    "parameter": "a parameter",
    "number": "a number",
    "braces": "a map",
    "brackets": "a list",
    "parentheses": "`(`",
}
_TOKEN_KIND = {"word": "word", "quoted": "name", "string": "string", "parameter": "parameter", "number": "number"}
_GROUPS = {"braces": "{", "brackets": "[", "parentheses": "("}
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(slots=True)
class _Matcher:
    """Follows every alternative at once: a shape takes a set of positions to a set of positions."""

    tokens: list[Token]
    partners: dict[int, int]
    eras: frozenset[str]
    rules: dict[str, _Shape]
    furthest: int = -1
    expected: set[str] = field(default_factory=set)

    def match_whole(self, shape: _Shape, start: int) -> set[int]:
        """Where the shape may end; that something follows its end is remembered as a failure."""
        ends = self.match(shape, {start})
        self._take({max(ends)} - {len(self.tokens)} if ends else set(), lambda _: False, "the end of the command")
        return ends

    def match(self, shape: _Shape, at: set[int]) -> set[int]:
        if not at:
            return at
        match shape:
            case _Word(value):
                return self._take(at, lambda t: t.kind == "word" and t.value.upper() == value, f"`{value}`")
            case _Mark(value):
                return self._take(at, lambda t: t.kind == "punctuation" and t.value == value, f"`{value}`")
            case _Ref(name):
                return self._refer(name, at)
            case _Sequence(parts):
                for part in parts:
                    at = self.match(part, at)
                return at
            case _Choice(parts):
                return set().union(*(self.match(part, at) for part in parts))
            case _Repeat(part, least, most):
                return self._repeat(part, least, most, at)
            case _Guard(era, part):
                return self.match(part, at) if era in self.eras else set()

    def _repeat(self, part: _Shape, least: int, most: int | None, at: set[int]) -> set[int]:
        found = set() if least else set(at)
        rounds = 0
        while at and (most is None or rounds < most):
            at = self.match(part, at) - found
            found |= at
            rounds += 1
        return found

    def _refer(self, name: str, at: set[int]) -> set[int]:
        if name in _STOPS:
            return self._skip(at, _STOPS[name])
        if name in _GROUPS:
            opening = _GROUPS[name]
            inside = self._take(at, lambda t: t.kind == "punctuation" and t.value == opening, _KINDS[name])
            return {self.partners[i - 1] + 1 for i in inside}
        kind = _TOKEN_KIND.get(name)
        if kind is not None:
            return self._take(at, lambda t: t.kind == kind, _KINDS[name])
        return self.match(self.rules[name], at)

    def _take(self, at: set[int], test: Callable[[Token], bool], words: str) -> set[int]:
        after = set()
        for i in at:
            if i < len(self.tokens) and test(self.tokens[i]):
                after.add(i + 1)
            elif i >= self.furthest:
                if i > self.furthest:
                    self.furthest = i
                    self.expected.clear()
                self.expected.add(words)
        return after

    def _skip(self, at: set[int], stops: frozenset[str]) -> set[int]:
        """One token or more, up to a word of `stops`; a bracket goes with its partner."""
        after: set[int] = set()
        for i in at:
            here = i
            while here < len(self.tokens) and not self._stops(here, stops):
                here = self.partners.get(here, here) + 1
                if here in after:
                    break
                after.add(here)
            if here == i:
                self._take({i}, lambda _: False, "an expression" if stops else "more of the command")
        return after

    def _stops(self, at: int, stops: frozenset[str]) -> bool:
        token = self.tokens[at]
        return token.kind == "word" and token.value.upper() in stops and (at == 0 or self.tokens[at - 1].value != ".")


# ------------------------------------------------------------------ commands

_LEAD = re.compile(r"(?>(?:\s++|//[^\r\n]*+|/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/)*)([A-Za-z]++)", re.DOTALL)


def recognize(source: Source, text: str, span: Span, dialect: str = "neo4j-25") -> ir.Command | None:
    """The command at `span` of the text, or None where a query stands there.

    `text` is the text with its escapes resolved.  Raises the SyntaxFault of a command that is not well formed; its
    offsets are those of `text`.
    """
    first = _LEAD.match(text, span.start, span.end)
    if first is None or first[1].upper() not in _FIRST:
        return None
    tokens = [t for t in scan(text, span.start, span.end) if t.kind != "comment"]
    if tokens[-1].value == ";":
        del tokens[-1]
    start = _skip_use(tokens)
    if not _is_command(tokens, start):
        return None
    partners = _pair(source, tokens)
    parts, commands = _rules()
    matcher = _Matcher(tokens, partners, _ERAS[dialect], parts)
    for kind, shape in commands.items():
        if len(tokens) in matcher.match_whole(shape, start):
            whole = text[tokens[0].start : tokens[-1].end]
            span = Span(tokens[0].start, tokens[-1].end)
            calls, further = tuple(_calls(tokens)), _further(matcher, commands, start)
            return ir.Command(kind, _access(kind, tokens), whole, calls, further, span=span)
    raise _fault(source, matcher, dialect, start)


def _further(matcher: _Matcher, commands: dict[str, _Shape], start: int) -> tuple[str, ...]:
    """The kinds of the SHOW commands behind the first one: Cypher 25 combines them."""
    found: list[str] = []
    for at, token in enumerate(matcher.tokens):
        if at > start and token.kind == "word" and token.value.upper() == "SHOW":
            found += [
                kind for kind, shape in commands.items() if kind.startswith("show") and matcher.match(shape, {at})
            ]
    return tuple(dict.fromkeys(found))


def _skip_use(tokens: list[Token]) -> int:
    """`USE graph` may stand before a command: the index of the token after it."""
    at = 0
    if tokens[0].value.upper() == "USE" and len(tokens) > 2:
        at = 2
        while at + 1 < len(tokens) and tokens[at].value == ".":
            at += 2
        if tokens[at : at + 1] and tokens[at].value == "(":
            at += 1 + next((i for i, t in enumerate(tokens[at:]) if t.value == ")"), 0)
    return at


def _is_command(tokens: list[Token], at: int) -> bool:
    words = [t.value.upper() if t.kind == "word" else t.value for t in tokens[at : at + 3]]
    if not words or words[0] not in _FIRST or words[0] == "USE":
        return False
    second, third = (*words[1:], "", "")[:2]
    if words[0] == "CREATE":
        return second in _CREATED and third != "=" and (second != "OR" or third == "REPLACE")
    if words[0] == "START":
        return second == "DATABASE"
    return True


def _access(kind: str, tokens: list[Token]) -> str:
    """A SHOW reads, unless a clause after it may write: a doubt counts as a write."""
    if not kind.startswith("show"):
        return "write"
    named = _named_columns(tokens)
    for at, token in enumerate(tokens):
        writes = token.kind == "word" and token.value.upper() in _WRITING
        if writes and at not in named and not _follows_dot(tokens, at):
            return "write"
    return "read"


def _named_columns(tokens: list[Token]) -> set[int]:
    """Where the columns of the first YIELD get their names: `YIELD a AS set, b`."""
    words = [token.value.upper() if token.kind == "word" else token.value for token in tokens]
    named: set[int] = set()
    at = words.index("YIELD") + 1 if "YIELD" in words else len(words)
    while at + 1 < len(words):
        if words[at + 1] == "AS":
            named.add(at + 2)
            at += 2
        if words[at + 1 : at + 2] != [","]:
            break
        at += 2
    return named


def _calls(tokens: list[Token]) -> Iterator[str]:
    """The functions with a namespace that are called: those without one are built in, and only read."""
    for at, token in enumerate(tokens):
        if token.value == "(" and token.kind == "punctuation" and at and _follows_dot(tokens, at - 1):
            start = at - 1
            while _follows_dot(tokens, start):
                start -= 2
            yield ".".join(_name(part) for part in tokens[start:at:2])


def _follows_dot(tokens: list[Token], at: int) -> bool:
    """Whether the token is a part of a name behind the `.` of another part."""
    return (
        at > 1 and tokens[at - 1].value == "." and all(t.kind in ("word", "name") for t in tokens[at - 2 : at + 1 : 2])
    )


def _name(token: Token) -> str:
    return token.value[1:-1].replace("``", "`") if token.kind == "name" else token.value


def _pair(source: Source, tokens: list[Token]) -> dict[int, int]:
    """The index of each opening bracket with that of its closing one."""
    partners: dict[int, int] = {}
    opened: list[int] = []
    for i, token in enumerate(tokens):
        if token.value in _CLOSING and token.kind == "punctuation":
            opened.append(i)
        elif token.value in _CLOSING.values() and token.kind == "punctuation":
            if not opened or _CLOSING[tokens[opened[-1]].value] != token.value:
                raise SyntaxFault([diagnose(source, "G010", f"`{token.value}` closes no bracket", token.span)])
            partners[opened.pop()] = i
    if opened:
        token = tokens[opened[-1]]
        message = f"`{token.value}` is never closed"
        raise SyntaxFault([diagnose(source, "G010", message, token.span, expected=(f"`{_CLOSING[token.value]}`",))])
    return partners


def _fault(source: Source, matcher: _Matcher, dialect: str, start: int) -> SyntaxFault:
    tokens = matcher.tokens
    at = matcher.furthest
    expected = sorted(matcher.expected, key=lambda word: (word.startswith("`"), word))
    older = _removed(matcher, start) if dialect != "opencypher-9" else None
    if at >= len(tokens):
        end = tokens[-1].end
        message = f"the {tokens[start].value.upper()} command ends too early: expected {sentence(expected)}"
        return SyntaxFault([diagnose(source, "G009", message, Span(end, end), expected=expected)])
    token = tokens[at]
    if older is not None:
        return SyntaxFault([diagnose(source, "G022", older[0], token.span, hint=older[1])])
    command = tokens[start].value.upper()
    message = f"unexpected `{token.value[:40]}` in a {command} command: expected {sentence(expected)}"
    hint = suggest(token.value, expected)
    return SyntaxFault([diagnose(source, "G001", message, token.span, expected=expected, hint=hint)])


_REPLACED = {
    "create index": "write `CREATE INDEX name FOR (n:Label) ON (n.property)`",
    "create constraint": "write FOR for ON, REQUIRE for ASSERT, `n.p IS NOT NULL` for `exists(n.p)`",
    "drop index": "drop the index by its name: `DROP INDEX name`; `SHOW INDEXES` lists the names",
    "drop constraint": "drop the constraint by its name: `DROP CONSTRAINT name`; `SHOW CONSTRAINTS` lists the names",
    "show indexes": "leave the word out; `YIELD` chooses the columns",
    "show constraints": "leave the word out; `YIELD` chooses the columns",
}


def _removed(matcher: _Matcher, start: int) -> tuple[str, str] | None:
    """Message and hint where the command is one of older versions (the grammar before Neo4j 5 takes it)."""
    parts, commands = _rules()
    older = _Matcher(matcher.tokens, matcher.partners, frozenset({"old", "5"}), parts)
    for kind, hint in _REPLACED.items():
        if len(older.tokens) in older.match(commands[kind], {start}):
            return f"this form of {kind.upper()} is no longer part of Cypher", hint
    return None
