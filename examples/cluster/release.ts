/** Releases an application to the Kubernetes cluster of a kubeconfig, with the generated client. */
import { createClient } from 'kindforge';
import { isConflict, isNotFound } from 'kindforge/client';
import { loadConnection } from 'kindforge/client/node';

const kubeconfig = loadConnection();
const api = createClient({ kubeconfig, naming: 'kubernetes', timeoutMs: 30_000 });
const mine = { fieldManager: 'release' };
const namespace = 'kindforge-release';

await api.core.v1.namespaces.apply({ metadata: { name: namespace } }, mine);
const deployments = api.apps.v1.deployments.in(namespace);

const labels = { app: 'web' };
const containers = [{ name: 'web', image: 'registry.k8s.io/pause:3.9' }];
const spec = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } };
const released = await deployments.apply({ metadata: { name: 'web', labels }, spec: { ...spec, replicas: 2 } }, mine);
console.log(`released ${released.apiVersion} ${released.kind} ${released.metadata.name}`);

await deployments.patch('web', { spec: { replicas: 3 } }, { fieldManager: 'scaler' });
try {
  await deployments.apply({ metadata: { name: 'web' }, spec: { ...spec, replicas: 2 } }, mine);
} catch (error) {
  if (!isConflict(error)) throw error;
  console.log(`somebody else decides on ${error.status.details?.causes?.map(({ field }) => field).join(', ')}`);
}

for await (const { metadata, spec } of api.apps.v1.deployments.each({ labelSelector: 'app=web' })) {
  console.log(`${metadata.namespace}/${metadata.name} wants ${spec?.replicas}`);
}
const rights = { resource: 'deployments', group: 'apps', verb: 'create', namespace };
const review = await api.authorization.v1.selfSubjectAccessReviews.create({
  metadata: {},
  spec: { resourceAttributes: rights },
});
console.log(`may release again: ${review.status?.allowed}`);

await deployments.delete('web');
await api.core.v1.namespaces.delete(namespace);
const gone = await deployments.get('web').catch((error: unknown) => isNotFound(error));
console.log(gone === true ? 'and is gone' : 'and goes');
await kubeconfig.close();
