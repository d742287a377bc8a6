"""A loopback stand-in for a cluster's API server: the real kubectl reaches real processes through it.

    python -m tests.deploy.kube SETTINGS.json      # prints one JSON line for each thing that happens

It serves what `kubectl exec`, `get pod(s)` and `auth can-i --list` ask for; WebSocket only (kubectl 1.30
and newer).
"""

import asyncio
import importlib
import json
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.deploy.session import Session, Wanted, failure

VERSION = {"major": "1", "minor": "34", "gitVersion": "v1.34.1-loopback"}
ALLOWED = "authorization.k8s.io"


@dataclass(frozen=True)
class Settings:
    """Which Pods there are and how they behave; `mine` are those that the caller's rights name."""

    kubeconfig: str
    pods: list[str]
    home: str
    path: str
    environment: dict[str, str] = field(default_factory=dict)
    mine: list[str] = field(default_factory=list)
    idle: float = 0
    hangup: bool = False


def say(what: dict[str, Any]) -> None:
    """Tell the test."""
    print(json.dumps(what), flush=True)


class Server:
    """Answers kubectl."""

    def __init__(self, settings: Settings) -> None:
        """Prepare the routes."""
        self.settings = settings
        self._web = importlib.import_module("aiohttp.web")
        self._sessions: list[Session] = []
        self.app = self._web.Application()
        add = self.app.router.add_route
        add("*", "/api/v1/namespaces/{namespace}/pods/{name}/exec", self.exec)
        add("GET", "/api/v1/namespaces/{namespace}/pods/{name}", self.pod)
        add("GET", "/api/v1/namespaces/{namespace}/pods", self.pods)
        add("POST", f"/apis/{ALLOWED}/v1/selfsubjectrulesreviews", self.rules)
        add("*", "/{tail:.*}", self.discover)

    async def exec(self, request: Any) -> Any:
        """Start a process and connect it."""
        name, query = request.match_info["name"], request.query
        if name not in self.settings.pods:
            return self._refuse(404, "NotFound", f'pods "{name}" not found')
        if request.headers.get("Upgrade", "").lower() != "websocket":
            say({"did": "refuse", "method": request.method, "upgrade": request.headers.get("Upgrade", "")})
            return self._refuse(400, "BadRequest", "only WebSocket exec is served here")
        socket = self._web.WebSocketResponse(protocols=("v5.channel.k8s.io", "v4.channel.k8s.io"))
        await socket.prepare(request)
        tty = query.get("tty") == "true"
        wanted = Wanted(
            query.getall("command", []), tty, query.get("stdin") == "true", self._environment(name, tty=tty),
            self._home(name), self.settings.idle, self.settings.hangup,
        )  # fmt: skip
        asked = {"method": request.method, "protocol": socket.ws_protocol}
        session = Session(socket, wanted, lambda what: say({"pod": name, **asked, **what}))
        self._sessions.append(session)
        await session.run()
        await socket.close()
        return socket

    async def pod(self, request: Any) -> Any:
        """One Pod."""
        name = request.match_info["name"]
        if name not in self.settings.pods:
            return self._refuse(404, "NotFound", f'pods "{name}" not found')
        return self._web.json_response(_pod(name, request.match_info["namespace"]))

    async def pods(self, request: Any) -> Any:
        """All Pods."""
        items = [_pod(name, request.match_info["namespace"]) for name in self.settings.pods]
        return self._web.json_response(
            {"apiVersion": "v1", "kind": "PodList", "metadata": {}, "items": items}
        )

    async def rules(self, request: Any) -> Any:
        """What the caller may do, as a learner's Role says it, beside what everybody may."""
        mine = self.settings.mine
        own = [{"verbs": ["get"], "apiGroups": [""], "resources": ["pods"], "resourceNames": mine},
               {"verbs": ["create", "get"], "apiGroups": [""], "resources": ["pods/exec"],
                "resourceNames": mine}]  # fmt: skip
        everybody = {"verbs": ["create"], "apiGroups": [ALLOWED], "resources": ["selfsubjectrulesreviews"]}
        anywhere = {"verbs": ["get"], "nonResourceURLs": ["/version"]}
        status = {"incomplete": False, "nonResourceRules": [anywhere],
                  "resourceRules": [everybody, *(own if mine else [])]}  # fmt: skip
        review = {"apiVersion": f"{ALLOWED}/v1", "kind": "SelfSubjectRulesReview", "metadata": {},
                  "spec": {"namespace": "jittutor"}, "status": status}  # fmt: skip
        return self._web.json_response(review, status=201)

    async def discover(self, request: Any) -> Any:
        """What kubectl looks at before it does anything."""
        pods = {
            "name": "pods",
            "singularName": "pod",
            "namespaced": True,
            "kind": "Pod",
            "verbs": ["get", "list"],
        }
        reviews = {"name": "selfsubjectrulesreviews", "singularName": "selfsubjectrulesreview",
                   "namespaced": False, "kind": "SelfSubjectRulesReview", "verbs": ["create"]}  # fmt: skip
        version = {"groupVersion": f"{ALLOWED}/v1", "version": "v1"}
        group = {"name": ALLOWED, "versions": [version], "preferredVersion": version}
        known = {
            "/version": VERSION,
            "/api": {"kind": "APIVersions", "versions": ["v1"]},
            "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": [group]},
            "/api/v1": {"kind": "APIResourceList", "groupVersion": "v1", "resources": [pods]},
            f"/apis/{ALLOWED}/v1": {"kind": "APIResourceList", "apiVersion": "v1",
                                    "groupVersion": f"{ALLOWED}/v1", "resources": [reviews]},
        }  # fmt: skip
        answer = known.get(request.path.rstrip("/"))
        if answer is None:
            return self._refuse(404, "NotFound", f"{request.method} {request.path} is not served here")
        return self._web.json_response(answer)

    def cut(self) -> None:
        """Break all lines at once."""
        for session in self._sessions:
            session.cut()

    def end(self) -> None:
        """Leave no process behind."""
        for session in self._sessions:
            session.end()

    def _refuse(self, code: int, reason: str, message: str) -> Any:
        return self._web.json_response(failure(code, reason, message), status=code)

    def _home(self, name: str) -> str:
        home = Path(self.settings.home) / name
        (home / "tmp").mkdir(parents=True, exist_ok=True)
        return str(home)

    def _environment(self, name: str, *, tty: bool) -> dict[str, str]:
        """What a process in the Pod finds: nothing of the client's."""
        home = self._home(name)
        # Each Pod has its own /tmp, where tutors find each other.
        variables = {"PATH": self.settings.path, "HOSTNAME": name, **self.settings.environment, "HOME": home,
                     "TMPDIR": str(Path(home, "tmp")), "JITTUTOR_STATE": f"{home}/.jittutor"}  # fmt: skip
        return {**variables, **({"TERM": "xterm"} if tty else {})}


