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

/** What the controller is told. */
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
    if (name === undefined || change.object.metadata.deletionTimestamp === undefined || underWay.has(name)) continue;
    underWay.set(
      name,
      emptyUntilGone(options, name).finally(() => underWay.delete(name)),
    );
  }
  await Promise.all(underWay.values());
}

async function emptyUntilGone(options: NamespaceControllerOptions, name: string): Promise<void> {
  while (!options.signal.aborted) {
    try {
      if ((await emptyOnce(options, name)) && (await finalize(options, name))) return;
    } catch (error) {
      if (isNotFound(error) || options.signal.aborted) return;
      if (!isConflict(error)) options.onError?.(name, error);
    }
    await sleep(recheckMs, options.signal);
  }
}

/** Deletes what the namespace holds; says whether nothing is left. */
async function emptyOnce({ client, signal }: NamespaceControllerOptions, namespace: string): Promise<boolean> {
  const resources = await discoverResources(client, signal);
  const held = resources.filter(({ scope, verbs }) => scope === 'Namespaced' && verbs.includes('deletecollection'));
  const left = await Promise.all(
    held.map(async (resource) => {
      const inside = createResourceClient(resource, client).in(namespace);
      await inside.deleteCollection({ signal });
      return (await inside.list({ limit: 1, signal })).items.length;
    }),
  );
  return left.every((count) => count === 0);
}

/** Takes the namespace's own finalizer off; it goes when no other is left. */
async function finalize({ client, signal }: NamespaceControllerOptions, name: string): Promise<boolean> {
  const resource = createResourceClient(namespaces, client);
  const namespace = await resource.get(name, { signal });
  const finalizers = (namespace.spec?.finalizers ?? []).filter((finalizer) => finalizer !== contentsFinalizer);
  await resource.subresource('finalize').update({ ...namespace, spec: { ...namespace.spec, finalizers } }, { signal });
  return finalizers.length === 0;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
