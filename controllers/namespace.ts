/** Empties namespaces that are being deleted, and lets them go once nothing is left in them. */
import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  defineResource,
  discoverResources,
  follow,
  isConflict,
  isNotFound,
} from '../client/index.js';
import { sleep } from './sleep.js';

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

/** Options of the controller. */
export interface NamespaceControllerOptions {
  readonly client: ClientOptions;
  /** Ends the controller. */
  readonly signal: AbortSignal;
  /** Told of what went wrong with a namespace; it is tried again. */
  readonly onError?: (namespace: string, error: unknown) => void;
}

/** Runs until the signal ends it. */
export async function runNamespaceController(options: NamespaceControllerOptions): Promise<void> {
  const { client, signal } = options;
  const underWay = new Map<string, Promise<void>>();
  for await (const change of follow(createResourceClient(namespaces, client), { signal })) {
    if (change.type === 'synced' || change.type === 'removed') continue;
    const { name } = change.object.metadata;
    if (name === undefined || underWay.has(name) || !waitsForContents(change.object)) continue;
    underWay.set(
      name,
      emptyUntilFinalized(options, name).finally(() => underWay.delete(name)),
    );
  }
  await Promise.all(underWay.values());
}

const waitsForContents = ({ metadata, spec }: Namespace): boolean =>
  metadata.deletionTimestamp !== undefined && (spec?.finalizers ?? []).includes(contentsFinalizer);

async function emptyUntilFinalized(options: NamespaceControllerOptions, name: string): Promise<void> {
  const { client, signal, onError } = options;
  const resource = createResourceClient(namespaces, client);
  while (!signal.aborted) {
    try {
      const namespace = await resource.get(name, { signal }).catch(undefinedWhereNotFound);
      if (namespace === undefined || !waitsForContents(namespace)) return;
      if (await emptyOnce(options, name)) await finalize(options, namespace);
      else await sleep(recheckMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!isConflict(error)) onError?.(name, error);
      await sleep(recheckMs, signal);
    }
  }
}

function undefinedWhereNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

/** Deletes what the namespace holds; says whether nothing is left. */
async function emptyOnce({ client, signal }: NamespaceControllerOptions, namespace: string): Promise<boolean> {
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
async function finalize({ client, signal }: NamespaceControllerOptions, namespace: Namespace): Promise<void> {
  const finalizers = (namespace.spec?.finalizers ?? []).filter((finalizer) => finalizer !== contentsFinalizer);
  const finalized = { ...namespace, spec: { ...namespace.spec, finalizers } };
  await createResourceClient(namespaces, client).subresource('finalize').update(finalized, { signal });
}
