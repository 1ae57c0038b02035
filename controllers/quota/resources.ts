/** Quotas as the controller reads and writes them, and the resources that they count. */
import { type ApiObjectLike, type DiscoveredResource, defineResource } from '../../client/index.js';
import type { Evaluator } from '../../runtime/objects/quota/evaluator.js';
import type { Evaluators } from '../../runtime/objects/quota/evaluators.js';

export interface ResourceQuota extends ApiObjectLike {
  spec?: { hard?: Record<string, string>; scopes?: string[]; scopeSelector?: object };
  status?: { hard?: Record<string, string>; used?: Record<string, string> };
}

export const quotas = defineResource<ResourceQuota>()({
  group: '',
  version: 'v1',
  plural: 'resourcequotas',
  kind: 'ResourceQuota',
  scope: 'Namespaced',
  subresources: ['status'],
} as const);

/** A resource of the server, and how its objects are counted. */
export interface CountedResource {
  readonly resource: DiscoveredResource;
  readonly evaluator: Evaluator;
}

const needed: readonly string[] = ['create', 'delete', 'list', 'watch'];

/** Returns the resources that quotas can limit. */
export const countedAmong = (resources: readonly DiscoveredResource[], evaluators: Evaluators): CountedResource[] =>
  resources.flatMap((resource) => {
    const { group, plural, scope, verbs } = resource;
    if (scope !== 'Namespaced' || !needed.every((verb) => verbs.includes(verb))) return [];
    const evaluator = evaluators(group, plural);
    return evaluator ? [{ resource, evaluator }] : [];
  });
