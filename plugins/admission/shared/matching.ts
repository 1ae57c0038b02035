/** Decides whether a policy, a binding or a webhook applies to a request. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  Failure,
  JsonObject,
  ResourceIndex,
  ResourceModule,
  Result,
} from '../../../runtime/contract/index.js';
import { getOwn, isArray, isObject, isStringArray, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { everything, type LabelSelector, labelSelectorOf } from '../../../runtime/objects/selectors/labels.js';
import { notFound } from '../../../runtime/objects/status.js';
import { isNamespaces, namespaceOf } from './admission-request.js';

/** The result for a class of requests: all that is known without the request itself. */
export interface ClassMatch {
  readonly match: MatchResources;
  /** `undefined` if everything matches. */
  readonly rules: readonly MatchedRule[] | undefined;
  readonly exclude: readonly MatchedRule[];
}

/** Matches a class of requests; `undefined` if nothing in it can match. */
export function matchClass(
  match: MatchResources,
  request: RequestClass,
  resources: ResourceIndex,
): ClassMatch | undefined {
  const exclude = matchedRules(match.exclude, match.equivalent, request, resources);
  if (exclude.some(({ names }) => names.length === 0)) return undefined;
  if (match.rules.length === 0) return { match, rules: undefined, exclude };
  const rules = matchedRules(match.rules, match.equivalent, request, resources);
  return rules.length === 0 ? undefined : { match, rules, exclude };
}

/** Resolves to the version in which the rule wants the objects, or to `undefined` if the request does not match. */
export function matchRequest(
  { match, rules, exclude }: ClassMatch,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): Result<ResourceModule | undefined> {
  const none = { ok: true, value: undefined } as const;
  if (!selectsObject(match.objects, attributes)) return none;
  if (ruleFor(exclude, attributes)) return none;
  const rule = rules === undefined ? { resource: attributes.resource } : ruleFor(rules, attributes);
  if (!rule) return none;
  const selected = selectsNamespace(match.namespaces, attributes, context);
  if (typeof selected === 'object') return { ok: false, failure: selected };
  return selected ? { ok: true, value: rule.resource } : none;
}

/** Matches the selector against the new and the old object; either may match. */
function selectsObject(selector: LabelSelector, { operation, object, oldObject }: AdmissionAttributes): boolean {
  if (selector.everything) return true;
  // Options of a CONNECT have no labels, so no selector matches them.
  if (operation === 'CONNECT') return false;
  return [object, oldObject].some((one) => one !== undefined && selector.matches(one.metadata.labels ?? {}));
}

/**
 * Matches the namespace selector. Objects outside namespaces always match. A write of a namespace is matched by its new
 * labels.
 */
function selectsNamespace(
  selector: LabelSelector,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): boolean | Failure {
  const name = namespaceOf(attributes);
  if (selector.everything || (name === '' && !isNamespaces(attributes.resource))) return true;
  const { resource, subresource, operation, object } = attributes;
  const isWritten = isNamespaces(resource) && subresource === '' && operation !== 'DELETE';
  const namespace = isWritten ? object : context.get('', 'namespaces', '', name);
  if (!namespace) return notFound('', 'namespaces', name);
  return selector.matches(namespace.metadata.labels ?? {});
}

