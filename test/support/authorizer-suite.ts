/** Tests of the rules that every authorizer keeps. They run on each authorizer. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccessAttributes, Authorizer, UserInfo } from '../../runtime/contract/index.js';

/** An authorizer, and the facts that the suite needs of it. */
export interface AuthorizerExample {
  readonly authorizer: Authorizer;
  /** A request that it allows. Absent if it allows none. */
  readonly allowed?: AccessAttributes;
  /** A request that it does not allow. Absent if it allows all. */
  readonly refused?: AccessAttributes;
}

const texts = fc.oneof(fc.string(), fc.constantFrom('*', '', 'get', 'pods', '__proto__', 'constructor', '*/status'));

const users: fc.Arbitrary<UserInfo> = fc.record({
  name: texts,
  uid: texts,
  groups: fc.array(texts, { maxLength: 3 }),
  extra: fc.constant({}),
});

const questions: fc.Arbitrary<AccessAttributes> = fc.oneof(
  fc.record({ user: users, verb: texts, path: texts }),
  fc.record(
    { user: users, verb: texts, group: texts, resource: texts, subresource: texts, namespace: texts, name: texts },
    { requiredKeys: ['user', 'verb', 'group', 'resource'] },
  ),
);

/** Runs the suite. */
export function testAuthorizer({ authorizer, allowed, refused }: AuthorizerExample): void {
  describe('as every authorizer', () => {
    it('has a name', () => expect(authorizer.name).not.toBe(''));

    if (allowed) {
      it('allows', async () => expect(await authorizer.decide(allowed)).toMatchObject({ decision: 'allow' }));
    }

    if (refused) {
      it('does not allow', async () => expect((await authorizer.decide(refused)).decision).not.toBe('allow'));
    }

    it('answers any question, the same each time, without changing the question', async () => {
      await fc.assert(
        fc.asyncProperty(questions, async (question) => {
          const before = structuredClone(question);
          const decision = await authorizer.decide(question);
          expect(['allow', 'deny', 'no opinion']).toContain(decision.decision);
          expect(await authorizer.decide(question)).toEqual(decision);
          expect(question).toEqual(before);
        }),
      );
    });

    it('lists rules for anyone, if it lists any', async () => {
      await fc.assert(
        fc.asyncProperty(users, texts, async (user, namespace) => {
          const rules = await authorizer.rules?.(user, namespace);
          for (const { verbs } of [...(rules?.resourceRules ?? []), ...(rules?.nonResourceRules ?? [])]) {
            expect(verbs).toBeInstanceOf(Array);
          }
        }),
      );
    });
  });
}
