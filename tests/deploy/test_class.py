"""A class of any size: its numbers change together, and nobody gets into another's Pod."""

from pathlib import Path

import pytest

from tests.deploy.rights import Rights, Wish
from tests.deploy.tools import (
    DIGEST,
    IMAGE,
    KUBERNETES,
    Thing,
    amount,
    classroom,
    committed,
    environment_of,
    module,
    of_kind,
    pod_of,
    render_class,
    the,
    tutor_of,
)

CLASS = 300


@pytest.fixture(scope="module")
def big_class(tmp_path_factory: pytest.TempPathFactory) -> list[Thing]:
    folder = tmp_path_factory.mktemp("class")
    roster = folder / "roster.txt"
    roster.write_text("".join(f"learner{n}@example.com\n" for n in range(CLASS)))
    return render_class(folder, "--image", IMAGE, "--roster", str(roster))


def assert_quota_is_n_learners(things: list[Thing], count: int) -> None:
    stateful = the(things, "StatefulSet")["spec"]
    hard = the(things, "ResourceQuota")["spec"]["hard"]
    resources = tutor_of(things)["resources"]
    claim = stateful["volumeClaimTemplates"][0]["spec"]["resources"]["requests"]["storage"]
    one = {
        "pods": 1,
        "requests.cpu": amount(resources["requests"]["cpu"]),
        "requests.memory": amount(resources["requests"]["memory"]),
        "limits.cpu": amount(resources["limits"]["cpu"]),
        "limits.memory": amount(resources["limits"]["memory"]),
        "requests.nvidia.com/gpu": amount(resources["limits"]["nvidia.com/gpu"]),
        "persistentvolumeclaims": 1,
        "requests.storage": amount(claim),
        "services.loadbalancers": 0,
        "services.nodeports": 0,
    }
    assert stateful["replicas"] == count
    assert {name: amount(value) for name, value in hard.items()} == {n: v * count for n, v in one.items()}


def test_the_quota_is_n_times_one_learner(big_class: list[Thing]) -> None:
    assert_quota_is_n_learners(committed("workshop"), 30)
    assert_quota_is_n_learners(big_class, CLASS)


def test_one_learner_is_within_the_limit_range() -> None:
    container = next(
        e for e in the(committed("workshop"), "LimitRange")["spec"]["limits"] if e["type"] == "Container"
    )
    limits = tutor_of(committed("workshop"))["resources"]["limits"]
    assert all(amount(limits[name]) <= amount(most) for name, most in container["max"].items())


def test_a_class_runs_the_image_by_its_digest(big_class: list[Thing]) -> None:
    assert tutor_of(big_class)["image"] == IMAGE
    assert tutor_of(committed("workshop"))["image"].endswith("@sha256:" + "0" * 64), (
        "a placeholder that never runs"
    )
    assert "@" not in tutor_of(committed("cpu"))["image"], "kind and minikube load an image by its tag"


def test_of_300_learners_each_may_exec_into_their_own_pod_and_nothing_else(big_class: list[Thing]) -> None:
    rights = Rights(big_class)
    people = [f"learner{n}@example.com" for n in range(CLASS)]
    assert sorted(rights.people) == sorted(people)
    pods = [f"jittutor-{n}" for n in range(CLASS)]
    mine = {("get", "pods"), ("get", "pods/exec"), ("create", "pods/exec")}
    verbs = ("get", "create", "list", "watch", "update", "patch", "delete", "deletecollection")
    for number, person in enumerate(people):
        for verb, resource in mine:
            allowed = [pod for pod in pods if rights.allow(person, Wish(verb, resource, pod))]
            assert allowed == [pods[number]]
            assert not rights.allow(person, Wish(verb, resource))
            assert not rights.allow(person, Wish(verb, resource, pods[number], namespace="kube-system"))
        for verb in verbs:
            for resource in ("pods", "pods/exec", "pods/attach", "pods/log", "pods/portforward", "secrets"):
                if (verb, resource) not in mine:
                    assert not rights.allow(person, Wish(verb, resource, pods[number]))


def test_what_a_roster_gave_can_be_taken_away_by_its_label(big_class: list[Thing]) -> None:
    given = of_kind(big_class, "RoleBinding") + of_kind(big_class, "Role")
    assert len(given) == 2 * CLASS
    assert all("jittutor/roster" in thing["metadata"]["labels"] for thing in given)


