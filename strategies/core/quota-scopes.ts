/** Scopes of quotas: which there are, which exclude each other, and which resources can be counted in them. */
import type { FieldError, JsonObject } from '../../runtime/contract/index.js';
import { invalidValue, required, stringList } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { byCodePoint } from '../../runtime/objects/printing.js';
import { objectsAt, textsAt } from '../shared/reading.js';
import { isQuotaResource } from '../shared/resource-names.js';

/** What a pod asks for, which all scopes can count but that of pods that ask for nothing. */
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
const resourcesOf = (spec: JsonObject): readonly string[] =>
  Object.keys(objectAt(spec, 'hard') ?? {})
    .sort(byCodePoint)
    .filter(isQuotaResource);

const conflicts = (scopes: readonly string[]): number =>
  opposites.filter((pair) => pair.every((scope) => scopes.includes(scope))).length;

/** What is wrong with the scopes of a quota. */
export function scopeErrors(spec: JsonObject, field: string): readonly FieldError[] {
  const scopes = textsAt(spec, 'scopes');
  const resources = resourcesOf(spec);
  const printed = stringList(scopes, '[]core.ResourceQuotaScope');
  const problems = scopes.flatMap((scope) => [
    ...(isScope(scope) ? [] : ['unsupported scope']),
    ...resources.filter((name) => !counts(scope, name)).map(() => 'unsupported scope applied to resource'),
  ]);
  const conflicting = Array.from({ length: conflicts(scopes) }, () => 'conflicting scopes');
  return [...problems, ...conflicting].map((problem) => invalidValue(field, printed, problem));
}

/** What is wrong with the conditions on scopes; `field` is the path of the conditions, which the errors share. */
export function scopeSelectorErrors(spec: JsonObject, field: string): readonly FieldError[] {
  const selector = objectAt(spec, 'scopeSelector');
  const conditions = objectsAt(selector, 'matchExpressions');
  const resources = resourcesOf(spec);
  const errors = conditions.flatMap((condition) => {
    const scope = stringAt(condition, 'scopeName');
    const unfit = resources.filter((name) => !counts(scope, name));
    return [
      ...(isScope(scope) ? [] : [invalidValue(`${field}.scopeName`, scope, 'unsupported scope')]),
      ...unfit.map(() => invalidValue(field, selector, 'unsupported scope applied to resource')),
      ...operatorErrors(condition, scope, field),
    ];
  });
  const scopes = conditions.map((condition) => stringAt(condition, 'scopeName'));
  const conflicting = Array.from({ length: conflicts(scopes) }, () =>
    invalidValue(field, stringList([]), 'conflicting scopes'),
  );
  return [...errors, ...conflicting];
}

const existsOnly =
  "must be 'Exist' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, " +
  'ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity';

function operatorErrors(condition: JsonObject, scope: string, field: string): readonly FieldError[] {
  const operator = stringAt(condition, 'operator');
  const plain = plainScopes.has(scope) && operator !== 'Exists';
  return [
    ...(plain ? [invalidValue(`${field}.operator`, operator, existsOnly)] : []),
    ...valueErrors(operator, textsAt(condition, 'values'), field),
  ];
}

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
