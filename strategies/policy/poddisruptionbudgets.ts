/** PodDisruptionBudget: the amounts that it may name, its state, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, JsonValue, Strategy } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { objectAt } from '../../runtime/objects/guards.js';
import { notNegativeFields } from '../shared/counts.js';
import { validateAtMostAll, validateIntOrPercent } from '../shared/int-or-percent.js';
import { validateLabelSelector } from '../shared/label-selector.js';

export function definePodDisruptionBudgetStrategy(): Strategy {
  return {
    kind: 'policy/PodDisruptionBudget',
    validate: (object, { subresource }) => (subresource === 'status' ? statusErrors(object) : specErrors(object)),
    cell(object, column) {
      const spec = specOf(object);
      if (column === 'Min Available') return amountText(spec?.minAvailable);
      return column === 'Max Unavailable' ? amountText(spec?.maxUnavailable) : undefined;
    },
  };
}

const specOf = (object: ApiObject): JsonObject | undefined => objectAt(object, 'spec');

function specErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object);
  const both = spec?.minAvailable !== undefined && spec.maxUnavailable !== undefined;
  return [
    ...(both ? [invalidValue('spec', spec, 'minAvailable and maxUnavailable cannot be both set')] : []),
    ...['minAvailable', 'maxUnavailable'].flatMap((field) => amountErrors(spec?.[field], `spec.${field}`)),
    ...validateLabelSelector(spec?.selector, 'spec.selector'),
  ];
}

const amountErrors = (amount: JsonValue | undefined, path: string): readonly FieldError[] => [
  ...validateIntOrPercent(amount, path),
  ...validateAtMostAll(amount, path),
];

const counts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const;

const statusErrors = (object: ApiObject): readonly FieldError[] =>
  notNegativeFields(objectAt(object, 'status'), counts, 'status');

const amountText = (amount: JsonValue | undefined): string =>
  typeof amount === 'number' || typeof amount === 'string' ? String(amount) : 'N/A';
