"""Says who may do what, from the Roles and RoleBindings alone, as Kubernetes' RBAC does."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

type Thing = dict[str, Any]


@dataclass(frozen=True)
class Wish:
    """What somebody wants to do; `name` is None for a whole collection, as in a list."""

    verb: str
    resource: str
    name: str | None = None
    group: str = ""
    namespace: str = "jittutor"


class Rights:
    """The Roles of a set of objects, ready to be asked many times."""

    def __init__(self, objects: Iterable[Thing]) -> None:
        """Connect each person with the rules that hold for them."""
        objects = list(objects)
        # A right for the whole cluster would not be seen below: there must be none.
        assert not [thing for thing in objects if thing["kind"].startswith("ClusterRole")]
        roles = {_place(thing): thing["rules"] for thing in objects if thing["kind"] == "Role"}
        self._rules: dict[str, list[tuple[str, Thing]]] = {}
        for binding in (thing for thing in objects if thing["kind"] == "RoleBinding"):
            namespace, _ = _place(binding)
            assert binding["roleRef"]["kind"] == "Role"
            for subject in binding["subjects"]:
                assert subject["kind"] == "User"
                rules = self._rules.setdefault(subject["name"], [])
                rules += [(namespace, rule) for rule in roles[namespace, binding["roleRef"]["name"]]]

    def allow(self, who: str, wish: Wish) -> bool:
        """Whether any rule of this person covers the wish."""
        return any(
            namespace == wish.namespace and _covers(rule, wish)
            for namespace, rule in self._rules.get(who, [])
        )

    @property
    def people(self) -> list[str]:
        """Everybody who has any right."""
        return list(self._rules)


def _place(thing: Thing) -> tuple[str, str]:
    return thing["metadata"]["namespace"], thing["metadata"]["name"]


def _covers(rule: Thing, wish: Wish) -> bool:
    named = rule.get("resourceNames", [])
    return (
        _has(rule["apiGroups"], wish.group)
        and _has(rule["resources"], wish.resource)
        and _has(rule["verbs"], wish.verb)
        and (not named or wish.name in named)
    )


def _has(allowed: list[str], wanted: str) -> bool:
    return "*" in allowed or wanted in allowed
