"""Data definitions: what the readers understand, what the writers print, and the names in both."""

from __future__ import annotations

import pytest

from graphir import GraphirError, Schema, SemanticFault, SyntaxFault
from graphir.schema import DataType, NodeType, PropertyType, labels
from graphir.schema.ddl import script, tokens
from graphir.schema.ddl.names import names
from graphir.schema.difference import compare
from graphir.schema.model import CLOSED, EdgeType

STRING, INTEGER, FLOAT = DataType("STRING"), DataType("INTEGER"), DataType("FLOAT")

SPANNER = """
CREATE TABLE Person (id INT64 NOT NULL, name STRING(MAX), tags ARRAY<STRING(MAX)>, born DATE) PRIMARY KEY (id);
CREATE TABLE Account (id INT64 NOT NULL, owner INT64, balance NUMERIC, e ARRAY<FLOAT32>(vector_length=>8),
  CONSTRAINT c CHECK (balance > 0), FOREIGN KEY (owner) REFERENCES Person (id)) PRIMARY KEY (id DESC);
CREATE TABLE Transfer (id INT64 NOT NULL, to_id INT64 NOT NULL, at TIMESTAMP NOT NULL, amount FLOAT64)
  PRIMARY KEY (id, to_id, at), INTERLEAVE IN PARENT Account ON DELETE CASCADE;
INSERT INTO Person (id) VALUES (1); # a comment; with a semicolon
CREATE OR REPLACE PROPERTY GRAPH Bank
  NODE TABLES (Person LABEL Human PROPERTIES (id, name AS full_name, CAST(NULL AS DATE) AS died) LABEL Thing, Account)
  EDGE TABLES (
    Account AS Owned SOURCE KEY (owner) REFERENCES Person (id) DESTINATION KEY (id) REFERENCES Account (id)
      LABEL OWNS NO PROPERTIES,
    Transfer SOURCE KEY (id) REFERENCES Account (id) DESTINATION KEY (to_id) REFERENCES Account (id)
      LABEL SENT PROPERTIES ARE ALL COLUMNS EXCEPT (id, to_id)
  );
"""


def node(schema: Schema, *names: str) -> NodeType:
    return next(one for one in schema.node_types if one.labels == labels(*names))


def edge(schema: Schema, type: str) -> EdgeType:
    return next(one for one in schema.edge_types if one.type == type)


def types(owner: NodeType | EdgeType) -> dict[str, str]:
    return {one.name: str(one.type) for one in owner.properties or ()}


# ------------------------------------------------------------------ property graphs


def test_spanner_graph() -> None:
    schema = Schema.read(SPANNER)
    assert schema.name == "Bank"
    assert schema.coverage == CLOSED
    person = node(schema, "Human", "Thing")
    assert types(person) == {
        "born": "DATE",
        "full_name": "STRING",
        "id": "INTEGER",
        "name": "STRING",
        "tags": "LIST<STRING>",
    }
    assert person.key == ("id",)
    assert types(node(schema, "Account"))["e"] == "VECTOR(8)"
    owns = edge(schema, "OWNS")
    assert (owns.source, owns.target, owns.properties) == (labels("Human", "Thing"), labels("Account"), ())
    assert owns.table is not None
    assert (owns.table.name, owns.table.source, owns.table.target) == ("Account", ("owner",), ("id",))
    assert types(edge(schema, "SENT")) == {"amount": "FLOAT", "at": "ZONED DATETIME"}
    assert edge(schema, "SENT").key == ()
    assert schema.guesses == ("statements passed over: INSERT (1)",)


