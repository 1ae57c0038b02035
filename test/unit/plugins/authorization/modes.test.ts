import { describe, expect, it } from 'vitest';
import { defineAdministrators, defineAlwaysAllow, defineAlwaysDeny, defineInOrder } from '../../../../plugins/index.js';
import type { AccessDecision, Authorizer } from '../../../../runtime/contract/index.js';
import { testAuthorizer } from '../../../support/authorizer-suite.js';

const user = (...groups: readonly string[]) => ({ name: 'anna', uid: '', groups, extra: {} });
const question = { user: user('devs'), verb: 'get', path: '/x' };
const byRoot = { ...question, user: user('devs', 'system:masters') };

describe('AlwaysAllow', () => {
  testAuthorizer({ authorizer: defineAlwaysAllow(), allowed: question });
});

describe('AlwaysDeny', () => {
  testAuthorizer({ authorizer: defineAlwaysDeny(), refused: byRoot });
});

describe('administrators', () => {
  testAuthorizer({ authorizer: defineAdministrators(), allowed: byRoot, refused: question });
});

const saying = (name: string, decision: AccessDecision, later = false): Authorizer => ({
  name,
  decide: () => (later ? Promise.resolve(decision) : decision),
});
const unsure: AccessDecision = { decision: 'no opinion', reason: 'unsure', evaluationError: 'broken' };
const allow: AccessDecision = { decision: 'allow', reason: 'yes' };
const deny: AccessDecision = { decision: 'deny', reason: 'no' };

describe('authorizers in order', () => {
  testAuthorizer({
    authorizer: defineInOrder([defineAdministrators(), defineAlwaysDeny()]),
    allowed: byRoot,
    refused: question,
  });

  describe.each([false, true])('if they answer later: %s', (later) => {
    const decide = (...decisions: readonly AccessDecision[]) =>
      defineInOrder(decisions.map((one, i) => saying(`${i}`, one, later))).decide(question);

    it('stop at the first that decides', async () => {
      expect(await decide(unsure, allow, deny)).toEqual(allow);
      expect(await decide(unsure, deny, allow)).toEqual(deny);
    });

    it('return all reasons if none decides', async () => {
      const other: AccessDecision = { decision: 'no opinion', reason: 'me too', evaluationError: 'slow' };
      expect(await decide(unsure, { decision: 'no opinion' }, other, unsure)).toEqual({
        decision: 'no opinion',
        reason: 'unsure\nme too\nunsure',
        evaluationError: '[broken, slow]',
      });
      expect(await decide(unsure, unsure)).toHaveProperty('evaluationError', 'broken');
      expect(await decide()).toEqual({ decision: 'no opinion' });
    });
  });

  it('answer at once if all of them do', () =>
    expect(defineInOrder([saying('a', unsure), saying('b', allow)]).decide(question)).not.toBeInstanceOf(Promise));

  it('list the rules of all, and name the modes that cannot list any', async () => {
    const rules = await defineInOrder([defineAlwaysAllow(), saying('Other', allow)]).rules?.(question.user, 'n');
    expect(rules).toEqual({
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      incomplete: true,
      evaluationError: 'Other does not support user rule resolution',
    });
  });
});
