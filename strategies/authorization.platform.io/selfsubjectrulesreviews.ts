/** SelfSubjectRulesReview: the caller's rules in a namespace, as far as they can be listed. */
import type { SelfSubjectRulesReview } from '../../generated/authorization.platform.io/v1/selfsubjectrulesreviews/types.js';
import type { SubjectRulesReviewStatus } from '../../generated/types/authorization/v1/types.js';
import type { AccessRules, Draft, VirtualHandler } from '../../runtime/contract/index.js';
import { defineVirtualHandler } from '../../runtime/objects/define-virtual-handler.js';
import { badRequest } from '../../runtime/objects/status.js';

export const defineRulesReview = (): VirtualHandler =>
  defineVirtualHandler<SelfSubjectRulesReview>({
    group: 'authorization.platform.io',
    resource: 'selfsubjectrulesreviews',
    async create({ apiVersion, kind, spec }, { user, authorizer }) {
      const { namespace = '' } = spec ?? {};
      if (namespace === '') return { ok: false, failure: badRequest('no namespace on request') };
      const rules = (await authorizer.rules?.(user, namespace)) ?? unknownRules(authorizer.name);
      return { ok: true, value: { apiVersion, kind, metadata: {}, spec: {}, status: describe(rules) } };
    },
  });

const unknownRules = (authorizer: string): AccessRules => ({
  resourceRules: [],
  nonResourceRules: [],
  incomplete: true,
  evaluationError: `${authorizer} does not support user rule resolution`,
});

function describe(rules: AccessRules): Draft<SubjectRulesReviewStatus> {
  const { resourceRules, nonResourceRules, incomplete, evaluationError } = rules;
  return {
    resourceRules: resourceRules.map(describeRule),
    nonResourceRules: nonResourceRules.map(describeRule),
    incomplete,
    ...(evaluationError ? { evaluationError } : {}),
  };
}

/** Copies a rule. All its fields are lists. */
const describeRule = (rule: object): { [field: string]: string[] } =>
  Object.fromEntries(Object.entries(rule).map(([key, values]) => [key, [...values]]));
