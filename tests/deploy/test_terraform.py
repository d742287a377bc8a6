"""The Terraform files: valid for the real provider's schema, tested with mocks, and in step with deploy/."""

import enum
import re
import shutil
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path

import pytest

from tests.deploy import google_schema
from tests.deploy.google_provider import serving
from tests.deploy.tools import (
    TERRAFORM,
    amount,
    classroom,
    committed,
    installed,
    module,
    pod_of,
    program,
    run,
    the,
    tutor_of,
)

HOW = "it comes with the machine, not from a package registry"
ENUMS = {
    "gpu_sharing_strategy": "GPUSharingConfig.GPUSharingStrategy",
    "datapath_provider": "DatapathProvider",
    "consume_reservation_type": "ReservationAffinity.Type",
    "effect": "NodeTaint.Effect",
    "mode": "WorkloadMetadataConfig.Mode",
    "autoscaling_profile": "ClusterAutoscaling.AutoscalingProfile",
    "location_policy": "NodePoolAutoscaling.LocationPolicy",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy: what terraform writes while it works stays out of the project."""
    copy = tmp_path_factory.mktemp("terraform") / "terraform"
    shutil.copytree(TERRAFORM, copy, ignore=shutil.ignore_patterns(".terraform*", "*.tfstate*", "*.tfvars"))
    return copy


@pytest.fixture(scope="module")
def environment(folder: Path) -> Iterator[dict[str, str]]:
    """With the provider beside it; `init` has run."""
    terraform = program("terraform", how=HOW)
    for name in ("grpc", "tfplugin_proto", google_schema.PACKAGE):
        installed(name)
    with serving(folder) as variables:
        run(terraform, "init", "-backend=false", "-input=false", cwd=folder, env=variables)
        yield variables


def validate(folder: Path, environment: dict[str, str]) -> str:
    done = run("terraform", "validate", "-no-color", cwd=folder, env=environment, check=False)
    return done.stdout + done.stderr


def values(attribute: str) -> set[str]:
    """What an argument is set to, in capitals, anywhere in the files."""
    text = "\n".join(path.read_text() for path in TERRAFORM.glob("*.tf"))
    return set(re.findall(rf'^\s*{attribute}\s*=\s*"([A-Z_]+)"', text, re.MULTILINE))


def allowed(path: str) -> set[str]:
    """The values that GKE's own API knows."""
    thing = module("google.cloud.container_v1")
    for name in path.split("."):
        thing = getattr(thing, name)
    assert issubclass(thing, enum.IntEnum)
    return {value.name for value in thing if value.value}


def test_the_files_are_formatted() -> None:
    run(program("terraform", how=HOW), "fmt", "-check", "-recursive", "-diff", TERRAFORM)


def test_they_are_valid_for_the_real_schema(folder: Path, environment: dict[str, str]) -> None:
    assert "Success! The configuration is valid." in validate(folder, environment)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("single_process_oom_kill", "single_oom_kill"), 'argument named "single_oom_kill" is not expected'),
        (("total_min_node_count = 0", 'total_min_node_count = "none"'), "a number is required"),
        (("repository_id = var.name", ""), 'argument "repository_id" is required'),
        (("gcfs_config {", "gcfs {"), 'Blocks of type "gcfs" are not expected'),
        (("account.nodes.member", "account.nodes.mail"), "no argument, nested block, or exported attribute"),
    ],
)  # fmt: skip
def test_a_mistake_in_them_is_found(
    tmp_path: Path, environment: dict[str, str], folder: Path, change: tuple[str, str], message: str
) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    changed = 0
    for path in broken.glob("*.tf"):
        text = path.read_text()
        changed += change[0] in text
        path.write_text(text.replace(*change))
    assert changed
    assert message in " ".join(validate(broken, environment).replace("│", "").split())


def test_plans_hold_what_they_say_and_what_could_not_work_is_refused(
    folder: Path, environment: dict[str, str]
) -> None:
    done = run("terraform", "test", "-no-color", cwd=folder, env=environment, timeout=300)
    passed = re.search(r"Success! (\d+) passed, 0 failed", done.stdout)
    assert passed, done.stdout
    assert int(passed[1]) >= 24


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"learners": "30", "learners_per_gpu": "8", "machine_type": "g2-standard-8"},
         "g2-standard-8 has CPUs for 3 learners, each asks for 1.75"),
        ({"learners": "30", "learners_per_gpu": "8", "machine_type": "n1-standard-8"},
         "machine_type: one of g2-standard-12,"),
        ({"learners": "2", "learners_per_gpu": "3", "machine_type": "g2-standard-16"},
         "learners_per_gpu is larger than learners"),
        ({"learners": "600", "learners_per_gpu": "2", "machine_type": "g2-standard-8"},
         "600 learners would need 300 of it, and the network has addresses for 250"),
        ({"spot": "true", "reservation": "monday"}, "spot and reservation exclude each other"),
    ],
)  # fmt: skip
def test_a_refusal_says_what_to_change(
    folder: Path, environment: dict[str, str], variables: dict[str, str], sentence: str
) -> None:
    settings = {f"TF_VAR_{name}": value for name, value in variables.items()}
    settings |= {"TF_VAR_project_id": "my-project-123"}
    done = run(
        "terraform", "plan", "-no-color", "-input=false", cwd=folder, env=environment | settings, check=False
    )
    said = " ".join((done.stdout + done.stderr).replace("│", "").split())
    assert done.returncode == 1
    assert sentence in said