def test_postgres_foreign_keys_and_folding() -> None:
    schema = Schema.read(
        """CREATE TABLE shop.Customer (ID bigserial PRIMARY KEY, "Mail" varchar(80) UNIQUE, vip boolean NOT NULL);
        CREATE TABLE Orders (Nr int PRIMARY KEY, placed timestamptz, customer bigint REFERENCES shop.customer (id));
        ALTER TABLE ONLY orders ADD CONSTRAINT s CHECK (nr > 0), ADD COLUMN state text CHECK (state IN ('new', 'paid'));
        COMMENT ON TABLE orders IS 'what was bought';
        CREATE PROPERTY GRAPH shop
          VERTEX TABLES (Customer, orders DEFAULT LABEL LABEL Document PROPERTIES (NR, 'order'::varchar(5) AS kind))
          EDGE TABLES (orders AS placed KEY (nr) SOURCE customer DESTINATION KEY (nr) REFERENCES ORDERS (nr))
        """,
        "postgres-ddl",
    )
    customer = node(schema, "Customer")
    assert customer.key == ("ID",)
    assert [(p.name, str(p.type), p.nullable, p.unique) for p in customer.properties or ()] == [
        ("ID", "INTEGER", False, False),
        ("Mail", "STRING(80)", True, True),
        ("vip", "BOOLEAN", False, False),
    ]
    orders = node(schema, "orders", "Document")
    assert orders.description == "what was bought"
    assert types(orders)["kind"] == "STRING(5)"
    assert next(p.values for p in orders.properties or () if p.name == "state") == ("new", "paid")
    assert edge(schema, "placed").source == labels("Customer")
    assert schema.origin is not None
    assert ("property", "ID", "id") in schema.origin.held
    told = names(schema, "pgq-postgres")
    assert told.nodes[customer.labels].labels == {"Customer": "customer"}
    assert told.nodes[customer.labels].properties == {"ID": "id", "Mail": "Mail", "vip": "vip"}
    assert names(schema, "pgq-oracle-26ai").nodes[customer.labels].labels == {"Customer": "Customer"}
    again = Schema.read(schema.write("postgres-ddl"), "postgres-ddl")
    assert [(change.name, change.field) for change in compare(schema, again)] == [
        ("(:Document:orders).kind", "nullable")
    ]


def test_altered_property_graph() -> None:
    schema = Schema.read(
        """CREATE TABLE a (id int PRIMARY KEY, x int); CREATE TABLE b (id int PRIMARY KEY, y text);
        CREATE PROPERTY GRAPH g VERTEX TABLES (a LABEL l1 LABEL l2 PROPERTIES (id));
        ALTER PROPERTY GRAPH g ADD VERTEX TABLES (b) ADD EDGE TABLES (
          a AS e SOURCE KEY (id) REFERENCES a (id) DESTINATION KEY (x) REFERENCES b (id));
        ALTER PROPERTY GRAPH g ALTER VERTEX TABLE a DROP LABEL l1;
        ALTER PROPERTY GRAPH g ALTER VERTEX TABLE a ALTER LABEL l2 ADD PROPERTIES (x AS z)""",
        "postgres-ddl",
    )
    assert [node.labels for node in schema.node_types] == [("b",), ("l2",)]
    assert set(types(node(schema, "l2"))) == {"id", "z"}
    assert edge(schema, "e").target == ("b",)


def test_oracle_types_and_names() -> None:
    schema = Schema.read(
        """CREATE TABLE persons (person_id NUMBER GENERATED ALWAYS AS IDENTITY (START WITH 1 INCREMENT BY 1),
          name VARCHAR2(10 CHAR), birthdate DATE, height FLOAT DEFAULT ON NULL 0, n5 NUMBER(5), d NUMBER(8,2),
          flag BOOLEAN, v VECTOR(3, FLOAT32), j JSON, t TIMESTAMP(6) WITH TIME ZONE, r RAW(16),
          CONSTRAINT person_pk PRIMARY KEY (person_id))
        /
        CREATE TABLE friends (id INT, a INT, b INT, CONSTRAINT fk_a FOREIGN KEY (a) REFERENCES persons (person_id),
          CONSTRAINT fk_b FOREIGN KEY (b) REFERENCES persons (person_id));
        CREATE PROPERTY GRAPH g
          VERTEX TABLES (persons KEY (person_id) LABEL person PROPERTIES ARE ALL COLUMNS EXCEPT (j))
          EDGE TABLES (friends KEY (id) SOURCE KEY (a) REFERENCES persons (person_id)
            DESTINATION KEY (b) REFERENCES persons (person_id) LABEL "knows" PROPERTIES (id AS "Key"))
          OPTIONS (TRUSTED MODE, ALLOW MIXED PROPERTY TYPES)""",
        "oracle-ddl",
    )
    assert types(node(schema, "person")) == {
        "person_id": "DECIMAL",
        "name": "STRING(10)",
        "birthdate": "DATE",
        "height": "FLOAT",
        "n5": "INTEGER16",
        "d": "DECIMAL(8, 2)",
        "flag": "BOOLEAN",
        "v": "VECTOR(3)",
        "t": "ZONED DATETIME",
        "r": "UUID",
    }
    told = names(schema, "pgq-oracle-23ai")
    assert told.nodes[("person",)].labels == {"person": "PERSON"}
    (knows,) = told.edges["knows", ("person",), ("person",)]
    assert (knows.labels, knows.properties) == ({"knows": "knows"}, {"Key": "Key"})
    again = schema.write("oracle-ddl")
    assert "LABEL person " in again
    assert Schema.read(again, "oracle-ddl") == schema


