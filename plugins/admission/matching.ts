/** Whether a policy, a binding or a webhook is about a request. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  Failure,
  JsonObject,
  ResourceIndex,
  ResourceModule,
  Result,
} from '../../runtime/contract/index.js';
import { getOwn, isArray, isObject, isStringArray, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { everything, type LabelSelector, labelSelectorOf } from '../../runtime/objects/selectors/labels.js';
import { notFound } from '../../runtime/objects/status.js';
import { isNamespaces, namespaceOf } from './admission-request.js';

/** The match of a class of requests: all that can be known without the request itself. */
export interface ClassMatch {
  readonly match: MatchResources;
  /** Absent where everything is meant. */
  readonly rules: readonly MatchedRule[] | undefined;
  readonly exclude: readonly MatchedRule[];
}

/** Narrows to a class of requests; `undefined` where nothing in it is meant. */
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

/** Resolves to the version in which objects are meant, or to nothing where the request is not meant. */
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

/** Either state of an object may be the one that is selected. */
function selectsObject(selector: LabelSelector, { operation, object, oldObject }: AdmissionAttributes): boolean {
  if (selector.everything) return true;
  // Options have no labels, and not even none.
  if (operation === 'CONNECT') return false;
  return [object, oldObject].some((one) => one !== undefined && selector.matches(one.metadata.labels ?? {}));
}

/** An object in no namespace is never left out for that. A namespace that is written is matched by its new labels. */
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

/** The part of a request that rules match, except its name: the same for all requests of a resource and operation. */
export interface RequestClass {
  readonly operation: string;
  readonly resource: ResourceModule;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** A rule that is about a class of requests, and the version in which it wants to see their objects. */
interface MatchedRule {
  readonly resource: ResourceModule;
  /** Empty for all names. */
  readonly names: readonly string[];
}

/**
 * The rules that are about a class of requests, in the order in which they count: those that name the resource itself
 * before those that name it in another version, which only count where the same objects in other versions do.
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

/** The first rule that counts for a request of the class. */
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

/** `undefined` where it is about the request. */
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
  if (!isAbout({ match: anywhere, rules, exclude })) return 'its rules are not about such names';
  return isAbout({ match: anyObject, rules, exclude })
    ? 'its objectSelector does not select the object'
    : 'its namespaceSelector does not select the namespace';
}

/** A rule of which requests something is about. `*` stands for all. */
export interface ResourceRule {
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  /** As in `pods`, `pods/status`, `*` and `pods/*`. */
  readonly resources: readonly string[];
  readonly scope: string;
  /** Empty for all names. */
  readonly resourceNames: readonly string[];
}

/** Which requests a policy, a binding or a webhook is about. */
export interface MatchResources {
  /** Empty for all that a binding's policy is about. */
  readonly rules: readonly ResourceRule[];
  readonly exclude: readonly ResourceRule[];
  /** Whether rules are also about the same objects in other versions. */
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

/** The selector at a key; one that is not there selects all, and so does one that nothing could have stored. */
export function selectorAt(parent: JsonObject | undefined, key: string): LabelSelector {
  const selector = objectAt(parent, key);
  const read = selector === undefined ? undefined : labelSelectorOf(selector);
  return read?.ok ? read.value : everything;
}

export function stringsAt(parent: JsonObject | undefined, key: string): readonly string[] {
  const list = parent === undefined ? undefined : getOwn(parent, key);
  return isArray(list) && isStringArray(list) ? list : [];
}

/** The items of a list, each read as an object, so that places stay right. */
export function itemsAt(parent: JsonObject | undefined, key: string): readonly JsonObject[] {
  const list = parent === undefined ? undefined : getOwn(parent, key);
  return isArray(list) ? list.map((item) => (isObject(item) ? item : {})) : [];
}
