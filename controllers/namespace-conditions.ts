/** The conditions that say why a namespace that is deleted is still there. */
import type { Remainder } from './empty.js';

/** A condition of a namespace. */
export interface Condition {
  type: string;
  status: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

interface Row {
  readonly type: string;
  /** Reason and message as long as all is well. */
  readonly fine: readonly [reason: string, message: string];
  readonly reason: string;
  /** The message where something is not well. */
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

/** The conditions that follow from what is left; those that say the same as before stay as they are. */
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

/** Whether nothing is left, and nothing went wrong. */
export const isEmpty = (remainder: Remainder): boolean => rows.every(({ problem }) => problem(remainder) === undefined);