def _pod(name: str, namespace: str) -> dict[str, Any]:
    meta = {"name": name, "namespace": namespace, "labels": {"app.kubernetes.io/name": "jittutor"}}
    container = {"name": "tutor", "ready": True, "restartCount": 0, "state": {"running": {}}}
    return {
        "apiVersion": "v1", "kind": "Pod", "metadata": meta,
        "spec": {"containers": [{"name": "tutor"}]},
        "status": {"phase": "Running", "containerStatuses": [container]},
    }  # fmt: skip


async def serve(settings: Settings) -> None:
    """Until SIGTERM."""
    web = importlib.import_module("aiohttp.web")
    server = Server(settings)
    runner = web.AppRunner(server.app, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    context = {"cluster": "loopback", "user": "", "namespace": "jittutor"}
    config = {
        "apiVersion": "v1", "kind": "Config", "current-context": "loopback",
        "clusters": [{"name": "loopback", "cluster": {"server": url}}],
        "contexts": [{"name": "loopback", "context": context}],
    }  # fmt: skip
    await asyncio.to_thread(Path(settings.kubeconfig).write_text, json.dumps(config))
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, server.cut)
    say({"did": "ready", "url": url})
    await stop.wait()
    server.end()
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(serve(Settings(**json.loads(Path(sys.argv[1]).read_text()))))
