/** Reads an audit policy from a file. */
import { decodeYaml } from '../../runtime/codec/yaml/yaml.js';
import type {
  AccessAttributes,
  AuditDecision,
  AuditLevel,
  AuditPolicy,
  AuditStage,
  AuthorizationAttributes,
  JsonObject,
  JsonValue,
} from '../../runtime/contract/index.js';
import { getOwn, isArray, isObject, isStringArray } from '../../runtime/objects/guards.js';
import { memoize } from '../../runtime/objects/memoize.js';
import { kubernetesNaming } from '../../runtime/objects/names/naming.js';
import { didYouMean } from '../../runtime/objects/suggest.js';
import { fullName, type Rule, type RuleResources, ruleMatches } from './policy-rule.js';

/** A policy, or all its problems, each with its path. */
export type AuditPolicyResult =
  | { readonly ok: true; readonly policy: AuditPolicy }
  | { readonly ok: false; readonly problems: readonly string[] };

const levels: readonly AuditLevel[] = ['None', 'Metadata', 'Request', 'RequestResponse'];
const stages: readonly AuditStage[] = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'];

/** Both names of the format are accepted, whichever naming is served. */
const apiVersions: readonly string[] = ['audit.k8s.io/v1', 'audit.platform.io/v1'];

const policyFields = ['apiVersion', 'kind', 'metadata', 'rules', 'omitStages', 'omitManagedFields'];
const resourceFields = ['group', 'resources', 'resourceNames'];
const ruleFields = [
  'level',
  'users',
  'userGroups',
  'verbs',
  'resources',
  'namespaces',
  'nonResourceURLs',
  'omitStages',
  'omitManagedFields',
];

/** Reads a policy in YAML or JSON. */
export function readAuditPolicy(bytes: Uint8Array): AuditPolicyResult {
  const decoded = decodeYaml(bytes);
  if (!decoded.ok) return { ok: false, problems: [decoded.problem] };
  const problems = decoded.remarks.map(String);
  const refuse: Refuse = (path, problem) => void problems.push(`${path}: ${problem}`);
  const rules = readRules(decoded.value, refuse);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, policy: definePolicy(rules) };
}

type Refuse = (path: string, problem: string) => void;

function readRules(value: JsonValue, refuse: Refuse): readonly Rule[] {
  if (!isObject(value)) {
    refuse('policy', 'not an object');
    return [];
  }
  if (value.kind !== 'Policy' || typeof value.apiVersion !== 'string' || !apiVersions.includes(value.apiVersion)) {
    refuse('apiVersion', `begin the policy with apiVersion: ${apiVersions[0]} and kind: Policy`);
  }
  refuseUnknown(value, policyFields, '', refuse);
  const omitStages = readStages(value, '', refuse);
  const omitManagedFields = readBoolean(value, 'omitManagedFields', '', refuse) ?? false;
  const rules = readList(value, 'rules', '', refuse);
  if (rules.length === 0) refuse('rules', 'a policy without rules records nothing; give one, such as level: Metadata');
  return rules.map((rule, i) => readRule(rule, `rules[${i}].`, { omitStages, omitManagedFields }, refuse));
}

