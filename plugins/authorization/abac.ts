/** Attribute-based access control (ABAC): allows what a policy file grants. */

import { decodeJson } from '../../runtime/codec/json.js';
import type {
  AccessAttributes,
  AccessDecision,
  AccessRules,
  Authorizer,
  JsonObject,
  JsonValue,
  UserInfo,
} from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { withoutTrailing } from '../../runtime/objects/scan/numbers.js';
import { didYouMean } from '../../runtime/objects/suggest.js';

const allowed: AccessDecision = { decision: 'allow' };
const unmatched: AccessDecision = { decision: 'no opinion', reason: 'No policy matched.' };

/** Creates an authorizer that allows whatever any of the policies grants. */
export function defineAbac(policies: readonly Policy[]): Authorizer {
  return {
    name: 'ABAC',
    decide: (attributes) => (policies.some((policy) => grants(policy, attributes)) ? allowed : unmatched),
    rules: (user, namespace) => rulesOf(policies, user, namespace),
  };
}

function rulesOf(policies: readonly Policy[], user: UserInfo, namespace: string): AccessRules {
  const own = policies.filter(
    (policy) => isFor(policy, user) && (policy.namespace === '*' || policy.namespace === namespace),
  );
  return {
    resourceRules: own
      .filter(({ resource }) => resource !== '')
      .map((policy) => ({ verbs: verbsOf(policy), apiGroups: [policy.apiGroup], resources: [policy.resource] })),
    nonResourceRules: own
      .filter(({ nonResourcePath }) => nonResourcePath !== '')
      .map((policy) => ({ verbs: verbsOf(policy), nonResourceURLs: [policy.nonResourcePath] })),
    incomplete: false,
  };
}

