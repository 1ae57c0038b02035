/** PriorityClass: the highest user priority, system names, and immutable fields. */
import { definePriorityClassHandlers } from '../../generated/scheduling.platform.io/v1/priorityclasses/handlers.js';
import type { PriorityClass } from '../../generated/scheduling.platform.io/v1/priorityclasses/types.js';
import type { DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { forbidden, invalidValue } from '../../runtime/objects/field-error.js';

/** Only system classes have this prefix. */
const systemPriorityPrefix = 'system-';

interface SystemPriorityClass {
  readonly name: string;
  readonly value: number;
  readonly description: string;
}

/** The system classes, which cannot be deleted. */
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
    // There is only one generation: the fields that would change it are immutable.
    prepareForCreate({ metadata }) {
      metadata.generation = 1;
    },
    // Name and value never change, so they are checked once.
    updateChecks: ['metadata changes', 'field changes'],
    errorOrder: ['metadata.name', 'value', 'preemptionPolicy'],
    validateCreate: nameErrors,
    validateUpdate: changeErrors,
  });

/** System names are for system classes, and so are the highest priorities. */
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

/** A system class must be as the system makes it. */
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
