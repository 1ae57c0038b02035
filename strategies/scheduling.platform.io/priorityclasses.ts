/** PriorityClass: the highest priority of users, the names of the system, and the fields that cannot be changed. */
import { definePriorityClassHandlers } from '../../generated/scheduling.platform.io/v1/priorityclasses/handlers.js';
import type { PriorityClass } from '../../generated/scheduling.platform.io/v1/priorityclasses/types.js';
import type { DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { forbidden, invalidValue } from '../../runtime/objects/field-error.js';

/** The prefix of the names of these classes, and of no others. */
const systemPriorityPrefix = 'system-';

/** A class as the system makes it. */
interface SystemPriorityClass {
  readonly name: string;
  readonly value: number;
  readonly description: string;
}

/** The classes, which cannot be deleted. */
export const systemPriorityClasses: readonly SystemPriorityClass[] = [
  {
    name: 'system-node-critical',
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  {
    name: 'system-cluster-critical',
    value: 2_000_000_000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
];

type PriorityClassDraft = DraftObject<PriorityClass>;

const maxPriority = 1_000_000_000;

export const definePriorityClasses = (): KindHandlers =>
  definePriorityClassHandlers({
    // The first generation is the only one: the fields that would make another cannot be changed.
    prepareForCreate({ metadata }) {
      metadata.generation = 1;
    },
    // Name and value cannot be changed, and so are checked once.
    checkedOnce: true,
    errorOrder: ['metadata.name', 'value', 'preemptionPolicy'],
    validateCreate: nameErrors,
    validateUpdate: changeErrors,
  });

/** Names of the system are for its own classes, and the highest priorities for those names. */
function nameErrors(priorityClass: PriorityClassDraft): readonly FieldError[] {
  const { name = '' } = priorityClass.metadata;
  if (!name.startsWith(systemPriorityPrefix)) {
    if ((priorityClass.value ?? 0) <= maxPriority) return [];
    return [forbidden('value', `maximum allowed value of a user defined priority is ${maxPriority}`)];
  }
  const problem = systemProblem(priorityClass, name);
  if (problem === undefined) return [];
  const rule = `priority class names with '${systemPriorityPrefix}' prefix are reserved for system use only.`;
  return [forbidden('metadata.name', `${rule} error: ${problem}`)];
}

/** The system's own classes are as the system makes them. */
function systemProblem({ value = 0, globalDefault }: PriorityClassDraft, name: string): string | undefined {
  const known = systemPriorityClasses.find((one) => one.name === name);
  if (known === undefined) return `${name} is not a known system priority class`;
  if (value !== known.value) return `value of ${name} PriorityClass must be ${known.value}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

/** Value and preemption policy cannot be changed. */
function changeErrors(priorityClass: PriorityClassDraft, old: PriorityClassDraft): readonly FieldError[] {
  const { value = 0, preemptionPolicy: policy = '' } = priorityClass;
  return [
    ...(value === (old.value ?? 0) ? [] : [forbidden('value', 'may not be changed in an update.')]),
    ...(policy === (old.preemptionPolicy ?? '')
      ? []
      : [invalidValue('preemptionPolicy', policy, 'field is immutable')]),
  ];
}
