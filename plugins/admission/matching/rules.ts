/** Whether requests are among those that rules speak of. */
import type { AdmissionAttributes, ResourceIndex, ResourceModule } from '../../../runtime/contract/index.js';
import type { ResourceRule } from './match-resources.js';

/** The part of a request that rules match, except its name: the same for all requests of a resource and operation. */
export interface RequestClass {
  readonly operation: string;
  readonly resource: ResourceModule;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** A rule that is about a class of requests, and the version in which it wants to see their objects. */
export interface MatchedRule {
  readonly resource: ResourceModule;
  /** Empty for all names. */
  readonly names: readonly string[];
}

/**
 * The rules that are about a class of requests, in the order in which they count: those that name the resource itself
 * before those that name it in another version, which only count where the same objects in other versions do.
 */
export function matchedRules(
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
export function ruleFor(rules: readonly MatchedRule[], { name }: AdmissionAttributes): MatchedRule | undefined {
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
