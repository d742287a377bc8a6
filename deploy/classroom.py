"""Writes the overlay of one class: numbers, image, and for each line of the roster one Role for one Pod.

    python3 deploy/classroom.py --image REPOSITORY/jittutor@sha256:… --roster roster.txt

Needs nothing but Python. `deploy/workshop up` calls it. The numbers of one learner stand here and in
deploy/base; a test holds the two together.
"""

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
NAME = NAMESPACE = "jittutor"
RBAC = "rbac.authorization.k8s.io"
ROSTER = "jittutor/roster"
"""The label of what came from a roster: `deploy/workshop up` takes away whoever is no longer in it."""
CPU_REQUEST, CPU_LIMIT, MEMORY, STORAGE = 1750, 4, 6, 1
"""Of one learner: millicores, cores, GiB, GiB."""
MOST_LEARNERS, MOST_PER_GPU = 1000, 16
_IMAGE = re.compile(r"(?P<name>[\w][\w.:/-]*[\w])@(?P<digest>sha256:[0-9a-f]{64})")
_LOCAL = re.compile(r"(?P<name>[\w][\w./-]*):(?P<tag>[\w][\w.-]*)")
_PERSON = re.compile(r"[^\s@:]+@[^\s@:]+\.[^\s@:]+")

type Thing = dict[str, Any]


class Mistake(Exception):  # noqa: N818 - it is said to people as it is
    """What the instructor gave cannot be used; one sentence."""


def learners(roster: str) -> list[str]:
    """The people of a roster, one on a line; the first gets jittutor-0.

    Raises:
        Mistake: a line is no e-mail address, or somebody is there twice.
    """
    people: list[str] = []
    for number, line in enumerate(roster.splitlines(), 1):
        person = line.split("#")[0].strip()
        if not person:
            continue
        if not _PERSON.fullmatch(person):
            raise Mistake(f"roster, line {number}: {person!r} is not an e-mail address")
        if person.casefold() in (other.casefold() for other in people):
            raise Mistake(f"roster, line {number}: {person} is there twice")
        people.append(person)
    if not people:
        raise Mistake("the roster names nobody")
    return people


def memory_fraction(learners_per_gpu: int) -> str:
    """How much of a GPU's memory one JAX process may take.

    Eight tenths are shared out, less 2 % for each process's CUDA context. The rest is for the second process
    of those who run a script of their own beside the tutor. For the same reason nobody gets more than 0.45.
    """
    share = min(0.45, (0.8 - 0.02 * learners_per_gpu) / learners_per_gpu)
    return f"{int(share * 100 + 1e-9) / 100:.2f}"


def quota(count: int) -> Thing:
    """What a class of this size may ask for in all, and no more."""
    return {
        "pods": str(count),
        "requests.cpu": f"{count * CPU_REQUEST}m",
        "requests.memory": f"{count * MEMORY}Gi",
        "limits.cpu": str(count * CPU_LIMIT),
        "limits.memory": f"{count * MEMORY}Gi",
        "requests.nvidia.com/gpu": str(count),
        "persistentvolumeclaims": str(count),
        "requests.storage": f"{count * STORAGE}Gi",
    }


def rights(people: Sequence[str]) -> list[Thing]:
    """For each learner a Role that names one Pod, and who has it.

    `get` on exec is what kubectl's WebSocket asks for; from Kubernetes 1.35 the server wants `create` too.
    """
    objects: list[Thing] = []
    for number, person in enumerate(people):
        pod = f"{NAME}-{number}"
        meta = {"name": pod, "namespace": NAMESPACE, "labels": {ROSTER: "yes"}}
        rules = [
            {"apiGroups": [""], "resources": ["pods"], "resourceNames": [pod], "verbs": ["get"]},
            {"apiGroups": [""], "resources": ["pods/exec"], "resourceNames": [pod],
             "verbs": ["create", "get"]},
        ]  # fmt: skip
        objects.append({"apiVersion": f"{RBAC}/v1", "kind": "Role", "metadata": meta, "rules": rules})
        objects.append({
            "apiVersion": f"{RBAC}/v1", "kind": "RoleBinding", "metadata": meta,
            "subjects": [{"kind": "User", "name": person, "apiGroup": RBAC}],
            "roleRef": {"kind": "Role", "name": pod, "apiGroup": RBAC},
        })  # fmt: skip
    return objects