@pytest.mark.parametrize("attribute", ENUMS)
def test_its_values_are_those_that_gke_knows(attribute: str) -> None:
    assert values(attribute)
    assert values(attribute) <= allowed(ENUMS[attribute])


def test_what_a_person_may_choose_is_what_gke_knows() -> None:
    text = (TERRAFORM / "variables.tf").read_text()
    for variable, path in {
        "release_channel": "ReleaseChannel.Channel",
        "driver_version": "GPUDriverInstallationConfig.GPUDriverVersion",
    }.items():
        choices = re.search(rf"contains\(\[([^]]+)\], var\.{variable}\)", text)
        assert choices
        assert set(re.findall(r"\w+", choices[1])) <= allowed(path)


def test_one_learner_is_as_large_in_terraform_as_in_the_pod() -> None:
    text = (TERRAFORM / "locals.tf").read_text()
    found = re.search(r"learner\s*=\s*\{ cpu = ([\d.]+), memory = ([\d.]+) \}", text)
    assert found
    requests = tutor_of(committed("workshop"))["resources"]["requests"]
    assert float(found[1]) == amount(requests["cpu"])
    assert float(found[2]) == amount(requests["memory"]) / 2**30


def test_the_class_of_the_example_is_the_class_of_the_overlay() -> None:
    example = dict(
        re.findall(
            r"^#?\s*(\w+)\s*=\s*\"?([\w-]+)",
            (TERRAFORM / "terraform.tfvars.example").read_text(),
            re.MULTILINE,
        )
    )
    things = committed("workshop")
    assert int(example["learners"]) == the(things, "StatefulSet")["spec"]["replicas"]
    clients = pod_of(things)["nodeSelector"]["cloud.google.com/gke-max-shared-clients-per-gpu"]
    assert example["learners_per_gpu"] == clients


def test_the_most_that_may_share_is_the_same_in_terraform_and_in_deploy(tmp_path: Path) -> None:
    most = re.search(
        r"condition\s*=\s*var\.learners_per_gpu <= (\d+)", (TERRAFORM / "variables.tf").read_text()
    )
    assert most
    image = ("--image", "europe-docker.pkg.dev/p/jittutor@sha256:" + "ab" * 32)
    assert classroom(tmp_path, *image, "--learners-per-gpu", most[1], check=False).returncode == 0
    more = str(int(most[1]) + 1)
    assert classroom(tmp_path, *image, "--learners-per-gpu", more, check=False).returncode == 2


def test_the_largest_class_is_the_same_in_terraform_and_in_deploy(tmp_path: Path) -> None:
    most = re.search(r"var\.learners <= (\d+)", (TERRAFORM / "variables.tf").read_text())
    assert most
    image = ("--image", "europe-docker.pkg.dev/p/jittutor@sha256:" + "ab" * 32)
    assert classroom(tmp_path, *image, "--learners", most[1], check=False).returncode == 0
    more = str(int(most[1]) + 1)
    assert classroom(tmp_path, *image, "--learners", more, check=False).returncode == 2


def test_the_network_has_addresses_for_as_many_nodes_as_may_be_asked_for() -> None:
    network = (TERRAFORM / "network.tf").read_text()
    most = re.search(r"most_nodes\s*=\s*(\d+)", (TERRAFORM / "locals.tf").read_text())
    nodes = re.search(r'ip_cidr_range\s*=\s*"([\d./]+)"\n\s*private', network)
    pods = re.search(r'range_name\s*=\s*"pods"\s*ip_cidr_range\s*=\s*"([\d./]+)"', network)
    assert most
    assert nodes
    assert pods
    # GKE gives each node 256 addresses for its Pods; four of a subnet are kept; an upgrade adds a node.
    room = min(ip_network(nodes[1]).num_addresses - 4, ip_network(pods[1]).num_addresses // 256)
    assert int(most[1]) + 2 <= room


def test_the_cluster_lets_nobody_in_by_address_and_leaves_nothing_behind() -> None:
    text = (TERRAFORM / "cluster.tf").read_text()
    assert re.search(r"ip_endpoints_config \{\s*enabled = false", text)
    assert re.search(r"deletion_protection\s*=\s*false", text)
    assert re.search(r"http_load_balancing \{\s*disabled = true", text)
    assert not re.search(r"google_compute_(global_)?(address|forwarding_rule)|nat", text)
