/** ResourceQuota: its amounts and scopes, and its columns. */
import { defineResourceQuotaHandlers } from '../../generated/core/v1/resourcequotas/handlers.js';
import type {
  ResourceQuotaSpec,
  ResourceQuotaStatus,
  ScopedResourceSelectorRequirement,
} from '../../generated/types/core/v1/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue, required, stringList } from '../../runtime/objects/field-error.js';
import { getOwn } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { byCodePoint } from '../../runtime/objects/printing.js';
import {
  amountErrors,
  amountsOf,
  isQuotaResource,
  quotaNameErrors,
  type ResourceNames,
  resourceNamesOf,
  roundUpAmounts,
} from '../shared/resources.js';

/** Requests and limits of pods. Every scope but `BestEffort` can count them. */
const computeNames: ReadonlySet<string> = new Set(
  ['', 'requests.', 'limits.'].flatMap((prefix) => [`${prefix}cpu`, `${prefix}memory`]),
);

/** Scopes that an object matches or not, without values. */
const plainScopes: ReadonlySet<string> = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'CrossNamespacePodAffinity',
]);

const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

/** Returns the rule about operators of plain scopes. Releases call the operator by different words. */
const existsOnly = (operator: 'Exist' | 'Exists'): string =>
  `must be '${operator}' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ` +
  'ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity';

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

const isScope = (scope: string): boolean => plainScopes.has(scope) || scope === 'PriorityClass';

function counts(scope: string, resource: string): boolean {
  if (!isScope(scope) || resource === 'pods') return true;
  return scope !== 'BestEffort' && computeNames.has(resource);
}

/** Returns the resources of the platform that a quota limits. */
const resourcesOf = ({ hard = {} }: Draft<ResourceQuotaSpec>): readonly string[] =>
  Object.keys(hard).sort(byCodePoint).filter(isQuotaResource);

const conflicts = (scopes: readonly string[]): number =>
  opposites.filter((pair) => pair.every((scope) => scopes.includes(scope))).length;

/** Checks the scopes of a quota. */
function scopeErrors(spec: Draft<ResourceQuotaSpec>, field: string): readonly FieldError[] {
  const { scopes = [] } = spec;
  const resources = resourcesOf(spec);
  const printed = stringList(scopes, '[]core.ResourceQuotaScope');
  const problems = scopes.flatMap((scope) => [
    ...(isScope(scope) ? [] : ['unsupported scope']),
    ...resources.filter((name) => !counts(scope, name)).map(() => 'unsupported scope applied to resource'),
  ]);
  const conflicting = Array.from({ length: conflicts(scopes) }, () => 'conflicting scopes');
  return [...problems, ...conflicting].map((problem) => invalidValue(field, printed, problem));
}

/** Checks the conditions on scopes; their errors share the path `field`. */
function scopeSelectorErrors(spec: Draft<ResourceQuotaSpec>, field: string): readonly FieldError[] {
  const selector = spec.scopeSelector;
  const conditions = selector?.matchExpressions ?? [];
  const resources = resourcesOf(spec);
  const errors = conditions.flatMap((condition) => {
    const { scopeName: scope = '' } = condition;
    const uncounted = resources.filter((name) => !counts(scope, name));
    return [
      ...(isScope(scope) ? [] : [invalidValue(`${field}.scopeName`, scope, 'unsupported scope')]),
      ...uncounted.map(() => invalidValue(field, selector, 'unsupported scope applied to resource')),
      ...operatorErrors(condition, field),
    ];
  });
  const scopes = conditions.map(({ scopeName = '' }) => scopeName);
  const conflicting = Array.from({ length: conflicts(scopes) }, () =>
    invalidValue(field, stringList([]), 'conflicting scopes'),
  );
  return [...errors, ...conflicting];
}

/** Scopes without values allow only the operator `Exists`. */
function operatorErrors(condition: Draft<ScopedResourceSelectorRequirement>, field: string): readonly FieldError[] {
  const { scopeName = '', operator = '', values = [] } = condition;
  const plain = plainScopes.has(scopeName) && operator !== 'Exists';
  return [
    ...(plain ? [invalidValue(`${field}.operator`, operator, existsOnly('Exist'), existsOnly('Exists'))] : []),
    ...valueErrors(operator, values, field),
  ];
}

/** Operators that compare have values; others have none. */
function valueErrors(operator: string, values: readonly string[], field: string): readonly FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn': {
      const needed = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      return values.length > 0 ? [] : [required(`${field}.values`, needed)];
    }
    case 'Exists':
    case 'DoesNotExist': {
      const refused = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      return values.length === 0 ? [] : [invalidValue(`${field}.values`, stringList(values), refused)];
    }
    default:
      return [invalidValue(`${field}.operator`, operator, 'not a valid selector operator')];
  }
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

/** Each amount is of a resource that quotas can limit. */
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

/** The scopes never change, except in their order. */
function scopeChangeErrors(scopes: readonly string[], before: readonly string[]): readonly FieldError[] {
  if (scopes.every((scope) => before.includes(scope)) && before.every((scope) => scopes.includes(scope))) return [];
  return [invalidValue('spec.scopes', stringList(scopes, '[]core.ResourceQuotaScope'), 'field is immutable')];
}

/** Prints usage as in `pods: 3/10, secrets: 0/5`. */
const usageText = ({ hard = {}, used = {} }: Status, isShown: (name: string) => boolean): string =>
  Object.entries(hard)
    .filter(([name]) => isShown(name))
    .sort(([a], [b]) => byCodePoint(a, b))
    .map(([name, limit]) => `${name}: ${getOwn(used, name) || '0'}/${limit}`)
    .join(', ');
