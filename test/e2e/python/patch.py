"""Patches in the ways that the client knows: a list is a JSON patch, an object a strategic merge patch."""

from common import NAMESPACE, connect, refused
from kubernetes import client

api = connect()
apps = client.AppsV1Api(api)
labels = {"app": "patched"}
body = {
    "metadata": {"name": "patched"},
    "spec": {
        "selector": {"matchLabels": labels},
        "template": {
            "metadata": {"labels": labels},
            "spec": {"containers": [{"name": "front", "image": "a"}, {"name": "back", "image": "b"}]},
        },
    },
}
apps.create_namespaced_deployment(NAMESPACE, body)


def patch(change):
    return apps.patch_namespaced_deployment("patched", NAMESPACE, change)


def containers(deployment):
    return {each.name: each.image for each in deployment.spec.template.spec.containers}


def template(*changed):
    return {"spec": {"template": {"spec": {"containers": list(changed)}}}}


assert containers(patch(template({"name": "back", "image": "c"}))) == {"front": "a", "back": "c"}
assert containers(patch(template({"name": "back", "$patch": "delete"}))) == {"front": "a"}
assert patch([{"op": "replace", "path": "/spec/replicas", "value": 3}]).spec.replicas == 3
refused(422, "Invalid", lambda: patch([{"op": "test", "path": "/spec/replicas", "value": 4}]))
refused(422, "Invalid", lambda: patch({"spec": {"replicas": -1}}))
written = apps.patch_namespaced_deployment_status("patched", NAMESPACE, {"spec": {"replicas": 9}, "status": {"replicas": 2}})
assert (written.spec.replicas, written.status.replicas) == (3, 2)
assert apps.patch_namespaced_deployment_scale("patched", NAMESPACE, {"spec": {"replicas": 5}}).spec.replicas == 5
