/** The simple authorization modes: several authorizers in order, all allowed, all denied, administrators. */
import type {
  AccessAttributes,
  AccessDecision,
  AccessRules,
  Authorizer,
  UserInfo,
} from '../../runtime/contract/index.js';

/**
 * Combines authorizers: asks one after the other until one allows or denies. If none does, the request is refused with
 * all their reasons.
 */
export function defineInOrder(authorizers: readonly Authorizer[]): Authorizer {
  return {
    name: authorizers.map(({ name }) => name).join(','),
    decide: (attributes) => decideFrom(authorizers, 0, attributes, []),
    rules: (user, namespace) => rulesOfAll(authorizers, user, namespace),
  };
}

/** Waits only if an authorizer returns a promise. */
function decideFrom(
  authorizers: readonly Authorizer[],
  first: number,
  attributes: AccessAttributes,
  before: readonly AccessDecision[],
): AccessDecision | Promise<AccessDecision> {
  let undecided = before;
  for (let i = first; i < authorizers.length; i++) {
    const decision = authorizers[i]?.decide(attributes) ?? { decision: 'no opinion' };
    if (decision instanceof Promise) {
      const earlier = undecided;
      return decision.then((decided) =>
        decided.decision === 'no opinion' ? decideFrom(authorizers, i + 1, attributes, [...earlier, decided]) : decided,
      );
    }
    if (decision.decision !== 'no opinion') return decision;
    if (decision.reason || decision.evaluationError) undecided = [...undecided, decision];
  }
  return noOpinion(undecided);
}

function noOpinion(undecided: readonly AccessDecision[]): AccessDecision {
  const reason = said(undecided.map(({ reason: one }) => one)).join('\n');
  const evaluationError = joinErrors(undecided.map((one) => one.evaluationError));
  return {
    decision: 'no opinion',
    ...(reason === '' ? {} : { reason }),
    ...(evaluationError === '' ? {} : { evaluationError }),
  };
}

/** Joins errors; several are put in brackets, each once. */
function joinErrors(errors: readonly (string | undefined)[]): string {
  const all = [...new Set(said(errors))];
  return all.length > 1 ? `[${all.join(', ')}]` : all.join('');
}

const said = (texts: readonly (string | undefined)[]): readonly string[] =>
  texts.filter((text) => text !== undefined && text !== '').map(String);

async function rulesOfAll(authorizers: readonly Authorizer[], user: UserInfo, namespace: string): Promise<AccessRules> {
  const all = await Promise.all(
    authorizers.map(
      async (authorizer) => (await authorizer.rules?.(user, namespace)) ?? noRuleResolution(authorizer.name),
    ),
  );
  const evaluationError = joinErrors(all.map((one) => one.evaluationError));
  return {
    resourceRules: all.flatMap(({ resourceRules }) => resourceRules),
    nonResourceRules: all.flatMap(({ nonResourceRules }) => nonResourceRules),
    incomplete: all.some(({ incomplete }) => incomplete),
    ...(evaluationError === '' ? {} : { evaluationError }),
  };
}

const noRuleResolution = (authorizer: string): AccessRules => ({
  resourceRules: [],
  nonResourceRules: [],
  incomplete: true,
  evaluationError: `${authorizer} does not support user rule resolution`,
});

/** Members of this group may do everything. */
export const administrators = 'system:masters';

const allowed: AccessDecision = { decision: 'allow' };
const nothingToSay: AccessDecision = { decision: 'no opinion' };

export function defineAdministrators(): Authorizer {
  return {
    name: 'administrators',
    decide: ({ user }) => (user.groups.includes(administrators) ? allowed : nothingToSay),
    // Administrators may do everything; this is not a rule that can be granted or removed.
    rules: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
  };
}

const all = ['*'];

export function defineAlwaysAllow(): Authorizer {
  return {
    name: 'AlwaysAllow',
    decide: () => ({ decision: 'allow' }),
    rules: () => ({
      resourceRules: [{ verbs: all, apiGroups: all, resources: all }],
      nonResourceRules: [{ verbs: all, nonResourceURLs: all }],
      incomplete: false,
    }),
  };
}

export function defineAlwaysDeny(): Authorizer {
  return {
    name: 'AlwaysDeny',
    decide: () => ({ decision: 'no opinion', reason: 'Everything is forbidden.' }),
    rules: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
  };
}
