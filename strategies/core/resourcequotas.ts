/** ResourceQuota: its amounts and scopes, and the columns that show how much is used. */
import { defineResourceQuotaHandlers } from '../../generated/core/v1/resourcequotas/handlers.js';
import type { ResourceQuotaSpec, ResourceQuotaStatus } from '../../generated/types/core/v1/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue, stringList } from '../../runtime/objects/field-error.js';
import { getOwn } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { byCodePoint } from '../../runtime/objects/printing.js';
import { amountErrors, amountsOf, roundUpAmounts } from '../shared/resource-list.js';
import { quotaNameErrors, type ResourceNames, resourceNamesOf } from '../shared/resource-names.js';
import { scopeErrors, scopeSelectorErrors } from './quota-scopes.js';

type Spec = Draft<ResourceQuotaSpec>;
type Status = Draft<ResourceQuotaStatus>;

export function defineResourceQuotas(names: Naming): KindHandlers {
  const resources = resourceNamesOf(names);
  return defineResourceQuotaHandlers({
    canonicalize({ spec, status }) {
      roundUpAmounts(spec?.hard);
      roundUpAmounts(status?.hard);
      roundUpAmounts(status?.used);
    },
    validate: ({ spec = {}, status = {} }, { subresource }) =>
      subresource === 'status' ? statusErrors(status, resources) : specErrors(spec, resources),
    validateUpdate: ({ spec }, old) => scopeChangeErrors(spec?.scopes ?? [], old.spec?.scopes ?? []),
    columns: {
      Limit: ({ status = {} }) => usageText(status, (name) => name.startsWith('limits.')),
      Request: ({ status = {} }) => usageText(status, (name) => !name.startsWith('limits.')),
    },
  });
}

const specErrors = (spec: Spec, resources: ResourceNames): readonly FieldError[] => [
  ...listErrors(spec.hard, 'spec.hard', resources),
  ...scopeErrors(spec, 'spec.scopes'),
  ...scopeSelectorErrors(spec, 'spec.scopeSelector.matchExpressions'),
];

const statusErrors = ({ hard, used }: Status, resources: ResourceNames): readonly FieldError[] => [
  ...listErrors(hard, 'status.hard', resources),
  ...listErrors(used, 'status.used', resources),
];

/** Each amount is of a resource that quotas can be about. */
function listErrors(list: Spec['hard'] = {}, path: string, resources: ResourceNames): readonly FieldError[] {
  const amounts = amountsOf(list);
  return Object.keys(list).flatMap((name) => {
    const field = `${path}[${name}]`;
    const amount = amounts.get(name);
    return [
      ...quotaNameErrors(name, field),
      ...(amount === undefined ? [] : amountErrors(name, amount, field, resources)),
    ];
  });
}

/** The scopes stay, whatever their order. */
function scopeChangeErrors(scopes: readonly string[], before: readonly string[]): readonly FieldError[] {
  if (scopes.every((scope) => before.includes(scope)) && before.every((scope) => scopes.includes(scope))) return [];
  return [invalidValue('spec.scopes', stringList(scopes, '[]core.ResourceQuotaScope'), 'field is immutable')];
}

/** As in `pods: 3/10, secrets: 0/5`. */
const usageText = ({ hard = {}, used = {} }: Status, isShown: (name: string) => boolean): string =>
  Object.entries(hard)
    .filter(([name]) => isShown(name))
    .sort(([a], [b]) => byCodePoint(a, b))
    .map(([name, limit]) => `${name}: ${getOwn(used, name) || '0'}/${limit}`)
    .join(', ');
