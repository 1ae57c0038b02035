/** Whether a policy, a binding or a webhook is about a request. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  Failure,
  ResourceIndex,
  ResourceModule,
  Result,
} from '../../../runtime/contract/index.js';
import type { LabelSelector } from '../../../runtime/objects/selectors/labels.js';
import { notFound } from '../../../runtime/objects/status.js';
import type { MatchResources } from './match-resources.js';
import { isNamespaces, namespaceOf } from './request.js';
import { type MatchedRule, matchedRules, type RequestClass, ruleFor } from './rules.js';

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
