"""Frozen dataclasses that are made fast.

The `__init__` of `dataclass(frozen=True)` sets each field through `object.__setattr__`, which costs several times what
an assignment does.  Here an instance begins as a *draft*, of a class with the same slots that may be assigned to, and
takes the class that it is of, which forbids that, once it is filled.  Knows nothing of what the classes mean.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def frozen(cls: type[T]) -> type[T]:
    """Declare a frozen dataclass with slots.  It has no `__post_init__`."""
    made: Any = dataclasses.dataclass(frozen=True, slots=True, init=False)(cls)
    make_by_draft(made, draft_of(made))
    return made  # type: ignore[no-any-return]


def make_by_draft(cls: Any, draft: Any, more: Sequence[str] = (), names: Mapping[str, Any] | None = None) -> None:
    """Give a frozen dataclass with slots and without `__init__` a `__new__`.

    `more` are lines that set further slots of what is `made`, with the fields and `names` to hand.
    """
    fields = dataclasses.fields(cls)
    assert not hasattr(cls, "__post_init__")
    known = {"draft": draft, "MISSING": dataclasses.MISSING, **(names or {})}
    known |= {f"default_{f.name}": f.default for f in fields} | {f"make_{f.name}": f.default_factory for f in fields}
    lines = ["made = draft()"]
    for f in fields:
        if f.default_factory is dataclasses.MISSING:
            value = f.name if f.init else f"default_{f.name}"
        else:
            value = f"make_{f.name}() if {f.name} is MISSING else {f.name}" if f.init else f"make_{f.name}()"
        lines.append(f"made.{f.name} = {value}")

    def parameters(*, keyword: bool) -> list[str]:
        chosen = [f for f in fields if f.init and f.kw_only is keyword]
        return [f"{f.name}=default_{f.name}" if _is_optional(f) else f.name for f in chosen]

    keywords = parameters(keyword=True)
    head = ", ".join(["cls", *parameters(keyword=False), *(["*", *keywords] if keywords else [])])
    made = compiled("__new__", head, [*lines, *more, "made.__class__ = cls", "return made"], known)
    made.__qualname__ = f"{cls.__qualname__}.__new__"
    cls.__new__ = staticmethod(made)
    cls.__reduce__ = _reduced


def _is_optional(field: dataclasses.Field[Any]) -> bool:
    return field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING


def draft_of(cls: Any) -> Any:
    """A class of the same layout without arguments, whose instances may be assigned to and take the class `cls`."""
    kept = {name: value for name, value in vars(cls).items() if name not in cls.__slots__}
    plain = {name: getattr(object, name) for name in ("__setattr__", "__delattr__", "__new__")}
    return type(f"{cls.__name__}Draft", cls.__bases__, {**kept, **plain})


def compiled(name: str, head: str, lines: Sequence[str], names: dict[str, Any]) -> Callable[..., Any]:
    """The function of these lines."""
    exec(f"def {name}({head}):\n" + "".join(f"    {line}\n" for line in lines), names)
    made: Callable[..., Any] = names[name]
    return made


def _reduced(instance: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """What pickle and copy make an instance of."""
    return _made_again, (
        type(instance),
        {f.name: getattr(instance, f.name) for f in dataclasses.fields(instance) if f.init},
    )


def _made_again(cls: Any, values: dict[str, Any]) -> Any:
    return cls(**values)
