/** Rules of the scopes of quotas: which exclude each other, and which resources can be counted in them. */
import type { ResourceQuotaSpec, ScopedResourceSelectorRequirement } from '../../generated/types/core/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { invalidValue, required, stringList } from '../../runtime/objects/field-error.js';
import { byCodePoint } from '../../runtime/objects/printing.js';
import { isQuotaResource } from '../shared/resource-names.js';

/** Requests and limits of pods. All scopes can count them but the one of pods without any. */
const computeNames: ReadonlySet<string> = new Set(
  ['', 'requests.', 'limits.'].flatMap((prefix) => [`${prefix}cpu`, `${prefix}memory`]),
);

/** Scopes that either hold for an object or do not. */
const plainScopes: ReadonlySet<string> = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'CrossNamespacePodAffinity',
]);

const isScope = (scope: string): boolean => plainScopes.has(scope) || scope === 'PriorityClass';

const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

function counts(scope: string, resource: string): boolean {
  if (!isScope(scope) || resource === 'pods') return true;
  return scope !== 'BestEffort' && computeNames.has(resource);
}

/** The platform's own resources that a quota is about. */
const resourcesOf = ({ hard = {} }: Draft<ResourceQuotaSpec>): readonly string[] =>
  Object.keys(hard).sort(byCodePoint).filter(isQuotaResource);

const conflicts = (scopes: readonly string[]): number =>
  opposites.filter((pair) => pair.every((scope) => scopes.includes(scope))).length;

/** Errors of the scopes of a quota. */
export function scopeErrors(spec: Draft<ResourceQuotaSpec>, field: string): readonly FieldError[] {
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

/** Errors of the conditions on scopes; `field` is the path of the conditions, which the errors share. */
export function scopeSelectorErrors(spec: Draft<ResourceQuotaSpec>, field: string): readonly FieldError[] {
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

const existsOnly =
  "must be 'Exist' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, " +
  'ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity';

/** Scopes without values take no operator but `Exists`. */
function operatorErrors(condition: Draft<ScopedResourceSelectorRequirement>, field: string): readonly FieldError[] {
  const { scopeName = '', operator = '', values = [] } = condition;
  const plain = plainScopes.has(scopeName) && operator !== 'Exists';
  return [
    ...(plain ? [invalidValue(`${field}.operator`, operator, existsOnly)] : []),
    ...valueErrors(operator, values, field),
  ];
}

/** Operators that compare have values, the others none. */
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
