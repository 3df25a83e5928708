"""What a status of Google's services means: google.rpc.Code and the message, as a code of graphir."""

from __future__ import annotations

from graphir.backends.engines.faults import FAILED, LOST, MISSING, SEMANTICS, SYNTAX, UNUSABLE

_INVALID, _NOT_FOUND, _DENIED, _UNIMPLEMENTED, _UNAUTHENTICATED = 3, 5, 7, 12, 16
_CANCELLED, _DEADLINE, _EXHAUSTED, _UNAVAILABLE = 1, 4, 8, 14
_LACKING = ("not supported", "not yet implemented", "Unsupported", "unsupported")


def code_of(status: int, message: str) -> str:
    """The code of a fault.

    >>> code_of(3, "Syntax error: Unexpected end of statement [at 1:8]"), code_of(11, "division by zero")
    ('G621', 'G624')
    """
    if status in (_NOT_FOUND, _DENIED, _UNAUTHENTICATED):
        return UNUSABLE
    if status in (_CANCELLED, _DEADLINE, _EXHAUSTED, _UNAVAILABLE):
        return LOST
    if status == _UNIMPLEMENTED or (status == _INVALID and any(words in message for words in _LACKING)):
        return MISSING
    if status != _INVALID:
        return FAILED
    return SYNTAX if message.startswith("Syntax error") else SEMANTICS
