/** The specs of the flow schemas and priority levels that every server has, and that cannot be changed. */
import type {
  FlowSchemaSpec,
  PolicyRulesWithSubjects,
  PriorityLevelConfigurationSpec,
} from '../../generated/types/flowcontrol/v1beta3/types.js';
import type { Draft } from '../../runtime/contract/index.js';

/** All requests of these groups, to resources and to other paths. */
const everythingOf = (...groups: string[]): Draft<PolicyRulesWithSubjects> => ({
  subjects: groups.map((name) => ({ kind: 'Group', group: { name } })),
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
});

/** Requests of administrators never wait; requests that match no other schema go last. */
export const mandatoryFlowSchemas: ReadonlyMap<string, Draft<FlowSchemaSpec>> = new Map<string, Draft<FlowSchemaSpec>>([
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

/** The level without a limit, and the level for requests that have no other. */
export const mandatoryPriorityLevels: ReadonlyMap<string, Draft<PriorityLevelConfigurationSpec>> = new Map<
  string,
  Draft<PriorityLevelConfigurationSpec>
>([
  ['exempt', { type: 'Exempt' }],
  [
    'catch-all',
    {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 },
    },
  ],
]);
