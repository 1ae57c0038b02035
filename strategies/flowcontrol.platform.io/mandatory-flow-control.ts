/** The flow schemas and priority levels that every server has and nobody can change. */
import type {
  FlowSchemaCondition,
  FlowSchemaSpec,
  PolicyRulesWithSubjects,
  PriorityLevelConfigurationSpec,
} from '../../generated/types/flowcontrol/v1/types.js';
import type { Draft, FieldError, JsonObject, ObjectMeta } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';

/** Returns a rule for all requests of some groups, to resources and other paths. */
const everythingOf = (...groups: string[]): Draft<PolicyRulesWithSubjects> => ({
  subjects: groups.map((name) => ({ kind: 'Group', group: { name } })),
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
});

/** Requests of administrators never wait. Requests that match no other schema come last. */
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

/** The level without a limit, and the level for all other requests. */
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

/** An object with a spec, of either kind. */
interface Specified<T> {
  readonly metadata: ObjectMeta;
  readonly spec?: T | undefined;
}

/** Returns the error of an object with the name of a mandatory one but another spec. */
export function fixedSpecErrors<T extends JsonObject>(
  { metadata: { name = '' }, spec }: Specified<T>,
  fixed: ReadonlyMap<string, T>,
): readonly FieldError[] {
  const wanted = fixed.get(name);
  if (wanted === undefined || equal(spec, wanted)) return [];
  return [invalidValue('spec', spec, `spec of '${name}' must equal the fixed value`)];
}

/** Checks the conditions of a flow schema or priority level. */
export const flowConditionErrors = (conditions: readonly Draft<FlowSchemaCondition>[] = []): readonly FieldError[] =>
  conditions.flatMap(({ type }, i) => (type ? [] : [required(`status.conditions[${i}].type`, 'must not be empty')]));