def image(reference: str, overlay: str) -> Thing:
    """An image as kustomize wants it named.

    Raises:
        Mistake: it can change under the learners' feet, or is the placeholder.
    """
    found = _IMAGE.fullmatch(reference)
    if found and set(found["digest"].removeprefix("sha256:")) != {"0"}:
        return {"name": NAME, "newName": found["name"], "digest": found["digest"]}
    local = _LOCAL.fullmatch(reference)
    if overlay == "cpu" and local:
        return {"name": NAME, "newName": local["name"], "newTag": local["tag"]}
    raise Mistake(f"--image {reference}: name it with its digest, as REPOSITORY/jittutor@sha256:…")


def kustomization(overlay: str, entry: Thing, count: int, per_gpu: int, *, roster: bool) -> Thing:
    """The overlay of a class, on top of a committed one."""
    result: Thing = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": [f"../{overlay}", *(["rights.json"] if roster else [])],
        "images": [entry],
        "replicas": [{"name": NAME, "count": count}],
    }
    if overlay == "workshop":
        container = {"name": "tutor", "env": [
            {"name": "XLA_CLIENT_MEM_FRACTION", "value": memory_fraction(per_gpu)}]}  # fmt: skip
        label = "cloud.google.com/gke-max-shared-clients-per-gpu"
        # A GPU that nobody shares has none of these labels: kustomize takes away what is null.
        alone = {"cloud.google.com/gke-gpu-sharing-strategy": None, label: None}
        selector = alone if per_gpu == 1 else {label: str(per_gpu)}
        pod = {"spec": {"nodeSelector": selector, "containers": [container]}}
        patches = [
            _patch("apps/v1", "StatefulSet", NAME, {"template": pod}),
            _patch("v1", "ResourceQuota", "class", {"hard": quota(count)}),
        ]
        result["patches"] = [{"patch": json.dumps(patch)} for patch in patches]
    return result


def _patch(version: str, kind: str, name: str, spec: Thing) -> Thing:
    meta = {"name": name, "namespace": NAMESPACE}
    return {"apiVersion": version, "kind": kind, "metadata": meta, "spec": spec}


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Write the overlay of one class.")
    parser.add_argument("--overlay", choices=("cpu", "gpu", "workshop"), default="workshop")
    parser.add_argument("--image", required=True, help="REPOSITORY/jittutor@sha256:…")
    parser.add_argument("--roster", type=Path, help="a file with one e-mail address on each line")
    parser.add_argument("--learners", type=int, help="how many, if there is no roster")
    parser.add_argument("--learners-per-gpu", type=int, default=8, help="as in Terraform (8)")
    parser.add_argument("--to", type=Path, default=HERE / "overlays" / "class", help="the folder to write")
    return parser.parse_args(arguments)


def _write(given: argparse.Namespace) -> str:
    people = learners(given.roster.read_text(encoding="utf-8")) if given.roster else []
    count = len(people) or (1 if given.learners is None else given.learners)
    if given.learners is not None and people and given.learners != len(people):
        raise Mistake(f"--learners {given.learners}, but the roster names {len(people)}")
    if not 1 <= count <= MOST_LEARNERS:
        raise Mistake(f"a class has 1 to {MOST_LEARNERS} learners")
    if not 1 <= given.learners_per_gpu <= MOST_PER_GPU:
        raise Mistake(f"--learners-per-gpu is 1 to {MOST_PER_GPU}")
    if given.overlay == "gpu" and count > 1:
        raise Mistake("the overlay gpu is for one learner; use --overlay workshop")
    entry = image(given.image, given.overlay)
    whole = kustomization(given.overlay, entry, count, given.learners_per_gpu, roster=bool(people))
    given.to.mkdir(parents=True, exist_ok=True)
    (given.to / "kustomization.yaml").write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    listed = {"apiVersion": "v1", "kind": "List", "items": rights(people)}
    if people:
        (given.to / "rights.json").write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")
    else:
        (given.to / "rights.json").unlink(missing_ok=True)
    who = f"{count} learner{'s' if count > 1 else ''}"
    return f"{given.to}: {who}{f', jittutor-0 to jittutor-{count - 1}' if count > 1 else ''}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the overlay; the exit code."""
    try:
        print(_write(_arguments(arguments)))
    except (Mistake, OSError, UnicodeDecodeError) as error:
        print(f"classroom: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
