/** Rules that say which requests webhooks and policies match. */
import type { RuleWithOperations } from '../../generated/types/admissionregistration/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { invalidValue, notSupported, required, stringList } from '../../runtime/objects/field-error.js';
import { saysMoreThanEverything } from '../shared/field-checks.js';

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'] as const;
const scopes = ['*', 'Cluster', 'Namespaced'] as const;

/** Checks one rule. */
export function admissionRuleErrors(
  { operations: verbs = [], apiGroups = [], apiVersions = [], resources = [], scope }: Draft<RuleWithOperations>,
  field: string,
): readonly FieldError[] {
  return [
    ...operationErrors(verbs, `${field}.operations`),
    ...listErrors(apiGroups, `${field}.apiGroups`, 'API groups'),
    ...listErrors(apiVersions, `${field}.apiVersions`, 'API versions'),
    ...emptyErrors(apiVersions, `${field}.apiVersions`),
    ...resourceErrors(resources, `${field}.resources`),
    ...scopeErrors(scope, `${field}.scope`),
  ];
}

function operationErrors(list: readonly string[], field: string): readonly FieldError[] {
  const printed = stringList(list, '[]admissionregistration.OperationType');
  const besides = "if '*' is present, must not specify other operations";
  return [
    ...(list.length === 0 ? [required(field)] : []),
    ...(saysMoreThanEverything(list) ? [invalidValue(field, printed, besides)] : []),
    ...list.flatMap((operation, i) =>
      operations.some((known) => known === operation) ? [] : [notSupported(`${field}[${i}]`, operation, operations)],
    ),
  ];
}

function listErrors(list: readonly string[], field: string, what: string): readonly FieldError[] {
  if (list.length === 0) return [required(field)];
  if (!saysMoreThanEverything(list)) return [];
  return [invalidValue(field, stringList(list), `if '*' is present, must not specify other ${what}`)];
}

const emptyErrors = (list: readonly string[], field: string): readonly FieldError[] =>
  list.flatMap((item, i) => (item === '' ? [required(`${field}[${i}]`)] : []));

function scopeErrors(scope: string | undefined, field: string): readonly FieldError[] {
  if (scope === undefined || scopes.some((known) => known === scope)) return [];
  return [notSupported(field, scope, scopes)];
}

/** A resource may be listed once: no earlier entry with a wildcard may cover it or its subresource. */
function resourceErrors(resources: readonly string[], field: string): readonly FieldError[] {
  if (resources.length === 0) return [required(field)];
  const allBelow = new Set<string>();
  const belowAll = new Set<string>();
  const errors = resources.flatMap((text, i) => {
    if (text === '') return [required(`${field}[${i}]`)];
    const slash = text.indexOf('/');
    if (slash === -1) return [];
    const [resource, subresource] = [text.slice(0, slash), text.slice(slash + 1)];
    const covering = [
      ...(allBelow.has(resource) ? [`${resource}/*`] : []),
      ...(belowAll.has(subresource) ? [`*/${subresource}`] : []),
    ];
    if (subresource === '*') allBelow.add(resource);
    if (resource === '*') belowAll.add(subresource);
    return covering.map((other) =>
      invalidValue(`${field}[${i}]`, text, `if '${other}' is present, must not specify ${text}`),
    );
  });
  return [...errors, ...wholeErrors(resources, field)];
}

function wholeErrors(resources: readonly string[], field: string): readonly FieldError[] {
  const plain = resources.filter((text) => text !== '' && !text.includes('/'));
  const problems = [
    ...(resources.length > 1 && resources.includes('*/*')
      ? ["if '*/*' is present, must not specify other resources"]
      : []),
    ...(plain.includes('*') && plain.at(-1) !== '*'
      ? ["if '*' is present, must not specify other resources without subresources"]
      : []),
  ];
  return problems.map((problem) => invalidValue(field, stringList(resources), problem));
}