def test_duckpgq_sublabels() -> None:
    schema = Schema.read(
        """CREATE TABLE org (id BIGINT PRIMARY KEY, kind BIGINT, name VARCHAR); CREATE TABLE p (id BIGINT, f FLOAT[3]);
        CREATE PROPERTY GRAPH g VERTEX TABLES (p PROPERTIES (id) LABEL Person,
          org NO PROPERTIES LABEL Organisation IN kind (Company, University))
        EDGE TABLES (
          p AS w SOURCE KEY (id) REFERENCES p (id) DESTINATION KEY (id) REFERENCES org (id) LABEL worksAt)""",
        "duckpgq-ddl",
    )
    assert [(node.labels, node.parents) for node in schema.node_types] == [
        (("Company",), ("Organisation",)),
        (("Organisation",), ()),
        (("Person",), ()),
        (("University",), ("Organisation",)),
    ]
    assert names(schema, "pgq-duckpgq").nodes[("Company",)].labels == {"Company": "Company"}
    text = schema.write("duckpgq-ddl")
    assert "-- (:Company) is left out: which rows of org have the label is not said" in text
    again = Schema.read(text, "duckpgq-ddl")
    assert [node.labels for node in again.node_types] == [("Organisation",), ("Person",)]
    assert [edge.type for edge in again.edge_types] == ["worksAt"]


def test_table_that_is_not_defined_has_unknown_properties() -> None:
    schema = Schema.read("CREATE PROPERTY GRAPH g VERTEX TABLES (a, b PROPERTIES (x))", "postgres-ddl")
    assert node(schema, "a").properties is None
    assert node(schema, "b").properties == (PropertyType("x"),)


def test_a_table_is_nodes_and_edges() -> None:
    schema = Schema.read(
        """CREATE TABLE `my-project.bank.Account` (id INT64, owner INT64, PRIMARY KEY (id) NOT ENFORCED);
        CREATE PROPERTY GRAPH bank.g
          NODE TABLES (`my-project.bank.Account` OPTIONS (description = 'x'), Person KEY (id))
          EDGE TABLES (bank.Account
            SOURCE KEY (owner) REFERENCES Person DESTINATION KEY (id) REFERENCES Account LABEL owns NO PROPERTIES)""",
        "spanner-ddl",
    )
    assert types(node(schema, "Account")) == {"id": "INTEGER", "owner": "INTEGER"}
    assert edge(schema, "owns").target == ("Account",)
    text = schema.write("spanner-ddl")
    assert text.count("CREATE TABLE") == 2
    assert "Account AS owns KEY (id)" in text


def test_several_graphs_in_a_script() -> None:
    text = "CREATE PROPERTY GRAPH g VERTEX TABLES (a NO PROPERTIES); CREATE PROPERTY GRAPH h VERTEX TABLES (b)"
    assert [node.labels for node in script.read(text, "postgres-ddl", "G").node_types] == [("a",)]
    assert "several property graphs; h was read, not g" in Schema.read(text, "postgres-ddl").guesses


