"""What GoogleSQL says when it does not do something.  Knows no fault of graphir."""

from __future__ import annotations

INVALID, NOT_FOUND, EXISTS, PRECONDITION, OUT_OF_RANGE, UNIMPLEMENTED, INTERNAL = 3, 5, 6, 9, 11, 12, 13
"""Codes of google.rpc.Code that it gives."""

CRASHED = -2


class Refusal(Exception):
    """A status of GoogleSQL: `code` is of google.rpc.Code, `message` may end with its place, ` [at line:column]`."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Crash(Refusal):
    """It fell (a failed assertion, no stack left); a new instance took its place."""

    def __init__(self, message: str) -> None:
        super().__init__(CRASHED, message)


def status(text: str) -> Refusal:
    """The refusal that the library's last error is: `Code: 3, Message: ...`.

    >>> status("Code: 3, Message: Label 'x' not found. [at 1:18]").code
    3
    """
    head, mark, message = text.partition(", Message: ")
    number = head.removeprefix("Code: ")
    if not mark or not number.isdigit():
        return Refusal(INTERNAL, text)
    return Refusal(int(number), message.rstrip("\0 "))