/** Everything that rules match except the name: it is the same for all requests of a resource and operation. */
export interface RequestClass {
  readonly operation: string;
  readonly resource: ResourceModule;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** A rule that matches a class of requests, and the version in which it wants their objects. */
interface MatchedRule {
  readonly resource: ResourceModule;
  /** An empty list matches all names. */
  readonly names: readonly string[];
}

/**
 * Returns the rules that match a class of requests, in order of precedence. Rules that name the resource itself come
 * first. Rules that name it in another version follow, if equivalent versions match.
 */
function matchedRules(
  rules: readonly ResourceRule[],
  equivalent: boolean,
  request: RequestClass,
  resources: ResourceIndex,
): readonly MatchedRule[] {
  const direct = rules.filter((rule) => speaksOf(rule, request));
  const matched = direct.map((rule) => ({ resource: request.resource, names: rule.resourceNames }));
  if (!equivalent) return matched;
  const others = resources.equivalents(request.resource).filter((other) => !isSame(other, request.resource));
  const indirect = rules.flatMap((rule) =>
    others
      .filter((resource) => speaksOf(rule, { ...request, resource }))
      .map((resource) => ({ resource, names: rule.resourceNames })),
  );
  return [...matched, ...indirect];
}

/** Returns the first rule that matches a request of the class. */
function ruleFor(rules: readonly MatchedRule[], { name }: AdmissionAttributes): MatchedRule | undefined {
  return rules.find(({ names }) => names.length === 0 || names.includes(name));
}

const isSame = (a: ResourceModule, b: ResourceModule): boolean =>
  a.group === b.group && a.version === b.version && a.names.plural === b.names.plural;

const includes = (words: readonly string[], word: string): boolean => words.includes('*') || words.includes(word);

function speaksOf(rule: ResourceRule, { operation, resource, subresource }: RequestClass): boolean {
  return (
    includes(rule.operations, operation) &&
    includes(rule.apiGroups, resource.group) &&
    includes(rule.apiVersions, resource.version) &&
    (rule.scope === '*' || rule.scope === resource.scope) &&
    rule.resources.some((text) => namesResource(text, resource.names.plural, subresource))
  );
}

function namesResource(text: string, plural: string, subresource: string): boolean {
  const slash = text.indexOf('/');
  const [wanted, wantedSub] = slash === -1 ? [text, ''] : [text.slice(0, slash), text.slice(slash + 1)];
  return (wanted === '*' || wanted === plural) && (wantedSub === '*' || wantedSub === subresource);
}

/** Returns why a request does not match, or `undefined` if it does. */
export function whyNot(
  { match, rules, exclude }: ClassMatch,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): string | undefined {
  const anyObject = { ...match, objects: everything };
  const anywhere = { ...anyObject, namespaces: everything };
  const isAbout = (one: ClassMatch): boolean => {
    const matched = matchRequest(one, attributes, context);
    return matched.ok && matched.value !== undefined;
  };
  if (isAbout({ match, rules, exclude })) return undefined;
  if (!isAbout({ match: anywhere, rules, exclude })) return 'its rules do not match the name';
  return isAbout({ match: anyObject, rules, exclude })
    ? 'its objectSelector does not select the object'
    : 'its namespaceSelector does not select the namespace';
}

/** A rule about requests. `*` matches everything. */
export interface ResourceRule {
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  /** As in `pods`, `pods/status`, `*` and `pods/*`. */
  readonly resources: readonly string[];
  readonly scope: string;
  /** An empty list matches all names. */
  readonly resourceNames: readonly string[];
}

/** The requests that a policy, a binding or a webhook applies to. */
export interface MatchResources {
  /** In a binding, an empty list matches everything that its policy matches. */
  readonly rules: readonly ResourceRule[];
  readonly exclude: readonly ResourceRule[];
  /** Whether rules also match the same objects in other versions. */
  readonly equivalent: boolean;
  readonly namespaces: LabelSelector;
  readonly objects: LabelSelector;
}

export const ruleOf = (rule: JsonObject): ResourceRule => ({
  operations: stringsAt(rule, 'operations'),
  apiGroups: stringsAt(rule, 'apiGroups'),
  apiVersions: stringsAt(rule, 'apiVersions'),
  resources: stringsAt(rule, 'resources'),
  scope: stringAt(rule, 'scope') || '*',
  resourceNames: stringsAt(rule, 'resourceNames'),
});

/**
 * Reads the selector at a key. A missing selector matches everything. So does a malformed one, but validation keeps
 * these out of the store.
 */
export function selectorAt(parent: JsonObject | undefined, key: string): LabelSelector {
  const selector = objectAt(parent, key);
  const read = selector === undefined ? undefined : labelSelectorOf(selector);
  return read?.ok ? read.value : everything;
}

export function stringsAt(parent: JsonObject | undefined, key: string): readonly string[] {
  const list = parent === undefined ? undefined : getOwn(parent, key);
  return isArray(list) && isStringArray(list) ? list : [];
}

/** Returns the items of a list. An item that is not an object is read as an empty one, so that positions stay right. */
export function itemsAt(parent: JsonObject | undefined, key: string): readonly JsonObject[] {
  const list = parent === undefined ? undefined : getOwn(parent, key);
  return isArray(list) ? list.map((item) => (isObject(item) ? item : {})) : [];
}
