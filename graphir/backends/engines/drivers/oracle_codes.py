"""What Oracle's error numbers mean to graphir: the kinds of faults, as data.

The numbers of graphs are those of Oracle's error help (ORA-40950 to 40999, 42400 to 42444, 49001 to 49045).
"""

from __future__ import annotations

import re

from graphir.backends.engines.faults import FAILED, LOST, MISSING, SEMANTICS, SYNTAX, UNUSABLE

_SYNTAX = (
    *(900, 901, 905, 906, 907, 908, 911, 917, 921, 923, 924, 925, 926, 928, 933, 936, 1738, 1756, 2000),
    *(3048, 3049, 3050, 40956, 40984, 40989, 49004, 49006),
)
_SEMANTICS = (
    *(904, 918, 932, 937, 938, 942, 979, 1008, 1036, 1722),
    *(40981, 40982, 40983, 40990, 40996, 40998, 40999, 49010, 49011, 49012, 49020, 49027, 49029, 49030, 49037),
    *(49043, 49044, 49045),
)
_MISSING = (3001, 40968, 40974, 49003, 49028)
_UNUSABLE = (1017, 1045, 12154, 12505, 12514, 12541, 28000, 28001)
_LOST = (28, 1012, 1089, 1092, 3113, 3114, 3135, 12537, 12570)

_BY_NUMBER = {
    **dict.fromkeys(_SYNTAX, SYNTAX),
    **dict.fromkeys(_SEMANTICS, SEMANTICS),
    **dict.fromkeys(_MISSING, MISSING),
    **dict.fromkeys(_UNUSABLE, UNUSABLE),
    **dict.fromkeys(_LOST, LOST),
}
_OF_CLIENT = {
    **dict.fromkeys(("DPY-1001", "DPY-4011"), LOST),
    **dict.fromkeys(("DPY-4000", "DPY-4001", "DPY-6000", "DPY-6001", "DPY-6003", "DPY-6005"), UNUSABLE),
    **dict.fromkeys(("DPY-4008", "DPY-4010"), SEMANTICS),
    "DPY-2041": SYNTAX,
    **dict.fromkeys(("DPY-3002", "DPY-3013"), MISSING),
}
_NUMBER = re.compile(r"ORA-(\d+)")


def code_of(full: str) -> str:
    """The code of the fault for a full code of the server (`ORA-40996`) or client (`DPY-4011`).

    >>> code_of("ORA-40983"), code_of("ORA-49003"), code_of("DPY-6005"), code_of("ORA-01476")
    ('G622', 'G623', 'G620', 'G624')
    """
    found = _NUMBER.match(full)
    return _BY_NUMBER.get(int(found[1]), FAILED) if found else _OF_CLIENT.get(full, FAILED)
