"""What kustomize makes of deploy/ is valid, fits together, and asks for what it should."""

from collections.abc import Iterator

import pytest

from tests.deploy.tools import (
    DEPLOY,
    KUBERNETES,
    Thing,
    committed,
    environment_of,
    module,
    of_kind,
    pod_of,
    program,
    run,
    the,
    tutor_of,
)

OVERLAYS = ("cpu", "gpu", "workshop")
WITH_GPU = ("gpu", "workshop")

every_overlay = pytest.mark.parametrize("overlay", OVERLAYS)
every_gpu_overlay = pytest.mark.parametrize("overlay", WITH_GPU)


def references(pod: Thing) -> Iterator[tuple[str, str]]:
    """Everything that a Pod needs by name."""
    yield "ServiceAccount", pod["serviceAccountName"]
    for volume in pod.get("volumes", []):
        if "configMap" in volume:
            yield "ConfigMap", volume["configMap"]["name"]
        if "secret" in volume:
            yield "Secret", volume["secret"]["secretName"]
        if "persistentVolumeClaim" in volume:
            yield "PersistentVolumeClaim", volume["persistentVolumeClaim"]["claimName"]
    for container in pod["containers"]:
        for source in container.get("envFrom", []):
            yield from ((kind[:1].upper() + kind[1:-3], ref["name"]) for kind, ref in source.items())


@every_overlay
@pytest.mark.parametrize("version", KUBERNETES)
def test_every_object_is_valid_for_three_versions_of_kubernetes(overlay: str, version: str) -> None:
    validate = module("kubernetes_validate").validate
    for thing in committed(overlay):
        validate(thing, version, strict=True)


def test_a_field_that_kubernetes_does_not_know_is_refused() -> None:
    library = module("kubernetes_validate")
    (service,) = of_kind(committed("cpu"), "Service")
    wrong = {**service, "spec": {**service["spec"], "clusterIp": "None"}}
    with pytest.raises(library.ValidationError):
        library.validate(wrong, KUBERNETES[0], strict=True)


@every_overlay
def test_what_the_pod_refers_to_is_there(overlay: str) -> None:
    there = {(thing["kind"], thing["metadata"]["name"]) for thing in committed(overlay)}
    pod = pod_of(committed(overlay))
    assert set(references(pod)) <= there
    stateful = the(committed(overlay), "StatefulSet")["spec"]
    assert ("Service", stateful["serviceName"]) in there
    volumes = {volume["name"] for volume in pod["volumes"]}
    volumes |= {claim["metadata"]["name"] for claim in stateful["volumeClaimTemplates"]}
    assert {mount["name"] for mount in tutor_of(committed(overlay))["volumeMounts"]} == volumes


@every_overlay
def test_whatever_selects_pods_selects_the_learners(overlay: str) -> None:
    labels = the(committed(overlay), "StatefulSet")["spec"]["template"]["metadata"]["labels"].items()
    selectors = [
        the(committed(overlay), "StatefulSet")["spec"]["selector"]["matchLabels"],
        the(committed(overlay), "Service")["spec"]["selector"],
        *(
            thing["spec"]["selector"]["matchLabels"]
            for thing in of_kind(committed(overlay), "PodDisruptionBudget")
        ),
    ]
    assert all(selector and selector.items() <= labels for selector in selectors)


@every_overlay
def test_all_is_in_one_namespace_that_allows_restricted_pods_only(overlay: str) -> None:
    namespace = the(committed(overlay), "Namespace")["metadata"]
    assert namespace["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    others = [thing for thing in committed(overlay) if thing["kind"] != "Namespace"]
    assert {thing["metadata"]["namespace"] for thing in others} == {namespace["name"]}


@every_overlay
def test_the_pod_is_restricted_and_has_no_token(overlay: str) -> None:
    pod, container = pod_of(committed(overlay)), tutor_of(committed(overlay))
    assert pod["automountServiceAccountToken"] is pod["enableServiceLinks"] is False
    assert the(committed(overlay), "ServiceAccount")["automountServiceAccountToken"] is False
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] == pod["securityContext"]["fsGroup"] == 10001
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert not any(pod.get(field) for field in ("hostNetwork", "hostPID", "hostIPC"))
    assert not any("hostPath" in volume for volume in pod["volumes"])


