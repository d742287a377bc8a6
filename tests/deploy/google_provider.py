"""Stands in for Terraform's google provider, with its real schema, and runs a command beside itself.

    python -m tests.deploy.google_provider terraform -- terraform validate

Terraform finds it through TF_REATTACH_PROVIDERS, so that nothing is downloaded.
"""

import contextlib
import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent import futures
from pathlib import Path
from typing import Any

from tests.deploy import google_schema
from tests.deploy.google_schema import Block

SOURCE = "registry.terraform.io/hashicorp/google"


class _Provider:
    """Answers what Terraform asks while it validates and runs tests with mocks."""

    def __init__(self, messages: Any, schema: Any) -> None:
        self._messages, self._schema = messages, schema

    def GetSchema(self, request: Any, context: Any) -> Any:  # noqa: N802 - the protocol's name
        return self._schema

    def PrepareProviderConfig(self, request: Any, context: Any) -> Any:  # noqa: N802 - the protocol's name
        return self._messages.PrepareProviderConfig.Response(prepared_config=request.config)

    def __getattr__(self, name: str) -> Any:
        """The other calls: some have nothing to say, the rest (plan, apply) are not served."""
        if name in ("Stop", "Configure", "ValidateResourceTypeConfig", "ValidateDataSourceConfig"):
            response = getattr(self._messages, name).Response
            return lambda request, context: response()
        unimplemented = importlib.import_module("grpc").StatusCode.UNIMPLEMENTED
        return lambda request, context: context.abort(unimplemented, f"{name} is not served here")


def _block(messages: Any, block: Block) -> Any:
    schema = messages.Schema
    attributes = [
        schema.Attribute(
            name=one.name, type=google_schema.encoded(one.type), required=one.required,
            optional=one.optional, computed=one.computed,
        )
        for one in block.attributes
    ]  # fmt: skip
    blocks = [
        schema.NestedBlock(
            type_name=one.name, block=_block(messages, one.block),
            nesting=schema.NestedBlock.NestingMode.Value(one.nesting),
            min_items=int(one.required), max_items=int(one.single),
        )
        for one in block.blocks
    ]  # fmt: skip
    return schema.Block(attributes=attributes, block_types=blocks)


def _schema(messages: Any, folder: Path) -> Any:
    types = google_schema.used(folder)
    names = {(kind, name): google_schema.binding(kind, name) for kind, name in types}
    blocks = google_schema.read({"provider", *names.values()})

    def of(kind: str) -> dict[str, Any]:
        return {
            name: messages.Schema(version=0, block=_block(messages, blocks[place]))
            for (one, name), place in names.items()
            if one == kind and place in blocks
        }

    return messages.GetProviderSchema.Response(
        provider=messages.Schema(version=0, block=_block(messages, blocks["provider"])),
        resource_schemas=of("resource"),
        data_source_schemas=of("data"),
    )


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[dict[str, str]]:
    """Serve the schema of all that *.tf in `folder` uses; gives the environment for terraform."""
    grpc = importlib.import_module("grpc")
    messages = importlib.import_module("tfplugin_proto.tfplugin5_5_pb2")
    service = importlib.import_module("tfplugin_proto.tfplugin5_5_pb2_grpc")
    server = grpc.server(futures.ThreadPoolExecutor(4))
    service.add_ProviderServicer_to_server(_Provider(messages, _schema(messages, folder)), server)
    with tempfile.TemporaryDirectory() as place:
        socket = str(Path(place) / "provider.sock")
        server.add_insecure_port(f"unix:{socket}")
        server.start()
        address = {"Network": "unix", "String": socket}
        reattach = {SOURCE: {"Protocol": "grpc", "ProtocolVersion": 5, "Pid": os.getpid(), "Test": True,
                             "Addr": address}}  # fmt: skip
        environment = {**os.environ, "TF_REATTACH_PROVIDERS": json.dumps(reattach), "CHECKPOINT_DISABLE": "1",
                       "TF_IN_AUTOMATION": "1"}  # fmt: skip
        # A file that is named but missing would make every command warn.
        environment.pop("TF_CLI_CONFIG_FILE", None)
        try:
            yield environment
        finally:
            server.stop(None).wait()


def main(arguments: list[str]) -> int:
    """Run a command in a folder of *.tf files; its exit code."""
    folder, _, *command = arguments
    with serving(Path(folder)) as environment:
        return subprocess.run(command, cwd=folder, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