@pytest.mark.parametrize(
    ("text", "format", "code", "place"),
    [
        ("CREATE PROPERTY GRAPH g VERTEX TABLES (a LABEL)", "postgres-ddl", "G085", (1, 47)),
        ("CREATE TABLE t (a int,\n b varchar(", "postgres-ddl", "G085", (2, 12)),
        ("CREATE TABLE t (a 'x)", "postgres-ddl", "G085", (1, 19)),
        ("CREATE PROPERTY GRAPH g VERTEX TABLES (a) EDGE TABLES (e SOURCE a)", "oracle-ddl", "G085", (1, 66)),
        ("CREATE TABLE `a (x INT64)", "spanner-ddl", "G085", (1, 14)),
        (
            "CREATE TABLE a (x int); CREATE PROPERTY GRAPH g VERTEX TABLES (a PROPERTIES (xx))",
            "postgres-ddl",
            "G086",
            (1, 78),
        ),
        ("CREATE PROPERTY GRAPH g VERTEX TABLES (a, A)", "duckpgq-ddl", "G088", (1, 43)),
        ("SELECT 1", "postgres-ddl", "G089", (1, 1)),
        ("CREATE NODE TABLE A (id INT64, id STRING)", "kuzu-ddl", "G088", (1, 32)),
        ("CREATE NODE TABLE A (id INT64); CREATE REL TABLE R (FROM A TO B)", "kuzu-ddl", "G086", (1, 63)),
        ("CREATE GRAPH TYPE g { (a) -[:R]-> (b) }", "gql", "G086", (1, 24)),
        ("CREATE GRAPH TYPE g { (:A {x STRING, x INT}) }", "gql", "G088", (1, 38)),
        ("CREATE CONSTRAINT c FOR (n:A) REQUIRE m.x IS UNIQUE", "neo4j", "G086", (1, 39)),
        ("ALTER CURRENT GRAPH TYPE SET { (:A => {x :: STRNG}) }", "neo4j", "G085", (1, 45)),
    ],
)
def test_a_fault_has_its_code_and_place(text: str, format: str, code: str, place: tuple[int, int]) -> None:
    with pytest.raises(GraphirError) as caught:
        Schema.read(text, format)
    (found,) = caught.value.diagnostics
    assert (found.code, (found.line, found.column)) == (code, place)
    assert isinstance(caught.value, SyntaxFault if code == "G085" else SemanticFault)


# ------------------------------------------------------------------ tables without a graph


def test_relational_schema() -> None:
    schema = Schema.read(
        """CREATE TABLE department (dept_no INT PRIMARY KEY, name TEXT);
        CREATE TABLE employee (id INT PRIMARY KEY, name TEXT NOT NULL, manager_id INT REFERENCES employee (id),
          department INT REFERENCES department);
        CREATE TABLE project (code TEXT PRIMARY KEY);
        CREATE TABLE assignment (employee_id INT REFERENCES employee (id), project_code TEXT REFERENCES project (code),
          hours INT, PRIMARY KEY (employee_id, project_code));
        CREATE TABLE rating (id INT PRIMARY KEY, by_id INT REFERENCES employee, of_id INT REFERENCES employee);
        """,
        "postgres-ddl",
    )
    assert {node.labels[0]: set(types(node)) for node in schema.node_types} == {
        "department": {"dept_no", "name"},
        "employee": {"id", "name"},
        "project": {"code"},
        "rating": {"id"},
    }
    assert {(edge.type, edge.source, edge.target) for edge in schema.edge_types} == {
        ("assignment", ("employee",), ("project",)),
        ("HAS_MANAGER", ("employee",), ("employee",)),
        ("HAS_DEPARTMENT", ("employee",), ("department",)),
        ("HAS_BY", ("rating",), ("employee",)),
        ("HAS_OF", ("rating",), ("employee",)),
    }
    assert types(edge(schema, "assignment")) == {"hours": "INTEGER32"}
    assert len(schema.guesses) == 5
    text = schema.write("postgres-ddl")
    assert text.count("CREATE TABLE") == 5
    assert 'employee AS "HAS_MANAGER" KEY (id)' in text
    again = Schema.read(text, "postgres-ddl")
    assert [(e.type, e.source, e.target) for e in again.edge_types] == [
        (e.type, e.source, e.target) for e in schema.edge_types
    ]


def test_indexes_and_options_are_passed_over() -> None:
    schema = Schema.read(
        """CREATE TABLE IF NOT EXISTS `user` (`id` int(11) NOT NULL AUTO_INCREMENT, `key` varchar(20) DEFAULT 'a,b',
          `boss` int(11) DEFAULT NULL, PRIMARY KEY (`id`), KEY `k` (`boss`), UNIQUE KEY `u` (`key`),
          CONSTRAINT `fk` FOREIGN KEY (`boss`) REFERENCES `user` (`id`) ON DELETE SET NULL) ENGINE=InnoDB;"""
    )
    (user,) = schema.node_types
    assert types(user) == {"id": "INTEGER", "key": "STRING(20)"}
    assert next(one.unique for one in user.properties or () if one.name == "key")
    assert [edge.type for edge in schema.edge_types] == ["HAS_BOSS"]


