/** SelfSubjectRulesReview: what the caller may do in a namespace, as far as it can be listed. */
import type { AccessRules, JsonObject, VirtualHandler } from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { badRequest } from '../../runtime/objects/status.js';

export function defineRulesReview(): VirtualHandler {
  return {
    group: 'authorization.platform.io',
    resource: 'selfsubjectrulesreviews',
    async create(review, { user, authorizer }) {
      const namespace = stringAt(objectAt(review, 'spec'), 'namespace');
      if (namespace === '') return { ok: false, failure: badRequest('no namespace on request') };
      const rules = (await authorizer.rules?.(user, namespace)) ?? cannotTell(authorizer.name);
      const { apiVersion, kind } = review;
      return { ok: true, value: { apiVersion, kind, metadata: {}, spec: {}, status: describe(rules) } };
    },
  };
}

const cannotTell = (authorizer: string): AccessRules => ({
  resourceRules: [],
  nonResourceRules: [],
  incomplete: true,
  evaluationError: `${authorizer} does not support user rule resolution`,
});

function describe({ resourceRules, nonResourceRules, incomplete, evaluationError }: AccessRules): JsonObject {
  return {
    resourceRules: resourceRules.map(describeRule),
    nonResourceRules: nonResourceRules.map(describeRule),
    incomplete,
    ...(evaluationError ? { evaluationError } : {}),
  };
}

const describeRule = (rule: object): JsonObject =>
  Object.fromEntries(Object.entries(rule).map(([key, values]) => [key, [...values]]));
