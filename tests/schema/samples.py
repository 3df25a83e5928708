"""One small schema in each format, of our own making: people, films, who acted in what."""

from __future__ import annotations

PROPERTY_LISTS = """{"node_props": {"Person": [{"property": "name", "datatype": "STRING"}],
 "Film": [{"property": "title", "datatype": "STRING"}, {"property": "shown", "datatype": "DATE_TIME"}]},
 "rel_props": {"ACTED_IN": [{"property": "role", "datatype": "STRING"}]},
 "relationships": [{"start": "Person", "type": "ACTED_IN", "end": "Film"}]}"""

SAMPLES = {
    "json": """{"graphir": "schema", "version": 1, "closed": true, "node_types": [
        {"labels": ["Person"], "properties": [{"name": "name", "type": "STRING"}]},
        {"labels": ["Film"], "properties": null}],
        "edge_types": [{"type": "ACTED_IN", "source": ["Person"], "target": ["Film"]}]}""",
    "triples": "(Person, ACTED_IN, Film), (Person, SAW, Film)",
    "patterns": "(Person {name})-[:ACTED_IN {role: STRING}]->(:Film); node Studio",
    "neo4j-markdown": """Node properties:
- **Person**
  - `name`: STRING Example: "Ada "the first" Byron"
  - `age`: INTEGER Min: 3, Max: 99
  - `mood`: STRING Available options: ['glad', "it's"]
- **Film**
  - `tags`: LIST Min Size: 1, Max Size: 4
Relationship properties:
- **ACTED_IN**
  - `role: STRING` Example: "Eve"

The relationships:
(:Person)-[:ACTED_IN]->(:Film)
(:Film)-[:MADE_BY]->(:Studio)
""",
    "spanner-markdown": """Node properties:
- **Person**
  - `id`: INT32 (REQUIRED)
  - `name`: STRING (OPTIONAL)
- **Film**

Relationship properties:

The relationships:
(:Person)-[:ACTED_IN]->(:Film)""",
    "neo4j-structured-dict": """{'node_props': {'Person': [
        {'property': 'name', 'type': 'STRING', 'values': ['Ada', 'Bo'], 'distinct_count': 2000},
        {'property': 'mood', 'type': 'STRING', 'values': ['glad', 'sad'], 'distinct_count': 2},
        {'property': 'age', 'type': 'INTEGER', 'min': '3', 'max': '99', 'distinct_count': 90}]},
        'rel_props': {'ACTED_IN': [{'property': 'fee', 'type': 'INTEGER', 'values': ['1', '2.5']}]},
        'relationships': [{'start': 'Person', 'type': 'ACTED_IN', 'end': 'Film'}],
        'metadata': {'constraint': [{'id': 1, 'name': 'c', 'type': 'UNIQUENESS', 'entityType': 'NODE',
            'labelsOrTypes': ['Person'], 'properties': ['name'], 'propertyType': None}], 'index': []}}""",
    "mtq": PROPERTY_LISTS,
    "text2cypher-2024-text": """Node properties:
Person {name: STRING, born: DATE}
Film {tags: StringArray}
Relationship properties:
ACTED_IN {role: STRING}
The relationships:
(:Person)-[:ACTED_IN]->(:Film)""",
    "cypherbench-json": """{"name": "films", "entities": [
        {"label": "Person", "description": "somebody", "properties": {"born": "date", "nicknames": "list[str]"}},
        {"label": "Film", "description": null, "properties": {}}],
        "relations": [{"label": "actedIn", "subj_label": "Person", "obj_label": "Film",
                       "properties": {"fee": "int"}}]}""",
    "zograscope-json": """{"classes": {"Person": {"description": "People"}, "Film": {"description": "Films"}},
        "properties": {"name": {"description": "name", "type": "STRING"}, "year": {"type": "INTEGER"}},
        "relations": {"ACTED_IN": {"description": "that acted in", "domain": "Person", "range": "Film"}}}""",
    "multidomain-json": """[{"Type": "Node", "Label": "Person", "Attributes": {"name": "String", "born": "Date"}},
        {"Type": "Node", "Label": "Film", "Attributes": {}},
        {"Type": "Relation", "Label": "ACTED_IN", "From": "Person", "To": "Film", "Attributes": {"fee": "Double"}}]""",
    "stockgql-json": """{"schema_dic_en": {"Nodes": {
        "person": "{'tag': 'person', 'properties': [('name', 'string'), ('seen', 'datetime')]}",
        "film": "{'tag': 'film', 'properties': []}"}, "Relations": {
        "acted_in": "{'edge': 'acted_in', 'start_tag':'person','end_tag':'film', 'properties': ['fee']}"}},
        "schema_dic_cn": {"Nodes": {
        "person": "{'tag': 'person'#somebody, 'properties': [('name', 'string')#full, known, ('seen', 'datetime')]}"},
        "Relations": {}}}""",
    "r3-python-classes": """
the node type:[{'person':[name, born]},{"film":[name]}]
the node type:[{'acted_in':[]},{'saw':[]}]

# Nodes
class Node():
    def __init__(self,name):
        self.name=name

class person(Node):
    # somebody
    def __init__(self, vid, name, born):
        self.vid = vid

class film(Node):
    def __init__(self,vid,name):
        self.vid=vid

# Edges
class Edge():
    def __init__(self, scr_id, tag_id):
        self.scr_id = scr_id

class acted_in(Edge):
    # who played person-->film
    def __init__(self,scr_id,tag_id,fee):
        self.scr_id = scr_id

class saw(Edge):
    def __init__(self,scr_id,tag_id):
        self.scr_id = scr_id
""",
    "tugraph-json": """{"db_id": "films", "schema": [
        {"label": "person", "type": "VERTEX", "primary": "id", "properties": [
            {"name": "id", "type": "INT32"}, {"name": "name", "type": "STRING", "optional": true}]},
        {"label": "film", "type": "VERTEX", "primary": "id", "properties": [{"name": "id", "type": "INT64"}]},
        {"label": "acted_in", "type": "EDGE", "properties": [{"name": "fee", "type": "DOUBLE"}]},
        {"label": "saw", "type": "EDGE", "constraints": [["person", "film"]]}]}""",
}
"""Format -> text."""