@every_overlay
def test_nothing_goes_in_or_out_and_no_service_opens_anything(overlay: str) -> None:
    policy = the(committed(overlay), "NetworkPolicy")["spec"]
    assert policy == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    assert the(committed(overlay), "Service")["spec"]["clusterIP"] == "None"


@every_overlay
def test_home_and_tmp_are_all_that_can_be_written_and_work_is_kept_in_home(overlay: str) -> None:
    mounts = {mount["mountPath"]: mount["name"] for mount in tutor_of(committed(overlay))["volumeMounts"]}
    assert mounts == {"/home/learner": "home", "/tmp": "tmp"}  # noqa: S108 - a mount in the Pod
    env = environment_of(committed(overlay))
    assert env["HOME"] == "/home/learner"
    assert env["JITTUTOR_STATE"].startswith("/home/learner/")
    assert env["CUDA_CACHE_PATH"].startswith("/tmp/")  # noqa: S108 - a folder in the Pod
    retention = the(committed(overlay), "StatefulSet")["spec"]["persistentVolumeClaimRetentionPolicy"]
    assert retention == {"whenDeleted": "Delete", "whenScaled": "Retain"}


@every_overlay
def test_jax_takes_no_memory_ahead_and_no_cache_hides_a_compile(overlay: str) -> None:
    env = environment_of(committed(overlay))
    assert env["XLA_PYTHON_CLIENT_PREALLOCATE"] == "false"
    assert 0.03 <= float(env["XLA_CLIENT_MEM_FRACTION"]) <= 0.45
    # Both names together are an error in jaxlib.
    assert "XLA_PYTHON_CLIENT_MEM_FRACTION" not in env
    assert env["JAX_ENABLE_COMPILATION_CACHE"] == "false"
    assert not [name for name in env if "CACHE_DIR" in name]
    # `exec -t` would replace it anyway.
    assert "TERM" not in env


@every_gpu_overlay
def test_each_learner_asks_for_exactly_one_share_of_an_l4(overlay: str) -> None:
    container, pod = tutor_of(committed(overlay)), pod_of(committed(overlay))
    assert container["resources"]["limits"]["nvidia.com/gpu"] == "1"
    assert pod["nodeSelector"]["cloud.google.com/gke-accelerator"] == "nvidia-l4"
    assert {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"} in pod["tolerations"]
    assert environment_of(committed(overlay))["JAX_PLATFORMS"] == "cuda,cpu"
    assert container["startupProbe"]["exec"]["command"] == ["jittutor", "hold", "--check"]


def test_without_a_gpu_nothing_asks_for_one() -> None:
    assert "nvidia" not in str(tutor_of(committed("cpu"))["resources"])
    assert environment_of(committed("cpu"))["JAX_PLATFORMS"] == "cpu"
    assert "nodeSelector" not in pod_of(committed("cpu"))


@every_overlay
def test_memory_is_never_promised_twice(overlay: str) -> None:
    resources = tutor_of(committed(overlay))["resources"]
    assert resources["requests"]["memory"] == resources["limits"]["memory"]


def test_all_learners_on_an_l4_leave_room_for_their_contexts() -> None:
    per_gpu = int(
        pod_of(committed("workshop"))["nodeSelector"]["cloud.google.com/gke-max-shared-clients-per-gpu"]
    )
    fraction = float(environment_of(committed("workshop"))["XLA_CLIENT_MEM_FRACTION"])
    assert per_gpu * (fraction * 22.5 + 0.45) <= 0.85 * 22.5


def test_nothing_takes_a_pod_away_during_the_class() -> None:
    template = the(committed("workshop"), "StatefulSet")["spec"]["template"]
    assert template["metadata"]["annotations"]["cluster-autoscaler.kubernetes.io/safe-to-evict"] == "false"
    assert the(committed("workshop"), "PodDisruptionBudget")["spec"]["maxUnavailable"] == 0


def test_kustomize_warns_of_nothing() -> None:
    for overlay in OVERLAYS:
        assert run(program("kubectl"), "kustomize", DEPLOY / "overlays" / overlay).stderr == ""
