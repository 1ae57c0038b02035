/** The specs of the flow schemas and priority levels that every server has, and has so and not otherwise. */
import type { JsonObject } from '../../runtime/contract/index.js';

/** All requests of these groups, about resources or not. */
const everythingOf = (...groups: string[]): JsonObject => ({
  subjects: groups.map((name) => ({ kind: 'Group', group: { name } })),
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
});

/** Requests of administrators are never held up, and requests that no other schema fits go last. */
export const mandatoryFlowSchemas: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  [
    'exempt',
    {
      priorityLevelConfiguration: { name: 'exempt' },
      matchingPrecedence: 1,
      rules: [everythingOf('system:masters')],
    },
  ],
  [
    'catch-all',
    {
      priorityLevelConfiguration: { name: 'catch-all' },
      matchingPrecedence: 10000,
      distinguisherMethod: { type: 'ByUser' },
      rules: [everythingOf('system:unauthenticated', 'system:authenticated')],
    },
  ],
]);

/** The level that nothing is bounded by, and the one for what has no other. */
export const mandatoryPriorityLevels: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['exempt', { type: 'Exempt' }],
  [
    'catch-all',
    {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 },
    },
  ],
]);
