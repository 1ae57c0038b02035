/** Empties namespaces that are being deleted, and lets them go once nothing is left in them. */
import { type ApiObjectLike, createResourceClient, defineResource, type ResourceClient } from '../../client/index.js';
import { type ControllerContext, defineController } from '../kit/define-controller.js';
import { ignoreNotFound } from '../kit/ignore-not-found.js';
import { watch } from '../kit/watch.js';
import { type Condition, conditionsOf, isEmpty } from './conditions.js';
import { empty } from './empty.js';

interface Namespace extends ApiObjectLike {
  spec?: { finalizers?: string[] };
  status?: { phase?: string; conditions?: Condition[] };
}

const namespaces = defineResource<Namespace>()({
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  scope: 'Cluster',
  subresources: ['finalize', 'status'],
} as const);

type Namespaces = ResourceClient<Namespace, unknown, 'finalize' | 'status'>;

/** The finalizer that stands for the contents of a namespace. */
const contentsFinalizer = 'kubernetes';

/** Pauses before a namespace that still holds objects is looked at again, milliseconds: longer, the longer it takes. */
const recheckMs = { shortest: 500, longest: 8000, shareOfAge: 0.25 };

/** A key is the name of a namespace. */
export const namespace = defineController({
  name: 'namespace',
  watches: [watch(namespaces)],
  workers: 10,
  async reconcile(name, context) {
    const { client, cacheOf, queue, clock, signal } = context;
    const known = cacheOf(namespaces).get(name);
    if (known === undefined || !waitsForContents(known)) return;
    const all = createResourceClient(namespaces, client);
    const found = await all.get(name, { signal }).catch(ignoreNotFound);
    if (found === undefined || !waitsForContents(found)) return;
    const remainder = await empty(name, client, signal);
    const now = `${new Date(clock.wallMs()).toISOString().slice(0, 19)}Z`;
    const telling = tell(all, found, conditionsOf(remainder, found.status?.conditions ?? [], now), context);
    if (isEmpty(remainder)) {
      // A full disk refuses conditions, but lets namespaces go.
      await finalize(all, await telling.catch(() => found), signal);
      return;
    }
    await telling;
    queue.addAfter(name, pauseFor(found, clock.wallMs()));
  },
});

const waitsForContents = ({ metadata, spec }: Namespace): boolean =>
  metadata.deletionTimestamp !== undefined && (spec?.finalizers ?? []).includes(contentsFinalizer);

function pauseFor({ metadata }: Namespace, now: number): number {
  const ageMs = now - Date.parse(metadata.deletionTimestamp ?? '');
  const { shortest, longest, shareOfAge } = recheckMs;
  return Math.min(Math.max(ageMs * shareOfAge, shortest), longest);
}

/** Writes the conditions where they are other ones than before. */
async function tell(
  all: Namespaces,
  namespace: Namespace,
  conditions: Condition[],
  { signal }: ControllerContext,
): Promise<Namespace> {
  if (isSame(conditions, namespace.status?.conditions ?? [])) return namespace;
  const told = { ...namespace, status: { ...namespace.status, conditions } };
  return all.subresource('status').update(told, { signal });
}

const isSame = (a: readonly Condition[], b: readonly Condition[]): boolean =>
  a.length === b.length &&
  a.every((one, i) => {
    const other = b[i];
    return (
      one.type === other?.type &&
      one.status === other.status &&
      one.reason === other.reason &&
      one.message === other.message
    );
  });

/** Takes the finalizer of the contents off; the namespace goes when no other is left. */
async function finalize(all: Namespaces, namespace: Namespace, signal: AbortSignal): Promise<void> {
  const finalizers = (namespace.spec?.finalizers ?? []).filter((finalizer) => finalizer !== contentsFinalizer);
  const finalized = { ...namespace, spec: { ...namespace.spec, finalizers } };
  await all.subresource('finalize').update(finalized, { signal }).catch(ignoreNotFound);
}