def test_a_class_without_a_roster_keeps_nothing_of_the_last_one(tmp_path: Path) -> None:
    (tmp_path / "roster.txt").write_text("anna@example.com\n")
    assert of_kind(
        render_class(tmp_path, "--image", IMAGE, "--roster", str(tmp_path / "roster.txt")), "RoleBinding"
    )
    assert not of_kind(render_class(tmp_path, "--image", IMAGE, "--learners", "3"), "RoleBinding")
    assert not (tmp_path / "overlays/class/rights.json").exists()


def test_a_rule_without_a_name_would_be_found() -> None:
    role = {"kind": "Role", "metadata": {"namespace": "jittutor", "name": "all"},
            "rules": [{"apiGroups": [""], "resources": ["pods/exec"], "verbs": ["*"]}]}  # fmt: skip
    binding = {"kind": "RoleBinding", "metadata": {"namespace": "jittutor", "name": "all"},
               "roleRef": {"kind": "Role", "name": "all"},
               "subjects": [{"kind": "User", "name": "x"}]}  # fmt: skip
    assert Rights([role, binding]).allow("x", Wish("create", "pods/exec", "jittutor-7"))


@pytest.mark.parametrize(
    ("roster", "message"),
    [
        ("anna@example.com\nAnna@Example.com\n", "line 2: Anna@Example.com is there twice"),
        ("# nobody\n\n", "the roster names nobody"),
        ("anna@example.com\nsystem:masters\n", "line 2: 'system:masters' is not an e-mail address"),
    ],
)
def test_a_roster_that_cannot_be_used_is_refused_in_one_sentence(
    tmp_path: Path, roster: str, message: str
) -> None:
    path = tmp_path / "roster.txt"
    path.write_text(roster)
    done = classroom(tmp_path, "--image", IMAGE, "--roster", str(path), check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--image", "registry.example/jittutor:latest"),
        ("--image", "registry.example/jittutor@sha256:" + "0" * 64),
        ("--image", IMAGE, "--learners-per-gpu", "17"),
        ("--image", IMAGE, "--overlay", "gpu", "--learners", "2"),
        ("--image", IMAGE, "--learners-per-gpu", "0"),
        ("--image", IMAGE, "--learners", "0"),
        ("--image", IMAGE, "--learners", "1001"),
    ],
)
def test_a_class_that_could_not_work_is_refused(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = classroom(tmp_path, *arguments, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_a_class_of_one_on_a_laptop_takes_an_image_by_its_tag(tmp_path: Path) -> None:
    things = render_class(tmp_path, "--overlay", "cpu", "--image", "jittutor:here")
    assert tutor_of(things)["image"] == "jittutor:here"


def test_the_numbers_of_a_class_change_together(tmp_path: Path) -> None:
    things = render_class(tmp_path, "--image", IMAGE, "--learners", "24", "--learners-per-gpu", "4")
    assert_quota_is_n_learners(things, 24)
    assert pod_of(things)["nodeSelector"]["cloud.google.com/gke-max-shared-clients-per-gpu"] == "4"
    assert environment_of(things)["XLA_CLIENT_MEM_FRACTION"] == "0.18"
    assert DIGEST in tutor_of(things)["image"]


def test_a_class_with_an_l4_for_each_asks_for_gpus_that_nobody_shares(tmp_path: Path) -> None:
    things = render_class(tmp_path, "--image", IMAGE, "--learners", "5", "--learners-per-gpu", "1")
    assert_quota_is_n_learners(things, 5)
    assert pod_of(things)["nodeSelector"] == {"cloud.google.com/gke-accelerator": "nvidia-l4"}
    assert environment_of(things)["XLA_CLIENT_MEM_FRACTION"] == "0.45"


@pytest.mark.parametrize("version", KUBERNETES)
def test_what_is_written_for_a_class_is_valid(tmp_path: Path, version: str) -> None:
    validate = module("kubernetes_validate").validate
    (tmp_path / "roster.txt").write_text("anna@example.com\nbo@example.com\n")
    things = render_class(tmp_path, "--image", IMAGE, "--roster", str(tmp_path / "roster.txt"))
    assert {"Role", "RoleBinding"} <= {thing["kind"] for thing in things}
    for thing in things:
        validate(thing, version, strict=True)
