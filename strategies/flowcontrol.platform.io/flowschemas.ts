/** FlowSchema: the requests that it selects, and its columns. */
import { defineFlowSchemaHandlers } from '../../generated/flowcontrol.platform.io/v1beta3/flowschemas/handlers.js';
import type { FlowSchema } from '../../generated/flowcontrol.platform.io/v1beta3/flowschemas/types.js';
import type {
  FlowDistinguisherMethod,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  ServiceAccountSubject,
  Subject,
} from '../../generated/types/flowcontrol/v1/types.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import {
  forbidden,
  invalidValue,
  notSupported,
  required,
  stringList,
  Verbatim,
} from '../../runtime/objects/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import { quote } from '../../runtime/objects/printing.js';
import { saysEverything, saysMoreThanEverything } from '../shared/field-checks.js';
import { fixedSpecErrors, flowConditionErrors, mandatoryFlowSchemas } from './mandatory-flow-control.js';

/** The field of each kind of subject, in the order in which misplaced fields are reported. */
const fields = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;

/** The kinds in the order of messages. */
const kinds = ['Group', 'ServiceAccount', 'User'] as const;

/** A subject of any kind; only service accounts have a namespace. */
type Named = Draft<ServiceAccountSubject>;

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'] as const;

const methods = ['ByNamespace', 'ByUser'] as const;

type Schema = DraftObject<FlowSchema>;

export const defineFlowSchemas = (): KindHandlers =>
  defineFlowSchemaHandlers({
    updateChecks: ['metadata', 'fields'],
    errorOrder: ['status.conditions[]'],
    validate(schema, { subresource }) {
      const conditions = flowConditionErrors(schema.status?.conditions);
      if (subresource === 'status') return conditions;
      return [...specErrors(schema), ...fixedSpecErrors(schema, mandatoryFlowSchemas), ...conditions];
    },
    columns: {
      MatchingPrecedence: ({ spec }) => spec?.matchingPrecedence ?? 0,
      DistinguisherMethod: ({ spec }) => spec?.distinguisherMethod?.type || '<none>',
      MissingPL: dangling,
    },
  });

/** Checks one subject. */
function flowSubjectErrors(subject: Draft<Subject>, field: string): readonly FieldError[] {
  const kind = kinds.find((known) => known === subject.kind);
  if (kind === undefined) return [notSupported(`${field}.kind`, subject.kind ?? '', kinds)];
  const own = fields[kind];
  const outOfPlace = Object.entries(fields).filter(([other, name]) => other !== kind && subject[name] !== undefined);
  return [
    ...namedErrors(subject[own], kind, `${field}.${own}`),
    ...outOfPlace.map(([other, name]) =>
      forbidden(`${field}.${name}`, `${name} is forbidden when subject kind is not '${other}'`),
    ),
  ];
}

function namedErrors(named: Named | undefined, kind: keyof typeof fields, field: string): readonly FieldError[] {
  if (named === undefined) return [required(field, `${fields[kind]} is required when subject kind is '${kind}'`)];
  const { name = '', namespace = '' } = named;
  const nameless = name === '' ? [required(`${field}.name`)] : [];
  if (kind !== 'ServiceAccount') return nameless;
  const problems = name === '' || name === '*' ? [] : dns1123Subdomain(name);
  return [
    ...nameless,
    ...problems.map((problem) => invalidValue(`${field}.name`, name, problem)),
    ...accountNamespaceErrors(namespace, `${field}.namespace`),
  ];
}

function accountNamespaceErrors(namespace: string, field: string): readonly FieldError[] {
  if (namespace === '') return [required(field, 'must specify namespace for service account')];
  return dns1123Label(namespace).map((problem) => invalidValue(field, namespace, problem));
}

/** Checks one rule of a flow schema. */
function flowRuleErrors(rule: Draft<PolicyRulesWithSubjects>, field: string): readonly FieldError[] {
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

/** The only schema that may precede all others. */
const firstSchema = 'exempt';

function specErrors(schema: Schema): readonly FieldError[] {
  const { distinguisherMethod, priorityLevelConfiguration, rules = [] } = schema.spec ?? {};
  return [
    ...precedenceErrors(schema),
    ...methodErrors(distinguisherMethod),
    ...levelErrors(priorityLevelConfiguration?.name ?? ''),
    ...rules.flatMap((rule, i) => flowRuleErrors(rule, `spec.rules[${i}]`)),
  ];
}

function precedenceErrors({ metadata, spec }: Schema): readonly FieldError[] {
  if (spec?.matchingPrecedence !== 1 || metadata.name === firstSchema) return [];
  const rule = `only the schema named '${firstSchema}' may have matchingPrecedence 1`;
  return [invalidValue('spec.matchingPrecedence', 1, rule)];
}

function methodErrors(method: Draft<FlowDistinguisherMethod> | undefined): readonly FieldError[] {
  if (method === undefined) return [];
  const { type = '' } = method;
  if (methods.some((known) => known === type)) return [];
  const printed = new Verbatim(`flowcontrol.FlowDistinguisherMethod{Type:${quote(type)}}`);
  return [notSupported('spec.distinguisherMethod.type', printed, methods)];
}

function levelErrors(name: string): readonly FieldError[] {
  const field = 'spec.priorityLevelConfiguration.name';
  if (name === '') return [required(field, 'must reference a priority level')];
  return dns1123Subdomain(name).map((problem) => invalidValue(field, name, problem));
}

/** Returns the status of the condition that the priority level is missing; `?` without it. */
function dangling({ status }: Schema): string {
  return status?.conditions?.find(({ type }) => type === 'Dangling')?.status || '?';
}
