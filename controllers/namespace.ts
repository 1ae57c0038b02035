/** Empties namespaces that are being deleted, and lets them go once nothing is left in them. */
import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  defineResource,
  discoverResources,
} from '../client/index.js';
import { defineController } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';

interface Namespace extends ApiObjectLike {
  spec?: { finalizers?: string[] };
}

const namespaces = defineResource<Namespace>()({
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  scope: 'Cluster',
  subresources: ['finalize'],
} as const);

/** The finalizer that stands for the contents of a namespace. */
const contentsFinalizer = 'kubernetes';

/** How long to wait before looking again at a namespace that still holds objects, milliseconds. */
const recheckMs = 1000;

/** A key is the name of a namespace. */
export const namespace = defineController({
  name: 'namespace',
  watches: [watch(namespaces)],
  workers: 10,
  async reconcile(name, { client, cacheOf, queue, signal }) {
    const known = cacheOf(namespaces).get(name);
    if (known === undefined || !waitsForContents(known)) return;
    const found = await createResourceClient(namespaces, client).get(name, { signal }).catch(ignoreNotFound);
    if (found === undefined || !waitsForContents(found)) return;
    if (await emptyOnce(client, name, signal)) await finalize(client, found, signal);
    else queue.addAfter(name, recheckMs);
  },
});

const waitsForContents = ({ metadata, spec }: Namespace): boolean =>
  metadata.deletionTimestamp !== undefined && (spec?.finalizers ?? []).includes(contentsFinalizer);

/** Deletes what the namespace holds; says whether nothing is left. */
async function emptyOnce(client: ClientOptions, namespace: string, signal: AbortSignal): Promise<boolean> {
  const resources = await discoverResources(client, signal);
  const held = resources.filter(({ scope, verbs }) => scope === 'Namespaced' && verbs.includes('deletecollection'));
  const left = await Promise.all(
    held.map(async (resource) => {
      const inside = createResourceClient(resource, client).in(namespace);
      await inside.deleteCollection({ propagationPolicy: 'Background', signal });
      return (await inside.list({ limit: 1, signal })).items.length;
    }),
  );
  return left.every((count) => count === 0);
}

/** Takes the finalizer of the contents off; the namespace goes when no other is left. */
async function finalize(client: ClientOptions, namespace: Namespace, signal: AbortSignal): Promise<void> {
  const finalizers = (namespace.spec?.finalizers ?? []).filter((finalizer) => finalizer !== contentsFinalizer);
  const finalized = { ...namespace, spec: { ...namespace.spec, finalizers } };
  await createResourceClient(namespaces, client).subresource('finalize').update(finalized, { signal });
}
