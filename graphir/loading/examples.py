"""Example graphs over the schemas of the sample corpus: a city's libraries, and a supply chain of machine parts.

They are made up, by functions that give the same graph every time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from importlib import resources
from typing import Any, TypeVar

from graphir.graphs import PropertyGraph
from graphir.loading.faults import UNREADABLE, fault
from graphir.schema.model import BY_LABEL, DataType, EdgeType, NodeType, PropertyType, Schema, labels
from graphir.values.dates import Date
from graphir.values.entities import Edge, Node

T = TypeVar("T")


def example(name: str) -> PropertyGraph:
    """The graph of that name, a key of `EXAMPLES`.  UsageFault (G660) for another."""
    if name not in EXAMPLES:
        raise fault(UNREADABLE, f"there is no example {name!r}; known: {', '.join(EXAMPLES)}")
    return EXAMPLES[name]()


def schema(name: str) -> Schema:
    """The schema of an example."""
    example(name)
    document = json.loads(resources.files("graphir").joinpath("corpora/samples/schemas.json").read_text("utf-8"))[name]
    nodes = [NodeType((node["label"],), _properties(node["properties"])) for node in document["nodes"]]
    edges = [
        EdgeType(edge["type"], labels(edge["from"]), labels(edge["to"]), _properties(edge["properties"]))
        for edge in document["edges"]
    ]
    return Schema(tuple(nodes), tuple(edges), BY_LABEL, name=name)


def _properties(types: dict[str, str]) -> tuple[PropertyType, ...]:
    return tuple(PropertyType(name, DataType(type_)) for name, type_ in types.items())


class Draft:
    """A graph that grows, and a source of numbers that look random and are always the same."""

    def __init__(self, seed: int) -> None:
        self.state = seed
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []

    def below(self, limit: int) -> int:
        """A number from 0 to below the limit."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (self.state >> 33) * limit >> 31

    def one(self, choices: Sequence[T]) -> T:
        return choices[self.below(len(choices))]

    def some(self, choices: Sequence[T], count: int) -> list[T]:
        """That many different ones."""
        left = list(choices)
        return [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent

    def day(self, first: int, last: int) -> Date:
        """A day in these years."""
        return Date.of(first + self.below(last - first + 1), 1 + self.below(12), 1 + self.below(28))

    def node(self, label: str, **properties: Any) -> Node:
        made = Node(len(self.nodes), tuple(label.split(":")), _present(properties))
        self.nodes.append(made)
        return made

    def edge(self, start: Node, type_: str, end: Node, **properties: Any) -> None:
        self.edges.append(Edge(len(self.edges), type_, start.id, end.id, _present(properties)))

    def graph(self) -> PropertyGraph:
        return PropertyGraph(tuple(self.nodes), tuple(self.edges))


def _present(properties: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in properties.items() if value is not None}


# ------------------------------------------------------------------ the libraries of a city

_BRANCHES = (
    ("CEN", "Central", "Old Town", 1897, 420),
    ("RIV", "Riverside", "Harbour", 1962, 120),
    ("MIL", "Old Mill", "Millgate", 1911, 80),
    ("NOR", "Northgate", "North", 1978, 150),
    ("LAK", "Lakeside", "Lakes", 2004, 95),
    ("DOC", "Dockyard", "Harbour", 1919, 60),
)
_LINKS = ((0, 1, 12), (1, 2, 9), (2, 4, 17), (0, 3, 15), (3, 4, 11), (1, 5, 6), (5, 0, 10), (4, 0, 21))
_AUTHORS = (
    ("Mira Lindqvist", 1948, "Sweden"),
    ("Tomas Varga", 1931, "Hungary"),
    ("Inês Carvalho", 1944, "Portugal"),
    ("Rui Pestana", 1972, "Portugal"),
    ("Aino Rautio", 1985, "Finland"),
    ("Kadri Saar", 1979, "Estonia"),
    ("Biret Utsi", 1990, "Norway"),
    ("Paul Delorme", 1865, "France"),
    ("Hanna Okoye", 1968, "Nigeria"),
    ("Eleanor Pike", 1926, "Ireland"),
    ("Jonas Weld", None, "Germany"),
    ("Sora Ito", 1981, "Japan"),
)
_TITLES = (
    ("The Salt Road", "novel", "English", 1987, 412),
    ("Night Ferry", "crime", "English", 2001, 288),
    ("The Long Thaw", "nature", "English", 2024, 240),
    ("The First Frost", "nature", "English", 2019, 232),
    ("Before the Ice", "nature", "English", 2012, 310),
    ("Harbour Lights", "poetry", "English", 1954, 64),
    ("Salaisuus", "crime", "Finnish", 2015, 352),
    ("Merepiir", "novel", "Estonian", 2022, 198),
    ("Guovssahas", "poetry", "Sámi", 2023, 72),
    ("L'Été lent", "novel", "French", 1894, 365),
    ("Ruas de Sal", "novel", "Portuguese", 1991, 274),
    ("A History of Tides", "science", "English", 2022, 520),
    ("Maps of the Unseen", "science", "English", 2023, 448),
    ("The Bridge Builders", "history", "English", 1939, 610),
    ("Small Engines", "technology", "English", 2024, 144),
    ("Winter Kitchen", "cooking", "English", 2016, 180),
    ("The Glass Orchard", "novel", "English", 2008, 336),
    ("Letters to the Ferryman", "history", "English", 1889, 205),
    ("Night Ferry Returns", "crime", "English", 2006, 301),
    ("Stone and Lichen", "nature", "English", 2022, 156),
)
_SUBJECTS = (
    ("science", None),
    ("nature", "science"),
    ("glaciers", "nature"),
    ("tides", "nature"),
    ("lichens", "nature"),
    ("history", None),
    ("railways", "history"),
    ("seafaring", "history"),
    ("bridges", "history"),
    ("families", None),
    ("cities", None),
    ("crime", None),
    ("poetry", None),
    ("cooking", None),
)
_WROTE = (
    *((0, 0), (1, 1), (4, 2), (4, 3), (4, 4), (9, 5), (4, 6), (5, 7), (6, 8), (7, 9), (2, 10), (8, 11), (11, 12)),
    *((9, 13), (10, 14), (0, 15), (3, 16), (7, 17), (1, 18), (4, 19), (8, 12)),
)
_ABOUT = (
    *(
        (0, "seafaring"),
        (0, "families"),
        (1, "crime"),
        (2, "glaciers"),
        (2, "nature"),
        (3, "glaciers"),
        (4, "glaciers"),
    ),
    *((5, "poetry"), (6, "crime"), (7, "seafaring"), (7, "nature"), (8, "poetry"), (8, "nature")),
    *(
        (9, "families"),
        (11, "tides"),
        (11, "science"),
        (12, "science"),
        (13, "bridges"),
        (13, "railways"),
        (15, "cooking"),
    ),
    *((17, "seafaring"), (18, "crime"), (19, "lichens")),
)
_FIRST = ("Ada", "Bruno", "Chidi", "Dana", "Emil", "Farah", "Goran", "Hedda", "Ivo", "Jana", "Kofi", "Lena", "Marek")
_LAST = ("Quist", "Varga", "Holm", "Berg", "Osei", "Novak", "Silva", "Tamm", "Laine", "Dahl")


def _library() -> PropertyGraph:
    draft = Draft(20)
    branches = [
        draft.node("Branch", code=code, name=name, district=district, opened=opened, seats=seats)
        for code, name, district, opened, seats in _BRANCHES
    ]
    titles = _catalogue(draft)
    copies: list[Node] = []
    for at, title in enumerate(titles):
        for _ in range(1 + draft.below(4)):
            barcode = f"B-{77100 + len(copies)}"
            condition = draft.one(("new", "good", "good", "fair", "poor"))
            price = (1000 + draft.below(5000)) / 100
            copy = draft.node("Copy", barcode=barcode, condition=condition, price=price, checked=draft.day(2023, 2025))
            copies.append(copy)
            draft.edge(copy, "COPY_OF", title)
            draft.edge(copy, "KEPT_AT", branches[0] if at % 5 == 0 else draft.one(branches), shelf=f"{1 + at % 9}")
    _readers(draft, titles, copies, branches)
    _staff(draft, branches)
    for start, end, minutes in _LINKS:
        draft.edge(branches[start], "LINKED_TO", branches[end], minutes=minutes)
    return draft.graph()


def _catalogue(draft: Draft) -> list[Node]:
    authors = [draft.node("Author", name=name, born=born, country=country) for name, born, country in _AUTHORS]
    titles = [
        draft.node(
            "Title",
            key=f"T-{400 + 4 * at:04}",
            name=name,
            genre=genre,
            language=language,
            published=published,
            pages=pages,
            added=draft.day(max(published, 1990), 2025),
        )
        for at, (name, genre, language, published, pages) in enumerate(_TITLES)
    ]
    subjects = {name: draft.node("Subject", name=name) for name, _ in _SUBJECTS}
    for name, above in _SUBJECTS:
        if above:
            draft.edge(subjects[name], "NARROWER_THAN", subjects[above])
    for author, title in _WROTE:
        draft.edge(authors[author], "WROTE", titles[title], role="author")
    draft.edge(authors[11], "WROTE", titles[5], role="illustrator")
    for title, subject in _ABOUT:
        draft.edge(titles[title], "ABOUT", subjects[subject])
    for later, earlier in ((2, 3), (3, 4), (18, 1)):
        draft.edge(titles[later], "SEQUEL_OF", titles[earlier])
    return titles


def _readers(draft: Draft, titles: list[Node], copies: list[Node], branches: list[Node]) -> None:
    events = [
        draft.node("Event", name=name, topic=topic, day=draft.day(2024, 2026), capacity=20 + 10 * draft.below(5))
        for name, topic in (("Reading by the fire", "poetry"), ("Map making", "science"), ("Crime night", "crime"))
    ]
    for event in events:
        draft.edge(event, "HELD_AT", draft.one(branches[:3]))
    names = [f"{first} {last}" for first in _FIRST for last in _LAST]
    names = ["Ada Quist", *draft.some(names[1:], 29)]
    for at, name in enumerate(names):
        card = f"R-{1000 + at}"
        if at % 15 == 14:
            draft.node("Reader:Anonymous", card=card, joined=draft.day(2005, 2020), active=False)
            continue
        born = 1940 + draft.below(75)
        reader = draft.node(
            "Reader", card=card, name=name, joined=draft.day(2008, 2025), birth_year=born, active=draft.chance(85)
        )
        for copy in draft.some(copies, draft.below(6)):
            on = draft.day(2023, 2025)
            due = Date(on.days + 28)
            returned = Date(on.days + 5 + draft.below(40)) if draft.chance(85) else None
            draft.edge(reader, "BORROWED", copy, on=on, due=due, returned=returned)
        for title in draft.some(titles, draft.below(4)):
            draft.edge(reader, "REVIEWED", title, stars=1 + draft.below(5))
        for rank, title in enumerate(draft.some(titles, draft.below(3)), 1):
            draft.edge(reader, "RESERVED", title, placed=draft.day(2024, 2025), rank=rank)
        for event in draft.some(events, draft.below(2)):
            draft.edge(reader, "ATTENDED", event)


def _staff(draft: Draft, branches: list[Node]) -> None:
    names = ("Ines Varga", "Olaf Brandt", "Petra Kask", "Samuel Adeyemi", "Yuki Mori", "Greta Holm", "Luis Prado")
    staff = [draft.node("Librarian", name=name, since=1995 + draft.below(30)) for name in names]
    for at, librarian in enumerate(staff):
        draft.edge(librarian, "WORKS_AT", branches[at % len(branches)], hours=20 + draft.below(20))
        if at:
            draft.edge(librarian, "REPORTS_TO", staff[(at - 1) // 2])


# ------------------------------------------------------------------ parts and who makes, sells and ships them

_PARTS = (
    ("HF-100", "hull frame", "frame", 840.0, 12500.0),
    ("PX-200", "pump assembly", "pump", 46.5, 1980.0),
    ("PX-100", "pump assembly, old", "pump", 49.0, 1720.0),
    ("V-10", "valve", "valve", 1.2, 85.0),
    ("V-11", "valve, coated", "valve", 1.3, 97.0),
    ("V-12", "valve, steel", "valve", 1.5, 120.0),
    ("V-13", "valve, ceramic", "valve", 1.1, 180.0),
    ("S-1", "lip seal", "seal", 0.05, 4.5),
    ("S-2", "face seal", "seal", 0.08, 9.0),
    ("G-7", "flange gasket", "gasket", 0.12, 3.2),
    ("G-8", "cover gasket", "gasket", 0.1, 2.8),
    ("B-30", "ball bearing", "bearing", 0.6, 22.0),
    ("B-31", "roller bearing", "bearing", 0.9, 34.0),
    ("C-5", "pump casing", "casting", 18.0, 310.0),
    ("C-6", "bracket", "casting", 6.5, None),
    ("M-1", "motor", "motor", 22.0, 640.0),
    ("K-9", "bolt M12", "fastener", 0.09, 0.4),
    ("K-10", "nut M12", "fastener", 0.03, 0.2),
)
_CONTAINS = (
    *((0, 1, 2, "A1"), (0, 14, 12, "A2"), (0, 16, 96, "A3"), (0, 17, 96, "A4"), (1, 13, 1, "B1"), (1, 15, 1, "B2")),
    *((1, 4, 2, "B3"), (1, 11, 2, "B4"), (1, 9, 4, "B5"), (1, 16, 16, "B6"), (1, 16, 8, "B7"), (2, 13, 1, "C1")),
    *((2, 3, 2, "C2"), (4, 7, 1, "D1"), (4, 8, 2, "D2"), (15, 12, 2, "E1"), (15, 10, 1, "E2"), (5, 8, 2, "F1")),
)
_REPLACES = ((1, 2), (4, 3), (5, 4), (6, 5))
_SUPPLIERS = (
    ("Bluefin Metals", "Poland", 4.6, True, 1987),
    ("Karst Polymers", "Slovenia", 3.9, True, 2003),
    ("Tern Castings", "Latvia", 4.1, False, 1969),
    ("Dong Hai Valves", "Vietnam", 4.5, True, 1998),
    ("Alder Fasteners", "Germany", 3.2, False, 1954),
    ("Vistula Bearings", "Poland", 4.8, True, 1976),
)
_SUPPLIES = (
    *((0, 13, 298.0, 21), (0, 14, 75.0, 14), (0, 1, 1850.0, 35), (1, 7, 3.9, 6), (1, 8, 7.5, 6), (1, 9, 2.6, 9)),
    *((1, 10, 2.2, 9), (2, 13, 305.0, 28), (2, 14, 69.0, 30), (3, 3, 70.0, 40), (3, 4, 81.0, 40), (3, 5, 99.0, 45)),
    *((4, 16, 0.3, 5), (4, 17, 0.15, 5), (5, 11, 19.0, 10), (5, 12, 29.5, 10), (0, 9, 2.6, 12), (3, 1, 1790.0, 60)),
)
_PLANTS = (("Baltic Works", "Gdynia", "Poland"), ("Elbe Works", "Hamburg", "Germany"), ("Riga Works", "Riga", "Latvia"))
_WAREHOUSES = (
    ("HAM", "Hamburg", 32000.0, True),
    ("RTM", "Rotterdam", 54000.0, False),
    ("GDY", "Gdynia", 18000.0, True),
    ("ANR", "Antwerp", 21500.0, False),
    ("RIX", "Riga", 9000.0, False),
)
_ROUTES = (
    (0, 1, 480, 310.0),
    (1, 3, 100, 75.0),
    (2, 0, 860, 520.0),
    (2, 4, 590, 365.0),
    (3, 0, 570, 350.0),
    (4, 0, 940, 600.0),
)
_CUSTOMERS = (
    ("Norrland Shipyards", "marine", "Sweden"),
    ("Adria Boats", "marine", "Slovenia"),
    ("Polder Pumps", "water", "Netherlands"),
    ("Vistula Power", "energy", "Poland"),
    ("Saar Machines", "industry", "Germany"),
)
_CARRIERS = (("North Road", "road"), ("Sound Lines", "sea"), ("Rail Ost", "rail"))


def _supply() -> PropertyGraph:
    draft = Draft(7)
    assemblies = {whole for whole, *_ in _CONTAINS}
    parts = [
        draft.node(
            "Part:Assembly" if at in assemblies else "Part",
            number=number,
            name=name,
            kind=kind,
            mass=mass,
            price=price,
            revision=1 + draft.below(6),
            obsolete=number in ("PX-100", "V-10"),
            checked=draft.day(2022, 2025),
        )
        for at, (number, name, kind, mass, price) in enumerate(_PARTS)
    ]
    for whole, piece, quantity, position in _CONTAINS:
        draft.edge(parts[whole], "CONTAINS", parts[piece], quantity=quantity, position=position)
    for fresh, old in _REPLACES:
        draft.edge(parts[fresh], "REPLACES", parts[old])
    suppliers = [
        draft.node("Supplier", name=name, country=country, rating=rating, certified=certified, founded=founded)
        for name, country, rating, certified, founded in _SUPPLIERS
    ]
    for supplier, part, price, days in _SUPPLIES:
        draft.edge(
            suppliers[supplier], "SUPPLIES", parts[part], price=price, lead_days=days, preferred=draft.chance(50)
        )
    for first, second in ((0, 2), (2, 4), (4, 2), (0, 5)):
        draft.edge(suppliers[first], "SUBCONTRACTS", suppliers[second])
    warehouses = _places(draft, parts)
    _orders(draft, parts, warehouses)
    return draft.graph()


def _places(draft: Draft, parts: list[Node]) -> list[Node]:
    plants = [draft.node("Plant", name=name, city=city, country=country) for name, city, country in _PLANTS]
    warehouses = [
        draft.node("Warehouse", code=code, city=city, area=area, inspect=inspect)
        for code, city, area, inspect in _WAREHOUSES
    ]
    for plant, made in zip(plants, ((0, 1), (1, 15), (13, 14, 5)), strict=True):
        for which in made:
            draft.edge(plant, "PRODUCES", parts[which], per_day=5 + draft.below(600))
    for feeding, fed in ((0, 2), (1, 0), (1, 3), (2, 4)):
        draft.edge(plants[feeding], "FEEDS", warehouses[fed])
    for warehouse in warehouses:
        for stocked in draft.some(parts, 5 + draft.below(6)):
            draft.edge(warehouse, "STOCKS", stocked, quantity=draft.below(300), reorder_at=20 + draft.below(60))
    for start, end, km, cost in _ROUTES:
        draft.edge(warehouses[start], "ROUTE_TO", warehouses[end], km=km, cost=cost)
    return warehouses


def _orders(draft: Draft, parts: list[Node], warehouses: list[Node]) -> None:
    customers = [
        draft.node("Customer", name=name, segment=segment, country=country) for name, segment, country in _CUSTOMERS
    ]
    carriers = [draft.node("Carrier", name=name, mode=mode) for name, mode in _CARRIERS]
    for at in range(24):
        placed = draft.day(2024, 2025)
        lines = [(part, 1 + draft.below(60)) for part in draft.some(parts, 1 + draft.below(4))]
        if at % 8 == 0:
            lines.append((parts[16], 1200))
        priced = [(part, quantity, part.properties.get("price") or 50.0) for part, quantity in lines]
        total = sum(round(quantity * price * 100) for _, quantity, price in priced) / 100
        status = draft.one(("open", "closed", "closed", "shipped"))
        order = draft.node("Order", number=f"O-{5000 + at}", placed=placed, status=status, total=total)
        draft.edge(draft.one(customers), "PLACED", order)
        for part, quantity, price in priced:
            draft.edge(order, "LINE", part, quantity=quantity, price=price)
        if status == "open":
            continue
        sent = Date(placed.days + 2 + draft.below(10))
        arrived = Date(sent.days + 1 + draft.below(20)) if draft.chance(80) else None
        weight = float(100 + draft.below(9000))
        shipment = draft.node("Shipment", tracking=f"S-{8000 + at}", sent=sent, arrived=arrived, weight=weight)
        draft.edge(shipment, "FULFILS", order)
        draft.edge(shipment, "FROM", draft.one(warehouses))
        draft.edge(draft.one(carriers), "CARRIES", shipment)


EXAMPLES: dict[str, Callable[[], PropertyGraph]] = {"library": _library, "supply": _supply}
"""Name -> the function that makes the graph."""
