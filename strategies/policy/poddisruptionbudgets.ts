/** PodDisruptionBudget: its amounts, its status, and its columns. */
import { definePodDisruptionBudgetHandlers } from '../../generated/policy/v1/poddisruptionbudgets/handlers.js';
import type { PodDisruptionBudgetSpec } from '../../generated/types/policy/v1/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { checkedConditionFields, conditionErrors } from '../shared/conditions.js';
import { notNegativeFields, validateAtMostAll, validateIntOrPercent } from '../shared/counts.js';
import { validateLabelSelector } from '../shared/selectors.js';

const counts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const;

export const definePodDisruptionBudgets = (): KindHandlers =>
  definePodDisruptionBudgetHandlers({
    metadataChecks: 'last',
    updateChecks: ['fields'],
    subresourceChecks: ['fields'],
    errorOrder: [
      ...['spec.minAvailable', 'spec.maxUnavailable', 'spec.selector', 'spec.unhealthyPodEvictionPolicy'],
      ...checkedConditionFields('status.conditions'),
    ],
    validate: ({ spec, status }, { subresource }) =>
      subresource === 'status'
        ? [...conditionErrors(status?.conditions, 'status.conditions'), ...notNegativeFields(status, counts, 'status')]
        : specErrors(spec),
    columns: {
      'Min Available': ({ spec }) => String(spec?.minAvailable ?? 'N/A'),
      'Max Unavailable': ({ spec }) => String(spec?.maxUnavailable ?? 'N/A'),
    },
  });

function specErrors(spec: Draft<PodDisruptionBudgetSpec> = {}): readonly FieldError[] {
  const { minAvailable, maxUnavailable, selector } = spec;
  const hasBoth = minAvailable !== undefined && maxUnavailable !== undefined;
  return [
    ...(hasBoth ? [invalidValue('spec', spec, 'minAvailable and maxUnavailable cannot be both set')] : []),
    ...amountErrors(minAvailable, 'spec.minAvailable'),
    ...amountErrors(maxUnavailable, 'spec.maxUnavailable'),
    ...validateLabelSelector(selector, 'spec.selector'),
  ];
}

const amountErrors = (amount: number | string | undefined, path: string): readonly FieldError[] => [
  ...validateIntOrPercent(amount, path),
  ...validateAtMostAll(amount, path),
];
