"""Orders a widget, changes it in three ways, and follows its changes."""

import json
import sys

from kubernetes import config, dynamic

client = dynamic.DynamicClient(config.new_client_from_config(sys.argv[1]))
widgets = client.resources.get(api_version="shop.example.com/v1", kind="Widget")
door = {"name": "door", "namespace": "default"}


def widget(**spec):
    return {"apiVersion": "shop.example.com/v1", "kind": "Widget", "metadata": {"name": "door"}, "spec": spec}


created = widgets.create(namespace="default", body=widget(size="large"))
print("created", created.spec.size, created.spec.count)
print("listed", *[each.metadata.name for each in widgets.get(namespace="default").items])

change = {"spec": {"count": 2}}
patched = widgets.patch(**door, body=change, content_type="application/merge-patch+json")
print("patched", patched.spec.count)

# From then on, these fields belong to "painter". Version 22.6 of the client sends this body only as text.
red = json.dumps(widget(size="large", colours=["red"]))
applied = widgets.server_side_apply(**door, body=red, field_manager="painter")
print("applied", *applied.spec.colours)

made = widgets.status.patch(**door, body={"status": {"made": 1}}, content_type="application/merge-patch+json")
print("made", made.status.made)

try:
    widgets.replace(namespace="default", body={**made.to_dict(), "spec": {"size": "small"}})
except dynamic.exceptions.DynamicApiError as error:
    print("refused", error.status, json.loads(error.body)["details"]["causes"][0]["field"])

widgets.delete(**door)
for event in widgets.watch(namespace="default", resource_version=created.metadata.resourceVersion, timeout=10):
    print("seen", event["type"], event["object"].spec.count)
    if event["type"] == "DELETED":
        break