/** Settings of a policy that its rules inherit. */
interface Inherited {
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

function readRule(value: JsonObject, path: string, inherited: Inherited, refuse: Refuse): Rule {
  refuseUnknown(value, ruleFields, path, refuse);
  const texts = (field: string): readonly string[] => readTexts(value, field, path, refuse);
  const resources = readList(value, 'resources', path, refuse).map((one, i) =>
    readResources(one, `${path}resources[${i}].`, refuse),
  );
  const nonResourceURLs = texts('nonResourceURLs');
  const namespaces = texts('namespaces');
  for (const [i, url] of nonResourceURLs.entries()) checkUrl(url, `${path}nonResourceURLs[${i}]`, refuse);
  if (nonResourceURLs.length > 0 && resources.length + namespaces.length > 0) {
    refuse(`${path}nonResourceURLs`, 'must not be beside resources or namespaces; make two rules');
  }
  return {
    level: readLevel(value, path, refuse),
    users: texts('users'),
    userGroups: texts('userGroups'),
    verbs: texts('verbs'),
    resources,
    namespaces,
    nonResourceURLs,
    omitStages: new Set([...inherited.omitStages, ...readStages(value, path, refuse)]),
    omitManagedFields: readBoolean(value, 'omitManagedFields', path, refuse) ?? inherited.omitManagedFields,
  };
}

function readResources(value: JsonObject, path: string, refuse: Refuse): RuleResources {
  refuseUnknown(value, resourceFields, path, refuse);
  const group = value.group ?? '';
  if (typeof group !== 'string') refuse(`${path}group`, 'not text');
  const resources = readTexts(value, 'resources', path, refuse);
  const resourceNames = readTexts(value, 'resourceNames', path, refuse);
  if (resourceNames.length > 0 && resources.length === 0) {
    refuse(`${path}resourceNames`, 'must not be without resources; add the resources of these names');
  }
  if (typeof group === 'string' && group.includes('/')) {
    refuse(`${path}group`, `${JSON.stringify(group)} has a version; leave it out`);
  }
  return { group: commonName(String(group)), resources, resourceNames };
}

function readLevel(value: JsonObject, path: string, refuse: Refuse): AuditLevel {
  const level = levels.find((one) => one === value.level);
  if (level === undefined) refuse(`${path}level`, oneOf(value.level, levels));
  return level ?? 'None';
}

function readStages(value: JsonObject, path: string, refuse: Refuse): readonly AuditStage[] {
  return readTexts(value, 'omitStages', path, refuse).flatMap((text, i) => {
    const stage = stages.find((one) => one === text);
    if (stage === undefined) refuse(`${path}omitStages[${i}]`, oneOf(text, stages));
    return stage ?? [];
  });
}

function oneOf(written: JsonValue | undefined, known: readonly string[]): string {
  if (written === undefined) return `missing; use ${known.join(', ')}`;
  const guess = typeof written === 'string' ? didYouMean(written, known) : undefined;
  return `${JSON.stringify(written)} is unknown; ${guess ?? `use ${known.join(', ')}`}`;
}

function checkUrl(url: string, path: string, refuse: Refuse): void {
  if (url !== '*' && !url.startsWith('/')) refuse(path, `${JSON.stringify(url)}: must begin with a slash`);
  if (url.slice(0, -1).includes('*')) refuse(path, `${JSON.stringify(url)}: may have a star only at its end`);
}

function refuseUnknown(value: JsonObject, known: readonly string[], path: string, refuse: Refuse): void {
  for (const field of Object.keys(value)) {
    if (known.includes(field)) continue;
    refuse(`${path}${field}`, `unknown field; ${didYouMean(field, known) ?? `use ${known.join(', ')}`}`);
  }
}

function readTexts(value: JsonObject, field: string, path: string, refuse: Refuse): readonly string[] {
  const texts = getOwn(value, field) ?? [];
  if (isStringArray(texts)) return texts;
  refuse(`${path}${field}`, 'not a list of texts');
  return [];
}

function readList(value: JsonObject, field: string, path: string, refuse: Refuse): readonly JsonObject[] {
  const list = getOwn(value, field) ?? [];
  if (isArray(list) && list.every(isObject)) return list.filter(isObject);
  refuse(`${path}${field}`, 'not a list of objects');
  return [];
}

function readBoolean(value: JsonObject, field: string, path: string, refuse: Refuse): boolean | undefined {
  const found = getOwn(value, field) ?? undefined;
  if (found === undefined || typeof found === 'boolean') return found;
  refuse(`${path}${field}`, 'not true or false');
  return undefined;
}

const nothing: AuditDecision = { level: 'None', omitStages: new Set(), omitManagedFields: false, omitToken: false };

/** Creates the policy. Rules are tried in order; their groups have Kubernetes names. */
function definePolicy(rules: readonly Rule[]): AuditPolicy {
  const decisions = rules.map(
    ({ level, omitStages, omitManagedFields }): AuditDecision => ({
      level,
      omitStages,
      omitManagedFields,
      omitToken: false,
    }),
  );
  return { decide: (attributes) => decide(rules, decisions, attributes) };
}

function decide(
  rules: readonly Rule[],
  decisions: readonly AuditDecision[],
  attributes: AccessAttributes,
): AuditDecision {
  const at = rules.findIndex((rule) => ruleMatches(rule, attributes, commonName));
  const [rule, decision] = [rules[at], decisions[at]];
  if (!rule || !decision) return nothing;
  return keepSecrets(decision, rule, attributes, 'path' in attributes ? '' : commonName(attributes.group));
}

/** Returns the Kubernetes name of a group, whichever name the server or the policy uses. */
const commonName = memoize((group) => kubernetesNaming.rename(group));

// Some resources have secret bodies. The server records these only if a rule names the resource word for word.

/** Rules are compared by Kubernetes group names. */
const authenticationGroup = 'authentication.k8s.io';

const tokenRequest = 'serviceaccounts/token';

/**
 * Keeps secrets out of a decision. Only a rule that names the resource records bodies of secrets, token reviews and
 * token requests. Any other rule for the core group records token requests without the token.
 */
function keepSecrets(decision: AuditDecision, rule: Rule, attributes: AccessAttributes, group: string): AuditDecision {
  if (decision.level === 'None' || decision.level === 'Metadata' || 'path' in attributes) return decision;
  const secret = secretName(attributes, group);
  if (secret === undefined || names(rule, group, secret)) return decision;
  const ofGroup = rule.resources.some((one) => one.group === group);
  if (secret === tokenRequest && ofGroup) return { ...decision, omitToken: true };
  return { ...decision, level: 'Metadata' };
}

/** Returns the resource that a rule must name, or `undefined` if bodies of this resource are not secret. */
function secretName({ resource, subresource = '' }: AuthorizationAttributes, group: string): string | undefined {
  if (group === authenticationGroup) return resource === 'tokenreviews' ? resource : undefined;
  if (group !== '') return undefined;
  if (resource === 'secrets') return fullName(resource, subresource);
  return fullName(resource, subresource) === tokenRequest ? tokenRequest : undefined;
}

const names = ({ resources }: Rule, group: string, name: string): boolean =>
  resources.some((one) => one.group === group && one.resources.includes(name));
