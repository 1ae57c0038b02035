/** Rules of flow schemas: the subjects that send requests, and the resources and paths of these. */
import type {
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
} from '../../generated/types/flowcontrol/v1beta3/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { invalidValue, notSupported, required, stringList } from '../../runtime/objects/field-error.js';
import { dns1123Label } from '../../runtime/objects/names/dns-names.js';
import { saysEverything, saysMoreThanEverything } from '../shared/wildcards.js';
import { flowSubjectErrors } from './subjects.js';

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'] as const;

/** Errors of one rule of a flow schema. */
export function flowRuleErrors(rule: Draft<PolicyRulesWithSubjects>, field: string): readonly FieldError[] {
  const { resourceRules = [], nonResourceRules: pathRules = [] } = rule;
  const subjects = rule.subjects ?? [];
  const nobody = 'subjects must contain at least one value';
  const nothing = 'at least one of resourceRules and nonResourceRules has to be non-empty';
  return [
    ...(subjects.length === 0 ? [required(`${field}.subjects`, nobody)] : []),
    ...subjects.flatMap((subject, i) => flowSubjectErrors(subject, `${field}.subjects[${i}]`)),
    ...(resourceRules.length === 0 && pathRules.length === 0 ? [required(field, nothing)] : []),
    ...resourceRules.flatMap((one, i) => resourceErrors(one, `${field}.resourceRules[${i}]`)),
    ...pathRules.flatMap((one, i) => pathErrors(one, `${field}.nonResourceRules[${i}]`)),
  ];
}

function resourceErrors(rule: Draft<ResourcePolicyRule>, field: string): readonly FieldError[] {
  const { apiGroups, resources } = rule;
  return [
    ...verbErrors(rule.verbs ?? [], `${field}.verbs`),
    ...listErrors(
      apiGroups ?? [],
      `${field}.apiGroups`,
      'resource rules must supply at least one api group',
      'api groups',
    ),
    ...listErrors(
      resources ?? [],
      `${field}.resources`,
      'resource rules must supply at least one resource',
      'resources',
    ),
    ...namespaceErrors(rule, `${field}.namespaces`),
  ];
}

function verbErrors(list: readonly string[], field: string): readonly FieldError[] {
  const errors = listErrors(list, field, 'verbs must contain at least one value', 'verbs');
  if (list.length === 0 || saysEverything(list)) return errors;
  return list.every((verb) => verbs.some((known) => known === verb))
    ? []
    : [notSupported(field, stringList(list), verbs)];
}

function listErrors(list: readonly string[], field: string, empty: string, what: string): readonly FieldError[] {
  if (list.length === 0) return [required(field, empty)];
  return saysMoreThanEverything(list) ? [besides(field, list, what)] : [];
}

const besides = (field: string, list: readonly string[], what: string): FieldError =>
  invalidValue(field, stringList(list), `if '*' is present, must not specify other ${what}`);

function namespaceErrors(
  { namespaces = [], clusterScope }: Draft<ResourcePolicyRule>,
  field: string,
): readonly FieldError[] {
  if (namespaces.length === 0 && !clusterScope) {
    return [required(field, 'resource rules that are not cluster scoped must supply at least one namespace')];
  }
  if (saysEverything(namespaces)) {
    return saysMoreThanEverything(namespaces) ? [besides(field, namespaces, 'namespaces')] : [];
  }
  const beginning = "each member of this list must be '*' or a DNS-1123 label; ";
  return namespaces.flatMap((namespace, i) =>
    dns1123Label(namespace).map((problem) => invalidValue(`${field}[${i}]`, namespace, beginning + problem)),
  );
}

function pathErrors(rule: Draft<NonResourcePolicyRule>, field: string): readonly FieldError[] {
  const paths = rule.nonResourceURLs ?? [];
  const at = `${field}.nonResourceURLs`;
  const empty = 'nonResourceURLs must contain at least one value';
  const found = listErrors(paths, at, empty, 'non-resource URLs');
  const each = saysEverything(paths)
    ? []
    : paths.flatMap((path, i) => {
        const problem = pathProblem(path);
        return problem === undefined ? [] : [invalidValue(`${at}[${i}]`, path, problem)];
      });
  return [...verbErrors(rule.verbs ?? [], `${field}.verbs`), ...found, ...each];
}

function pathProblem(path: string): string | undefined {
  if (path === '') return 'must not be empty';
  if (path === '/') return undefined;
  if (!path.startsWith('/')) return 'must start with slash';
  if (path.includes(' ')) return 'must not contain white-space';
  if (path.includes('//')) return 'must not contain double slash';
  const stars = path.split('*').length - 1;
  const fits = stars === 0 || (stars === 1 && path.endsWith('/*'));
  return fits ? undefined : 'wildcard can only do suffix matching';
}