# ------------------------------------------------------------------ writing


def property(name: str, type: DataType | None = STRING, **facts: object) -> PropertyType:
    return PropertyType(name, type, True, **facts)  # type: ignore[arg-type]


def test_one_type_for_a_property_name() -> None:
    schema = Schema(
        (
            NodeType(("A",), (property("x"),)),
            NodeType(("B",), (property("x"),)),
            NodeType(("C",), (property("x", FLOAT),)),
        )
    )
    for dialect in ("gql-spanner", "pgq-postgres", "pgq-oracle-23ai"):
        told = names(schema, dialect)
        assert [told.nodes[(label,)].properties["x"] for label in "ABC"] == ["x", "x", "x_float"]
        assert told.nodes[("A",)].identity == ("graphir_id",)
    assert names(schema, "pgq-duckpgq").nodes[("C",)].properties == {"x": "x"}
    assert "-- the property x is called x_float" in schema.write("spanner-ddl")


def test_types_that_are_one_in_a_graph() -> None:
    texts = (NodeType(("A",), (property("x"),)), NodeType(("B",), (property("x", DataType("STRING", size=9)),)))
    numbers = (NodeType(("C",), (property("y", INTEGER),)), NodeType(("D",), (property("y", FLOAT),)))
    schema = Schema((*texts, *numbers))
    for dialect, x, y in (
        ("gql-spanner", "x", "y_integer"),
        ("pgq-oracle-23ai", "x", "y"),
        ("pgq-postgres", "x_string", "y_integer"),
    ):
        told = names(schema, dialect)
        found = {name for node in told.nodes.values() for name in node.properties.values()}
        assert found in ({"x", "y", x, y}, {"x", "y", x, y.replace("integer", "float")})


def test_case_twins() -> None:
    schema = Schema((NodeType(("Person",), (property("Name"), property("name"))), NodeType(("person",))))
    assert Schema.read(schema.write("oracle-ddl")) == schema
    told = names(schema, "gql-spanner")
    assert told.nodes[("person",)].labels == {"person": "person_2"}
    assert told.nodes[("Person",)].properties == {"Name": "Name", "name": "name_string"}
    assert "-- the label person is called person_2" in schema.write("spanner-ddl")


def test_long_names_are_cut_to_different_names() -> None:
    schema = Schema((NodeType(("é" * 100 + "a",)), NodeType(("é" * 100 + "b",))))
    found = {name for node in names(schema, "pgq-postgres").nodes.values() for name in node.labels.values()}
    assert len(found) == 2
    assert all(len(name.encode()) <= 63 for name in found)


def test_tables_of_one_label_expose_the_same_properties() -> None:
    ends = (NodeType(("A",)), NodeType(("B",)))
    schema = Schema(
        ends,
        (
            EdgeType("R", ("A",), ("A",), (property("x", INTEGER),)),
            EdgeType("R", ("A",), ("B",), (property("y"),)),
        ),
    )
    text = schema.write("postgres-ddl")
    assert "CAST(NULL AS text) AS y" in text
    assert Schema.read(text, "postgres-ddl") == schema
    assert "CAST" not in schema.write("oracle-ddl")
    labels_of = [each.labels["R"] for edges in names(schema, "pgq-duckpgq").edges.values() for each in edges]
    assert labels_of == ["R", "R_A_B"]


def test_inheritance_is_repeated_and_ends_reach_the_heirs() -> None:
    schema = Schema(
        (NodeType(("Being",), (property("name"),)), NodeType(("Person",), (property("mail"),), parents=("Being",))),
        (EdgeType("KNOWS", ("Being",), ("Being",)),),
    )
    again = Schema.read(schema.write("postgres-ddl"), "postgres-ddl")
    assert {node.labels: set(types(node)) for node in again.node_types} == {
        ("Being",): {"name"},
        ("Being", "Person"): {"name", "mail"},
    }
    assert len(again.edge_types) == 4
    assert Schema.read(schema.write("gql"), "gql") == schema


