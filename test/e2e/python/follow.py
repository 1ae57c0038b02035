"""Watches: from the present state, from a version on, and until something has happened."""

import threading

from common import NAMESPACE, connect
from kubernetes import client, watch

api = connect()
core = client.CoreV1Api(api)


def create(name):
    core.create_namespaced_config_map(NAMESPACE, {"metadata": {"name": name, "labels": {"set": "watched"}}})


def changes(count, **options):
    """The next changes as they come, over as many watches as it takes."""
    seen = []
    watching = watch.Watch()
    for event in watching.stream(core.list_namespaced_config_map, NAMESPACE, label_selector="set=watched", **options):
        seen.append((event["type"], event["object"].metadata.name))
        if len(seen) == count:
            watching.stop()
    return seen


create("first")
assert changes(1) == [("ADDED", "first")]
version = core.list_namespaced_config_map(NAMESPACE).metadata.resource_version
create("second")
core.patch_namespaced_config_map("first", NAMESPACE, {"data": {"a": "1"}})
core.delete_namespaced_config_map("second", NAMESPACE)
expected = [("ADDED", "second"), ("MODIFIED", "first"), ("DELETED", "second")]
assert changes(3, resource_version=version) == expected

# The server ends each of these watches after a second; the client goes on from the last version that it saw.
later = threading.Timer(2.5, create, ["third"])
later.start()
version = core.list_namespaced_config_map(NAMESPACE).metadata.resource_version
seen = []
while not seen:
    watching = watch.Watch()
    options = {"label_selector": "set=watched", "resource_version": version, "timeout_seconds": 1}
    for event in watching.stream(core.list_namespaced_config_map, NAMESPACE, **options):
        seen.append((event["type"], event["object"].metadata.name))
later.join()
assert seen == [("ADDED", "third")], seen
