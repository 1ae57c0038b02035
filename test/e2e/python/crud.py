"""Creates, reads, replaces, lists in pages and deletes, through the typed client."""

from common import NAMESPACE, connect, refused
from kubernetes import client

api = connect()
core = client.CoreV1Api(api)


def config_map(name, data=None, labels=None):
    return client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name, labels=labels), data=data)


created = core.create_namespaced_config_map(NAMESPACE, config_map("crud", {"a": "1"}))
assert created.metadata.uid and created.metadata.creation_timestamp.tzinfo is not None
read = core.read_namespaced_config_map("crud", NAMESPACE)
assert read.data == {"a": "1"}
read.data = {"b": "2"}
assert core.replace_namespaced_config_map("crud", NAMESPACE, read).data == {"b": "2"}
refused(409, "Conflict", lambda: core.replace_namespaced_config_map("crud", NAMESPACE, read))
refused(409, "AlreadyExists", lambda: core.create_namespaced_config_map(NAMESPACE, config_map("crud")))
status = refused(422, "Invalid", lambda: core.create_namespaced_config_map(NAMESPACE, config_map("A_b")))
assert status["details"]["causes"][0]["field"] == "metadata.name"
core.create_namespaced_config_map(NAMESPACE, config_map("dry"), dry_run="All")
refused(404, "NotFound", lambda: core.read_namespaced_config_map("dry", NAMESPACE))
assert core.delete_namespaced_config_map("crud", NAMESPACE).status == "Success"
refused(404, "NotFound", lambda: core.read_namespaced_config_map("crud", NAMESPACE))

for number in range(5):
    core.create_namespaced_config_map(NAMESPACE, config_map(f"page-{number}", labels={"set": "paged"}))
names, versions, token = [], set(), None
while True:
    page = core.list_namespaced_config_map(NAMESPACE, label_selector="set=paged", limit=2, _continue=token)
    names += [item.metadata.name for item in page.items]
    versions.add(page.metadata.resource_version)
    token = page.metadata._continue
    if not token:
        break
assert names == [f"page-{number}" for number in range(5)], names
assert len(versions) == 1, versions
core.delete_collection_namespaced_config_map(NAMESPACE, label_selector="set=paged")
assert core.list_namespaced_config_map(NAMESPACE, label_selector="set=paged").items == []

labels = {"app": "web"}
container = client.V1Container(name="main", image="example.com/web", ports=[client.V1ContainerPort(container_port=80)])
template = client.V1PodTemplateSpec(
    metadata=client.V1ObjectMeta(labels=labels), spec=client.V1PodSpec(containers=[container])
)
spec = client.V1DeploymentSpec(selector=client.V1LabelSelector(match_labels=labels), template=template)
apps = client.AppsV1Api(api)
web = apps.create_namespaced_deployment(
    NAMESPACE, client.V1Deployment(metadata=client.V1ObjectMeta(name="web"), spec=spec)
)
assert web.spec.replicas == 1 and web.spec.template.spec.containers[0].ports[0].protocol == "TCP"
scale = apps.read_namespaced_deployment_scale("web", NAMESPACE)
scale.spec.replicas = 4
assert apps.replace_namespaced_deployment_scale("web", NAMESPACE, scale).spec.replicas == 4
assert apps.read_namespaced_deployment("web", NAMESPACE).spec.replicas == 4

assert "apps" in [group.name for group in client.ApisApi(api).get_api_versions().groups]
assert client.VersionApi(api).get_code().minor == "27"