def test_what_is_not_held_is_told() -> None:
    schema = Schema(
        (NodeType(("A", "B"), (property("p", DataType("POINT"), values=("x",)), PropertyType("q")), count=3),),
        (EdgeType("R", ("A", "B"), None), EdgeType("S", ("C",), ("A", "B"), None)),
    )
    notes = [line[3:] for line in schema.write("duckpgq-ddl").split("\n") if line.startswith("-- ")]
    assert notes == [
        "[:R] is left out: between which nodes it stands is not known",
        "(:C) is named by edges only: it gets a table without properties",
        "(:A:B): one label for a table, so B is not held",
        "POINT is written as JSON: (:A:B).p",
        "unknown type is written as VARCHAR: (:A:B).q",
        "whether they may be NULL is not known, so they may: (:A:B).q",
        "there may be properties that are not listed: [:S]",
        "counts, examples and other statistics are not held",
    ]


def test_a_property_graph_needs_a_node_type() -> None:
    with pytest.raises(SemanticFault, match="G089"):
        Schema().write("oracle-ddl")


def test_names_in_notes_stay_in_their_line() -> None:
    schema = Schema((NodeType(("a\nCREATE TABLE x",), parents=("b\u2028c",)),))
    text = schema.write("postgres-ddl")
    assert [line[:2] for line in text.split("\n")[:1]] == ["--"]
    assert [node.labels for node in Schema.read(text, "postgres-ddl").node_types] == [("a\nCREATE TABLE x", "b\u2028c")]


# ------------------------------------------------------------------ Kuzu, Neo4j, GQL


def test_kuzu() -> None:
    schema = Schema.read(
        """CREATE NODE TABLE User (name STRING PRIMARY KEY, age INT64 DEFAULT 0, v FLOAT[3], s STRUCT(a INT64)[]);
        CREATE NODE TABLE IF NOT EXISTS `My City` (id SERIAL, PRIMARY KEY (id)); // a comment
        CREATE REL TABLE GROUP Knows (FROM User TO User, FROM user TO `My City`, since DATE, MANY_ONE);
        COPY User FROM 'x.csv'"""
    )
    assert types(node(schema, "User")) == {"age": "INTEGER", "name": "STRING", "s": "LIST<MAP>", "v": "VECTOR(3)"}
    assert [(e.type, e.target) for e in schema.edge_types] == [("Knows", ("My City",)), ("Knows", ("User",))]
    assert schema.guesses == ("that Knows is MANY_ONE is no part of a schema", "statements passed over: COPY")


def test_neo4j_constraints() -> None:
    schema = Schema.read(
        """CREATE CONSTRAINT movie IF NOT EXISTS FOR (m:Movie) REQUIRE m.title IS UNIQUE;
        CREATE CONSTRAINT FOR (n:Person) REQUIRE (n.first, n.last) IS NODE KEY OPTIONS {indexProvider: 'x'};
        CREATE CONSTRAINT FOR (n:Person) REQUIRE n.born IS :: DATE; CREATE INDEX FOR (n:Person) ON (n.born);
        CREATE CONSTRAINT FOR ()-[r:`ACTED IN`]-() REQUIRE r.roles IS TYPED LIST<STRING NOT NULL>;
        CREATE CONSTRAINT FOR ()<-[r:`ACTED IN`]-() REQUIRE r.roles IS NOT NULL"""
    )
    assert node(schema, "Movie").properties == (PropertyType("title", unique=True),)
    assert node(schema, "Person").key == ("first", "last")
    acted = edge(schema, "ACTED IN")
    assert (acted.source, acted.target) == (None, None)
    assert acted.properties == (PropertyType("roles", DataType("LIST", STRING), False),)
    assert not schema.coverage.labels
    assert not schema.coverage.properties


def test_neo4j_graph_type() -> None:
    schema = Schema.read(
        """ALTER CURRENT GRAPH TYPE SET {
          (p:Person => :Resident {name :: STRING, ssn :: INTEGER}) REQUIRE (p.name, p.ssn) IS KEY,
          (:Pet => :Resident&Animal {insurance :: INTEGER IS KEY, certificate :: STRING IS UNIQUE}),
          (:City => {name :: STRING NOT NULL}),
          (:Resident)-[:LIVES_IN => {since :: DATE NOT NULL}]->(:City),
          (p)-[:OWNS =>]->(:Pet =>),
          CONSTRAINT resident_address FOR (resident:Resident) REQUIRE resident.address :: STRING
        }"""
    )
    assert node(schema, "Person").key == ("name", "ssn")
    assert node(schema, "Animal", "Pet").parents == ("Resident",)
    assert node(schema, "Resident").properties == (PropertyType("address", STRING),)
    lives = edge(schema, "LIVES_IN")
    assert (lives.source, lives.target) == (("Resident",), ("City",))
    assert edge(schema, "OWNS").target == ("Animal", "Pet")
    assert schema.coverage.endpoints
    assert Schema.read(schema.write("neo4j-graph-type")) == schema


