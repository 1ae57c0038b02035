"""Handles kinds that are found by discovery, and custom objects, with patches of each type."""

from common import NAMESPACE, connect, refused
from kubernetes import client, dynamic

GROUP = "shop.example.com"

api = connect()
found = dynamic.DynamicClient(api)
widgets = found.resources.get(api_version=f"{GROUP}/v1", kind="Widget")
assert (widgets.name, widgets.namespaced, widgets.short_names) == ("widgets", True, ["wd"])


def widget(name, **spec):
    return {"apiVersion": f"{GROUP}/v1", "kind": "Widget", "metadata": {"name": name}, "spec": spec}


created = widgets.create(body=widget("any", size="small"), namespace=NAMESPACE)
assert created.spec.count == 1
changes = [
    ("application/merge-patch+json", {"spec": {"count": 2}}),
    ("application/json-patch+json", [{"op": "add", "path": "/spec/colours", "value": ["red"]}]),
]
for content_type, change in changes:
    widgets.patch(name="any", namespace=NAMESPACE, body=change, content_type=content_type)
patched = widgets.get(name="any", namespace=NAMESPACE)
assert (patched.spec.count, patched.spec.colours) == (2, ["red"])
for event in widgets.watch(namespace=NAMESPACE, timeout=5):
    assert (event["type"], event["object"].metadata.name) == ("ADDED", "any")
    break
assert [each.metadata.name for each in widgets.get(namespace=NAMESPACE).items] == ["any"]
widgets.delete(name="any", namespace=NAMESPACE)
try:
    widgets.get(name="any", namespace=NAMESPACE)
    raise AssertionError("still there")
except dynamic.exceptions.NotFoundError:
    pass

nodes = found.resources.get(api_version="v1", kind="Node")
nodes.create(body={"metadata": {"name": "n1"}})
assert nodes.get(name="n1").kind == "Node"

custom = client.CustomObjectsApi(api)
place = (GROUP, "v1", NAMESPACE, "widgets")
custom.create_namespaced_custom_object(*place, widget("custom", size="large"))
assert custom.get_namespaced_custom_object(*place, "custom")["spec"] == {"size": "large", "count": 1}
change = {"spec": {"count": 7}}
assert custom.patch_namespaced_custom_object(*place, "custom", change)["spec"]["count"] == 7
bad = widget("bad", size="huge")
status = refused(422, "Invalid", lambda: custom.create_namespaced_custom_object(*place, bad))
assert status["details"]["causes"][0]["field"] == "spec.size"
assert len(custom.list_namespaced_custom_object(*place)["items"]) == 1
custom.delete_namespaced_custom_object(*place, "custom")
