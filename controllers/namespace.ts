/** Empties namespaces that are being deleted, and releases them once nothing is left in them. */
import { type ApiObjectLike, createResourceClient, defineResource, type ResourceClient } from '../client/index.js';
import type { Controller } from './controller.js';
import { empty, type Remainder } from './empty-namespace.js';
import { type ControllerContext, defineController } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';

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

/** The finalizer that holds a namespace while it has contents. */
const contentsFinalizer = 'kubernetes';

/**
 * Pauses before a namespace with objects is checked again, milliseconds. They grow with the time that the deletion
 * takes.
 */
const recheckMs = { shortest: 500, longest: 8000, shareOfAge: 0.25 };

/**
 * Returns the controller. A key is the name of a namespace. With `podsFirst`, keeps everything else until no pod is
 * left.
 */
export const defineNamespace = (podsFirst: boolean): Controller =>
  defineController({
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
      const remainder = await empty(name, podsFirst, client, signal);
      const now = `${new Date(clock.wallMs()).toISOString().slice(0, 19)}Z`;
      const telling = writeConditions(
        all,
        found,
        conditionsOf(remainder, found.status?.conditions ?? [], now),
        context,
      );
      if (isEmpty(remainder)) {
        // A full disk refuses conditions, but accepts deletions.
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

/** Writes the conditions if they have changed. */
async function writeConditions(
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

/** Removes the finalizer of the contents. The server removes the namespace when it has no other finalizer. */
async function finalize(all: Namespaces, namespace: Namespace, signal: AbortSignal): Promise<void> {
  const finalizers = (namespace.spec?.finalizers ?? []).filter((finalizer) => finalizer !== contentsFinalizer);
  const finalized = { ...namespace, spec: { ...namespace.spec, finalizers } };
  await all.subresource('finalize').update(finalized, { signal }).catch(ignoreNotFound);
}

interface Condition {
  type: string;
  status: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

interface Row {
  readonly type: string;
  /** Reason and message without a problem. */
  readonly fine: readonly [reason: string, message: string];
  readonly reason: string;
  /** Returns the message if there is a problem. */
  readonly problem: (remainder: Remainder) => string | undefined;
}

/** In the order in which they are written. */
const rows: readonly Row[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    fine: ['ResourcesDiscovered', 'All resources successfully discovered'],
    reason: 'DiscoveryFailed',
    problem: ({ undiscovered }) =>
      told(
        undiscovered,
        (all) =>
          `Discovery failed for some groups, ${undiscovered.length} failing: unable to retrieve the complete list of server APIs: ${all}`,
      ),
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    fine: ['ParsedGroupVersions', 'All legacy kube types successfully parsed'],
    reason: 'GroupVersionParsingFailed',
    problem: ({ malformed }) => told(malformed, (all) => `unexpected GroupVersion string: ${all}`),
  },
  {
    type: 'NamespaceDeletionContentFailure',
    fine: ['ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
    reason: 'ContentDeletionFailed',
    problem: ({ errors }) =>
      told(errors, (all) => `Failed to delete all resource types, ${errors.length} remaining: ${all}`),
  },
  {
    type: 'NamespaceContentRemaining',
    fine: ['ContentRemoved', 'All content successfully removed'],
    reason: 'SomeResourcesRemain',
    problem: ({ objects }) =>
      told(
        [...objects].map(([kind, number]) => `${kind} has ${number} resource instances`),
        (all) => `Some resources are remaining: ${all}`,
      ),
  },
  {
    type: 'NamespaceFinalizersRemaining',
    fine: ['ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
    reason: 'SomeFinalizersRemain',
    problem: ({ finalizers }) =>
      told(
        [...finalizers].map(([finalizer, number]) => `${finalizer} in ${number} resource instances`),
        (all) => `Some content in the namespace has finalizers remaining: ${all}`,
      ),
  },
];

const told = (parts: readonly string[], say: (all: string) => string): string | undefined =>
  parts.length === 0 ? undefined : say([...parts].sort().join(', '));

/** Returns the conditions for what is left. Unchanged conditions stay as they are. */
export function conditionsOf(remainder: Remainder, before: readonly Condition[], now: string): Condition[] {
  const types = new Set(rows.map(({ type }) => type));
  const others = before.filter(({ type }) => !types.has(type));
  return [
    ...others,
    ...rows.map((row) =>
      conditionOf(
        row,
        remainder,
        before.find(({ type }) => type === row.type),
        now,
      ),
    ),
  ];
}

function conditionOf(
  { type, fine, reason, problem }: Row,
  remainder: Remainder,
  before: Condition | undefined,
  now: string,
): Condition {
  const message = problem(remainder);
  const status = message === undefined ? 'False' : 'True';
  const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? now) : now;
  if (message === undefined) return { type, status, lastTransitionTime, reason: fine[0], message: fine[1] };
  return { type, status, lastTransitionTime, reason, message };
}

/** Returns whether nothing is left, and nothing failed. */
export const isEmpty = (remainder: Remainder): boolean => rows.every(({ problem }) => problem(remainder) === undefined);