def test_gql_forms() -> None:
    schema = Schema.read(
        """CREATE PROPERTY GRAPH TYPE IF NOT EXISTS /home/social AS {
          NODE TYPE person LABEL Person { name :: STRING(1, 20) NOT NULL, tags LIST<STRING NOT NULL> } AS p,
          (c :Company => :Organisation & Legal {founded DATE}), NODE (:Organisation {id UINT64}),
          DIRECTED EDGE TYPE works LABEL WORKS_AT { since DATE } CONNECTING (p -> c),
          (p)<-[:EMPLOYS]-(c), (:Person)-[:KNOWS { weight DOUBLE PRECISION }]->(p)
        }""",
        "gql",
    )
    assert types(node(schema, "Person")) == {"name": "STRING(20)", "tags": "LIST<STRING>"}
    assert node(schema, "Company", "Legal").parents == ("Organisation",)
    assert {(e.type, e.source, e.target) for e in schema.edge_types} == {
        ("WORKS_AT", ("Person",), ("Company", "Legal")),
        ("EMPLOYS", ("Company", "Legal"), ("Person",)),
        ("KNOWS", ("Person",), ("Person",)),
    }
    assert Schema.read(schema.write("gql"), "gql") == schema


def test_gql_as_fabric_documents_it() -> None:
    schema = Schema.read(
        """CREATE GRAPH social ANY; CREATE GRAPH TYPE social {
          ABSTRACT (:Message => {id :: UINT64 NOT NULL, content :: STRING}),
          (:Post => :Message += {language :: STRING}), (:Comment => :Message),
          (:Comment)-[:replyOf]->(:Post),
          CONSTRAINT message_pk FOR (n:Message) REQUIRE (n.id) IS KEY
        }""",
        "gql",
    )
    assert node(schema, "Message").key == ("id",)
    assert node(schema, "Post").parents == ("Message",)
    assert types(node(schema, "Post")) == {"language": "STRING"}
    assert node(schema, "Comment").properties == ()
    assert "a statement was passed over: CREATE" in schema.guesses


@pytest.mark.parametrize("format", ["spanner-ddl", "oracle-ddl", "duckpgq-ddl", "postgres-ddl"])
def test_what_a_writer_wrote_is_found_out_whatever_the_names(format: str) -> None:
    person = NodeType(
        ("a`b",),
        (
            PropertyType("id", DataType("INTEGER"), nullable=False),
            PropertyType("NUMBER", DataType("STRING"), nullable=True),
            PropertyType("node tables", DataType("FLOAT"), nullable=True),
        ),
        key=("id",),
    )
    schema = Schema((person,), (EdgeType("VARCHAR2 x", ("a`b",), ("a`b",)),))
    found = Schema.read(schema.write(format))
    assert found.origin is not None
    assert found.origin.format == format
    assert found == Schema.read(schema.write(format), format)


def test_tables_of_no_dialect_in_particular_are_found_out() -> None:
    text = """CREATE TABLE users (id INT PRIMARY KEY, name TEXT NOT NULL, boss INT REFERENCES users(id));
    CREATE TABLE groups (id INT PRIMARY KEY, title VARCHAR(20) UNIQUE);
    CREATE TABLE membership (user_id INT REFERENCES users(id), group_id INT REFERENCES groups(id), since DATE,
      PRIMARY KEY (user_id, group_id));"""
    found = Schema.read(text)
    assert found == Schema.read(text, "postgres-ddl") == Schema.read(text, "duckpgq-ddl")
    assert sorted(edge.type for edge in found.edge_types) == ["HAS_BOSS", "membership"]


def test_a_stretch_of_a_text_is_scanned_alone() -> None:
    text = "'open CREATE x 'closed'"
    at = text.index("CREATE")
    found = tokens.scan(text, tokens.SQL, at, text.index("'closed"))
    assert [(each.kind, each.text, each.start) for each in found] == [
        ("name", "CREATE", at),
        ("name", "x", at + 7),
        ("end", "", at + 9),
    ]
