"""The signatures of functions and procedures, and which names outside of the table are known to be wrong.

One line for each canonical function of `graphir.functions`: its arguments, those that may be left out in brackets, and
its result; `..` is any number.  A result `=` is that of the first argument, `=[]` a list of it, `=*` its elements, `=|`
the joined arguments.  What a level changes stands in a table of its own.  Facts: SHOW FUNCTIONS and SHOW PROCEDURES of
Neo4j 5.26 and 2026.08, and what its compiler accepts where that is more.  Knows no IR.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from graphir import types
from graphir.functions import FUNCTIONS, Level
from graphir.gql_functions import GQL_FUNCTIONS

LEVELS: tuple[Level, ...] = ("opencypher-9", "neo4j-5", "neo4j-25")


@dataclass(frozen=True, slots=True)
class Signature:
    """`least` and `most` arguments (None: any number), their types, and the result or, in `rule`, how to get it."""

    least: int
    most: int | None
    arguments: tuple[int, ...]
    result: int
    rule: str = ""


_FUNCTIONS = """
abs (NUMBER) NUMBER
acos (NUMBER) FLOAT
asin (NUMBER) FLOAT
atan (NUMBER) FLOAT
atan2 (NUMBER, NUMBER) FLOAT
avg (NUMBER|DURATION) NUMBER|DURATION
btrim (STRING, [STRING]) STRING
cardinality (MAP|LIST|PATH) INTEGER
ceil (NUMBER) FLOAT
char_length (STRING) INTEGER
coalesce (ANY, ..) =|
coll.distinct (LIST) =
coll.flatten (LIST, [INTEGER]) LIST
coll.indexOf (LIST, ANY) INTEGER
coll.insert (LIST, INTEGER, ANY) LIST
coll.max (LIST) =*
coll.min (LIST) =*
coll.remove (LIST, INTEGER) =
coll.sort (LIST) =
collect (ANY) =[]
cos (NUMBER) FLOAT
cosh (NUMBER) FLOAT
cot (NUMBER) FLOAT
coth (NUMBER) FLOAT
count (ANY) INTEGER
count_star () INTEGER
date ([ANY]) DATE
date.realtime ([ANY]) DATE
date.statement ([ANY]) DATE
date.transaction ([ANY]) DATE
date.truncate (STRING, [ANY], [MAP|ELEMENT]) DATE
datetime ([ANY]) ZONED_DATETIME
datetime.fromepoch (NUMBER, NUMBER) ZONED_DATETIME
datetime.fromepochmillis (NUMBER) ZONED_DATETIME
datetime.realtime ([ANY]) ZONED_DATETIME
datetime.statement ([ANY]) ZONED_DATETIME
datetime.transaction ([ANY]) ZONED_DATETIME
datetime.truncate (STRING, [ANY], [MAP|ELEMENT]) ZONED_DATETIME
degrees (NUMBER) FLOAT
duration (ANY) DURATION
duration.between (ANY, ANY) DURATION
duration.inDays (ANY, ANY) DURATION
duration.inMonths (ANY, ANY) DURATION
duration.inSeconds (ANY, ANY) DURATION
e () FLOAT
elementId (ELEMENT) STRING
endNode (RELATIONSHIP) NODE
exp (NUMBER) FLOAT
file () STRING
floor (NUMBER) FLOAT
format (INSTANT|DURATION, [STRING]) STRING
graph.byElementId (STRING) GRAPH
graph.byName (STRING) GRAPH
haversin (NUMBER) FLOAT
head (LIST) =*
id (ELEMENT) INTEGER
isEmpty (STRING|MAP|ELEMENT|LIST) BOOLEAN
isNaN (NUMBER) BOOLEAN
keys (ELEMENT|MAP) LIST<STRING>
labels (NODE) LIST<STRING>
last (LIST) =*
left (STRING, INTEGER) STRING
length (PATH) INTEGER
linenumber () INTEGER
localdatetime ([ANY]) LOCAL_DATETIME
localdatetime.realtime ([ANY]) LOCAL_DATETIME
localdatetime.statement ([ANY]) LOCAL_DATETIME
localdatetime.transaction ([ANY]) LOCAL_DATETIME
localdatetime.truncate (STRING, [ANY], [MAP|ELEMENT]) LOCAL_DATETIME
localtime ([ANY]) LOCAL_TIME
localtime.realtime ([ANY]) LOCAL_TIME
localtime.statement ([ANY]) LOCAL_TIME
localtime.transaction ([ANY]) LOCAL_TIME
localtime.truncate (STRING, [ANY], [MAP|ELEMENT]) LOCAL_TIME
log (NUMBER) FLOAT
log10 (NUMBER) FLOAT
ltrim (STRING, [STRING]) STRING
max (ANY) =
min (ANY) =
nodes (PATH) LIST<NODE>
normalize (STRING, [ANY]) STRING
nullIf (ANY, ANY) ANY
path_length (PATH) INTEGER
percentileCont (NUMBER, NUMBER) FLOAT
percentileDisc (NUMBER, NUMBER) NUMBER
pi () FLOAT
point (MAP|ELEMENT) POINT
point.distance (ANY, ANY) FLOAT
point.withinBBox (ANY, ANY, ANY) BOOLEAN
properties (ELEMENT|MAP) MAP
radians (NUMBER) FLOAT
rand () FLOAT
randomUUID () STRING
range (INTEGER, INTEGER, [INTEGER]) LIST<INTEGER>
relationships (PATH) LIST<RELATIONSHIP>
replace (STRING, STRING, STRING) STRING
reverse (ANY) =
right (STRING, INTEGER) STRING
round (NUMBER, [NUMBER], [STRING]) FLOAT
rtrim (STRING, [STRING]) STRING
sign (NUMBER) INTEGER
sin (NUMBER) FLOAT
sinh (NUMBER) FLOAT
size (STRING|LIST) INTEGER
split (STRING, STRING|LIST<STRING>) LIST<STRING>
sqrt (NUMBER) FLOAT
stDev (NUMBER) FLOAT
stDevP (NUMBER) FLOAT
startNode (RELATIONSHIP) NODE
string.indexOf (STRING, STRING) INTEGER
string.join (LIST<STRING>, STRING) STRING
string.regexReplace (STRING, STRING, STRING) STRING
substring (STRING, INTEGER, [INTEGER]) STRING
sum (NUMBER|DURATION) NUMBER|DURATION
tail (LIST) =
tan (NUMBER) FLOAT
tanh (NUMBER) FLOAT
time ([ANY]) ZONED_TIME
time.realtime ([ANY]) ZONED_TIME
time.statement ([ANY]) ZONED_TIME
time.transaction ([ANY]) ZONED_TIME
time.truncate (STRING, [ANY], [MAP|ELEMENT]) ZONED_TIME
timestamp (..) INTEGER
toBoolean (BOOLEAN|STRING|INTEGER) BOOLEAN
toBooleanList (LIST) LIST<BOOLEAN>
toBooleanOrNull (ANY) BOOLEAN
toFloat (STRING|NUMBER) FLOAT
toFloatList (LIST) LIST<FLOAT>
toFloatOrNull (ANY) FLOAT
toInteger (BOOLEAN|STRING|NUMBER|LIST) INTEGER
toIntegerList (LIST) LIST<INTEGER>
toIntegerOrNull (ANY) INTEGER
toLower (STRING) STRING
toString (BOOLEAN|NUMBER|STRING|POINT|DURATION|INSTANT|UUID) STRING
toStringList (LIST) LIST<STRING>
toStringOrNull (ANY) STRING
toUpper (STRING) STRING
trim (STRING, [STRING]) STRING
type (RELATIONSHIP) STRING
uuid ([STRING|INTEGER], [INTEGER]) UUID
uuid.leastSignificantBits (UUID) INTEGER
uuid.mostSignificantBits (UUID) INTEGER
valueType (ANY) STRING
vector (STRING|LIST<NUMBER>, INTEGER, ANY) VECTOR
vector.similarity.cosine (LIST<NUMBER>, LIST<NUMBER>) FLOAT
vector.similarity.euclidean (LIST<NUMBER>, LIST<NUMBER>) FLOAT
vector_dimension_count (VECTOR) INTEGER
vector_distance (VECTOR, VECTOR, ANY) FLOAT
vector_norm (VECTOR, ANY) FLOAT
"""

_CHANGES: dict[Level, str] = {
    "neo4j-25": """