/** The policies of a file and warnings about it, or its first mistake. */
export type PolicyFileResult =
  | { readonly ok: true; readonly policies: readonly Policy[]; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads a policy file. `group` is the group of policies in the naming that is served. Ignores empty lines and lines
 * that begin with `#`.
 */
export function readPolicyFile(text: string, group: string): PolicyFileResult {
  const policies: Policy[] = [];
  let unversioned = 0;
  for (const [i, line] of text.split('\n').entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const read = readLine(trimmed, group);
    if (typeof read === 'string') return { ok: false, problem: `line ${i + 1}: ${read}` };
    if (read.unversioned) unversioned++;
    policies.push(read.policy);
  }
  const lines = unversioned === 1 ? '1 line' : `${unversioned} lines`;
  const warning = `${lines} without apiVersion and kind; write policies of ${group}/v1beta1 instead`;
  return { ok: true, policies, warnings: unversioned === 0 ? [] : [warning] };
}

interface ReadLine {
  readonly policy: Policy;
  readonly unversioned: boolean;
}

/** Returns the policy of a line, or its mistake. */
function readLine(line: string, group: string): ReadLine | string {
  const decoded = decodeJson(line);
  if (!decoded.ok) return `${decoded.problem}, at character ${decoded.offset + 1}`;
  const [repeated] = decoded.remarks;
  if (repeated) return String(repeated);
  if (!isObject(decoded.value)) return 'not a JSON object';
  const { apiVersion, kind, spec, ...rest } = decoded.value;
  if (apiVersion === undefined && kind === undefined) {
    const fields = readFields(decoded.value, unversionedFields);
    return typeof fields === 'string' ? fields : { policy: fromUnversioned(fields), unversioned: true };
  }
  if (apiVersion !== `${group}/v1beta1` || kind !== 'Policy') {
    return `${String(kind)} of ${String(apiVersion)} is unknown; use Policy of ${group}/v1beta1`;
  }
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return `${unknown}: unknown field; put the fields of the policy into spec`;
  if (!isObject(spec)) return 'spec: not an object';
  const fields = readFields(spec, versionedFields, 'spec.');
  return typeof fields === 'string' ? fields : { policy: fromVersioned(fields), unversioned: false };
}

type Fields = { -readonly [Name in keyof Policy]?: Policy[Name] };

const textFields = ['user', 'group', 'apiGroup', 'resource', 'namespace', 'nonResourcePath'] as const;
const versionedFields: readonly string[] = [...textFields, 'readonly'];
const unversionedFields: readonly string[] = ['user', 'group', 'resource', 'namespace', 'readonly'];

/**
 * Reads fields. Refuses unknown ones, because a policy without such a field (`readonly`, for example) would grant more.
 */
function readFields(value: JsonObject, known: readonly string[], path = ''): Fields | string {
  const unknown = Object.keys(value).find((field) => !known.includes(field));
  if (unknown !== undefined) {
    return `${path}${unknown}: unknown field; ${didYouMean(unknown, known) ?? `use ${known.join(', ')}`}`;
  }
  const fields: Fields = {};
  for (const field of textFields) {
    const text = value[field];
    if (typeof text === 'string') fields[field] = text;
    else if (isSet(text)) return `${path}${field}: not a string`;
  }
  const { readonly } = value;
  if (typeof readonly === 'boolean') fields.readonly = readonly;
  else if (isSet(readonly)) return `${path}readonly: not true or false`;
  return fields;
}

const isSet = (value: JsonValue | undefined): boolean => value !== undefined && value !== null;

const everyone = 'system:authenticated';
const all = '*';

/**
 * Reads a versioned policy. `*` as a user or group means all authenticated users; others need a policy of their own.
 */
function fromVersioned(fields: Fields): Policy {
  const { user = '', group = '', readonly = false, apiGroup = '', resource = '', namespace = '' } = fields;
  const { nonResourcePath = '' } = fields;
  const anyone = user === all || group === all;
  return { user, group: anyone ? everyone : group, readonly, apiGroup, resource, namespace, nonResourcePath };
}

/** Reads a policy of the old format, in which a missing field matches everything. */
function fromUnversioned({ user = '', group = '', readonly = false, resource = '', namespace = '' }: Fields): Policy {
  const anyone = (user === '' && group === '') || user === all || group === all;
  return {
    user,
    group: anyone ? everyone : group,
    readonly,
    apiGroup: all,
    resource: resource || all,
    namespace: namespace || all,
    nonResourcePath: resource === '' && namespace === '' ? all : '',
  };
}

/** A policy. `*` matches everything; an empty text matches nothing, or requests without that attribute. */
interface Policy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const readingVerbs: readonly string[] = ['get', 'list', 'watch'];

/** Returns the verbs that a policy grants. */
const verbsOf = (policy: Policy): readonly string[] => (policy.readonly ? readingVerbs : [all]);

/** Returns whether a policy grants a request. */
const grants = (policy: Policy, attributes: AccessAttributes): boolean =>
  isFor(policy, attributes.user) &&
  (!policy.readonly || readingVerbs.includes(attributes.verb)) &&
  ('path' in attributes ? coversPath(policy, attributes.path) : coversResource(policy, attributes));

/** Returns whether a policy applies to a user. If it names a user and a group, both must match. */
function isFor({ user, group }: Policy, { name, groups }: UserInfo): boolean {
  if (user === '' && group === '') return false;
  return (user === '' || user === all || user === name) && (group === '' || group === all || groups.includes(group));
}

/** Matches the resource. A right to a resource covers its subresources. */
const coversResource = (
  policy: Policy,
  { group, resource, namespace = '' }: Exclude<AccessAttributes, { path: string }>,
): boolean =>
  (policy.namespace === all || policy.namespace === namespace) &&
  (policy.resource === all || policy.resource === resource) &&
  (policy.apiGroup === all || policy.apiGroup === group);

const coversPath = ({ nonResourcePath: granted }: Policy, path: string): boolean =>
  granted === path || (granted.endsWith(all) && path.startsWith(withoutTrailing(granted, '*')));
