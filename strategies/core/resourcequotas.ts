/** ResourceQuota: which amounts and scopes fit together, and how tables show what is used. */
import type { ApiObject, FieldError, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { invalidValue, stringList } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { byCodePoint } from '../../runtime/objects/printing.js';
import { textsAt } from '../shared/reading.js';
import { amountErrors, amountsAt, roundUpAmounts } from '../shared/resource-list.js';
import { quotaNameErrors, type ResourceNames, resourceNamesOf } from '../shared/resource-names.js';
import { scopeErrors, scopeSelectorErrors } from './quota-scopes.js';

export function defineResourceQuotaStrategy(names: Naming): Strategy {
  const resources = resourceNamesOf(names);
  return {
    kind: 'ResourceQuota',
    canonicalize(object) {
      roundUpAmounts(objectAt(specOf(object), 'hard'));
      roundUpAmounts(objectAt(statusOf(object), 'hard'));
      roundUpAmounts(objectAt(statusOf(object), 'used'));
    },
    validate: (object, { subresource }) =>
      subresource === 'status' ? statusErrors(object, resources) : specErrors(object, resources),
    validateUpdate: (object, old) => scopeChangeErrors(object, old),
    cell: quotaCell,
  };
}

const specOf = (object: ApiObject): JsonObject | undefined => objectAt(object, 'spec');
const statusOf = (object: ApiObject): JsonObject | undefined => objectAt(object, 'status');

function specErrors(object: ApiObject, resources: ResourceNames): readonly FieldError[] {
  const spec = specOf(object) ?? {};
  return [
    ...hardErrors(spec, 'hard', 'spec', resources),
    ...scopeErrors(spec, 'spec.scopes'),
    ...scopeSelectorErrors(spec, 'spec.scopeSelector.matchExpressions'),
  ];
}

function statusErrors(object: ApiObject, resources: ResourceNames): readonly FieldError[] {
  const status = statusOf(object) ?? {};
  return ['hard', 'used'].flatMap((list) => hardErrors(status, list, 'status', resources));
}

function hardErrors(parent: JsonObject, list: string, path: string, resources: ResourceNames): readonly FieldError[] {
  const amounts = amountsAt(parent, list);
  return Object.keys(objectAt(parent, list) ?? {}).flatMap((name) => {
    const field = `${path}.${list}[${name}]`;
    const amount = amounts.get(name);
    return [
      ...quotaNameErrors(name, field),
      ...(amount === undefined ? [] : amountErrors(name, amount, field, resources)),
    ];
  });
}

/** What is counted stays what it was, whatever the order in which it is told. */
function scopeChangeErrors(object: ApiObject, old: ApiObject): readonly FieldError[] {
  const scopes = textsAt(specOf(object), 'scopes');
  const before = textsAt(specOf(old), 'scopes');
  if (scopes.every((scope) => before.includes(scope)) && before.every((scope) => scopes.includes(scope))) return [];
  return [invalidValue('spec.scopes', stringList(scopes, '[]core.ResourceQuotaScope'), 'field is immutable')];
}

const quotaCell: Strategy['cell'] = (object, column) => {
  if (column !== 'Request' && column !== 'Limit') return undefined;
  const status = statusOf(object);
  const [hard, used] = [objectAt(status, 'hard') ?? {}, objectAt(status, 'used')];
  return Object.keys(hard)
    .sort(byCodePoint)
    .filter((name) => name.startsWith('limits.') === (column === 'Limit'))
    .map((name) => `${name}: ${stringAt(used, name) || '0'}/${stringAt(hard, name)}`)
    .join(', ');
};