date ([ANY], [STRING]) DATE
datetime ([ANY], [STRING]) ZONED_DATETIME
duration (ANY, [STRING]) DURATION
localdatetime ([ANY], [STRING]) LOCAL_DATETIME
localtime ([ANY], [STRING]) LOCAL_TIME
replace (STRING, STRING, STRING, [INTEGER]) STRING
size (STRING|VECTOR|LIST) INTEGER
time ([ANY], [STRING]) ZONED_TIME
toFloatList (VECTOR|LIST) LIST<FLOAT>
toIntegerList (VECTOR|LIST) LIST<INTEGER>
vector.similarity.cosine (VECTOR|LIST<NUMBER>, VECTOR|LIST<NUMBER>) FLOAT
vector.similarity.euclidean (VECTOR|LIST<NUMBER>, VECTOR|LIST<NUMBER>) FLOAT
""",
}

_RULES = ("=", "=[]", "=*", "=|")


def _signature(line: str) -> tuple[str, Signature]:
    name, _, rest = line.partition(" ")
    inside, _, result = rest[1:].partition(") ")
    words = [word for word in inside.split(", ") if word]
    open_ended = bool(words) and words[-1] == ".."
    if open_ended:
        words.pop()
    rule = result if result in _RULES else ""
    return name, Signature(
        sum(not word.startswith("[") for word in words),
        None if open_ended else len(words),
        tuple(types.read(word.strip("[]")) for word in words),
        types.ANY if rule else types.read(result),
        rule,
    )


@cache
def signature_of(function: str) -> Signature | None:
    """What a function of Cypher, or of GQL, takes and gives; of the latter only the result is known."""
    found = signatures("neo4j-25").get(function)
    row = GQL_FUNCTIONS.get(function)
    if found is not None or row is None or row.result == "?":
        return found
    if row.result.startswith("="):
        return Signature(0, None, (), types.ANY, row.result)
    return Signature(0, None, (), types.read(row.result))


@cache
def signatures(level: Level) -> dict[str, Signature]:
    """The functions of a level of Cypher by canonical name.  Those without a signature are not in it."""
    known: dict[str, Signature] = {}
    for at in LEVELS[: LEVELS.index(level) + 1]:
        lines = _FUNCTIONS if at == "opencypher-9" else _CHANGES.get(at, "")
        known.update(_signature(line) for line in lines.split("\n") if line)
    order = LEVELS.index(level)
    return {name: known[name] for name in known if LEVELS.index(FUNCTIONS[name].since) <= order}


# ------------------------------------------------------------------ names outside of the table

NAMESPACES: frozenset[str] = frozenset(
    {"coll", "date", "datetime", "db", "dbms", "duration", "graph", "localdatetime", "localtime", "point"}
    | {"string", "time", "tx", "uuid", "vector"}
)
"""Name spaces of which every function and procedure is known; what another one holds depends on the plugins."""

REPLACED: dict[str, str] = {
    "distance": "point.distance",
    "float": "toFloat",
    "ifnull": "coalesce",
    "int": "toInteger",
    "label": "labels",
    "lcase": "toLower",
    "len": "size",
    "list_sort": "coll.sort",
    "nvl": "coalesce",
    "rels": "relationships",
    "str": "toString",
    "string": "toString",
    "strlen": "size",
    "toint": "toInteger",
    "ucase": "toUpper",
}
"""Functions of older versions and other languages, in lower case, and those that take the same and do the same."""

HINTS: dict[str, str] = {
    "all": "write all(x IN list WHERE predicate)",
    "any": "write any(x IN list WHERE predicate)",
    "array_slice": "write list[from..to]",
    "cast": "write toInteger(x), toFloat(x), toString(x) or toBoolean(x)",
    "concat": "write a + b",
    "contains": "CONTAINS is an operator: a CONTAINS b",
    "day": "a date has keys: d.day",
    "ends_with": "ENDS WITH is an operator: a ENDS WITH b",
    "endswith": "ENDS WITH is an operator: a ENDS WITH b",
    "extract": "write a list comprehension: [x IN list | expression]",
    "filter": "write a list comprehension: [x IN list WHERE predicate]",
    "if": "write CASE WHEN condition THEN value ELSE other END",
    "iif": "write CASE WHEN condition THEN value ELSE other END",
    "list_contains": "IN is an operator: value IN list",
    "month": "a date has keys: d.month",
    "none": "write none(x IN list WHERE predicate)",
    "now": "write datetime()",
    "single": "write single(x IN list WHERE predicate)",
    "starts_with": "STARTS WITH is an operator: a STARTS WITH b",
    "startswith": "STARTS WITH is an operator: a STARTS WITH b",
    "substr": "write substring(text, start, length), which counts from 0",
    "year": "a date has keys: d.year",
}
"""How Cypher says what other languages have a function for, by its name in lower case."""


# ------------------------------------------------------------------ procedures


@dataclass(frozen=True, slots=True)
class Procedure:
    """A built-in procedure; `yields` are its columns in order, none where it is void."""

    name: str
    signature: Signature
    yields: dict[str, int]
    mode: str


_PROCEDURES = """
READ db.awaitIndex (STRING, [INTEGER])
READ db.awaitIndexes ([INTEGER])
DBMS db.clearQueryCaches () value STRING
WRITE db.create.setNodeVectorProperty (NODE, STRING, ANY)
WRITE db.create.setRelationshipVectorProperty (RELATIONSHIP, STRING, ANY)
WRITE db.create.setVectorProperty (NODE, STRING, ANY) node NODE
WRITE db.createLabel (STRING)
WRITE db.createProperty (STRING)
WRITE db.createRelationshipType (STRING)
READ db.index.fulltext.awaitEventuallyConsistentIndexRefresh ()
READ db.index.fulltext.listAvailableAnalyzers () analyzer STRING, description STRING, stopwords LIST<STRING>
READ db.index.fulltext.queryNodes (STRING, STRING, [MAP|ELEMENT]) node NODE, score FLOAT
READ db.index.fulltext.queryRelationships (STRING, STRING, [MAP|ELEMENT]) relationship RELATIONSHIP, score FLOAT
SCHEMA db.index.vector.createNodeIndex (STRING, STRING, STRING, INTEGER, STRING)
READ db.index.vector.queryNodes (STRING, INTEGER, ANY) node NODE, score FLOAT
READ db.index.vector.queryRelationships (STRING, INTEGER, ANY) relationship RELATIONSHIP, score FLOAT
READ db.info () id STRING, name STRING, creationDate STRING
READ db.labels () label STRING
READ db.ping () success BOOLEAN
READ db.prepareForReplanning ([INTEGER])
READ db.propertyKeys () propertyKey STRING
READ db.relationshipTypes () relationshipType STRING
READ db.resampleIndex (STRING)
READ db.resampleOutdatedIndexes ()
READ db.schema.nodeTypeProperties () nodeType STRING, nodeLabels LIST<STRING>, propertyName STRING, \
propertyTypes LIST<STRING>, mandatory BOOLEAN
READ db.schema.relTypeProperties () relType STRING, propertyName STRING, propertyTypes LIST<STRING>, mandatory BOOLEAN
READ db.schema.visualization () nodes LIST<NODE>, relationships LIST<RELATIONSHIP>
READ db.stats.clear (STRING) section STRING, success BOOLEAN, message STRING
READ db.stats.collect (STRING, [MAP|ELEMENT]) section STRING, success BOOLEAN, message STRING
READ db.stats.retrieve (STRING, [MAP|ELEMENT]) section STRING, data MAP
READ db.stats.retrieveAllAnonymized (STRING, [MAP|ELEMENT]) section STRING, data MAP
READ db.stats.status () section STRING, status STRING, data MAP
READ db.stats.stop (STRING) section STRING, success BOOLEAN, message STRING
DBMS dbms.cluster.routing.getRoutingTable (MAP|ELEMENT, [STRING]) ttl INTEGER, servers LIST<MAP>
DBMS dbms.components () name STRING, versions LIST<STRING>, edition STRING
DBMS dbms.info () id STRING, name STRING, creationDate STRING
DBMS dbms.killConnection (STRING) connectionId STRING, username STRING, message STRING
DBMS dbms.killConnections (LIST<STRING>) connectionId STRING, username STRING, message STRING
DBMS dbms.listCapabilities () name STRING, description STRING, value ANY
DBMS dbms.listConfig ([STRING]) name STRING, description STRING, value STRING, dynamic BOOLEAN, defaultValue STRING, \
startupValue STRING, explicitlySet BOOLEAN, validValues STRING
DBMS dbms.listConnections () connectionId STRING, connectTime STRING, connector STRING, username STRING, \
userAgent STRING, serverAddress STRING, clientAddress STRING
DBMS dbms.queryJmx (STRING) name STRING, description STRING, attributes MAP
DBMS dbms.routing.getRoutingTable (MAP|ELEMENT, [STRING]) ttl INTEGER, servers LIST<MAP>
WRITE dbms.upgrade () status STRING, upgradeResult STRING
READ dbms.upgradeStatus () status STRING, description STRING, resolution STRING
DBMS tx.getMetaData () metadata MAP
DBMS tx.setMetaData (MAP|ELEMENT)
"""

_LAST: dict[str, Level] = {
    "db.create.setVectorProperty": "neo4j-5",
    "db.index.vector.createNodeIndex": "neo4j-5",
    "dbms.upgrade": "neo4j-5",
    "dbms.upgradeStatus": "neo4j-5",
}

_NEO4J: tuple[Level, ...] = ("neo4j-5", "neo4j-25")

DEPRECATED: dict[str, tuple[tuple[Level, ...], str]] = {
    "id": (_NEO4J, "elementId(), or a property of your own"),
    "db.create.setVectorProperty": (("neo4j-5",), "db.create.setNodeVectorProperty"),
    "db.index.vector.createNodeIndex": (("neo4j-5",), "CREATE VECTOR INDEX"),
    "db.index.vector.queryNodes": (("neo4j-25",), "the clause SEARCH"),
    "db.index.vector.queryRelationships": (("neo4j-25",), "the clause SEARCH"),
    "dbms.cluster.routing.getRoutingTable": (_NEO4J, "dbms.routing.getRoutingTable"),
    "dbms.upgrade": (("neo4j-5",), "nothing: the server upgrades by itself"),
    "dbms.upgradeStatus": (("neo4j-5",), "nothing: the server upgrades by itself"),
}
"""Functions and procedures that still work, the levels that advise against them, and what to use."""

FORMER: dict[str, str] = {
    "db.constraints": "SHOW CONSTRAINTS",
    "db.indexes": "SHOW INDEXES",
    "dbms.functions": "SHOW FUNCTIONS",
    "dbms.procedures": "SHOW PROCEDURES",
    "dbms.listqueries": "SHOW TRANSACTIONS",
    "dbms.listtransactions": "SHOW TRANSACTIONS",
    "dbms.killquery": "TERMINATE TRANSACTIONS",
    "dbms.killtransaction": "TERMINATE TRANSACTIONS",
    "dbms.security.createuser": "CREATE USER",
    "dbms.security.deleteuser": "DROP USER",
    "dbms.security.listusers": "SHOW USERS",
    "dbms.security.listroles": "SHOW ROLES",
    "db.index.fulltext.createnodeindex": "CREATE FULLTEXT INDEX",
    "db.index.fulltext.createrelationshipindex": "CREATE FULLTEXT INDEX",
    "db.index.fulltext.drop": "DROP INDEX",
    "db.schema": "db.schema.visualization()",
}
"""Procedures of older versions, in lower case, and what does the same."""

_COLUMN = re.compile(r"(\w+) ([\w<>|]+)")


@cache
def procedures(level: Level) -> dict[str, Procedure]:
    """The built-in procedures of a level by name.  Names of procedures are case-sensitive."""
    known: dict[str, Procedure] = {}
    for line in _PROCEDURES.split("\n"):
        if not line:
            continue
        mode, name, rest = line.split(" ", 2)
        inside, columns = rest.rsplit(")", 1)
        signature = _signature(f"{name} {inside}) ANY")[1]
        yields = {column: types.read(kind) for column, kind in _COLUMN.findall(columns)}
        last = _LAST.get(name, "neo4j-25")
        if LEVELS.index(last) >= LEVELS.index(level):
            known[name] = Procedure(name, signature, yields, mode)
    return known
