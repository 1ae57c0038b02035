/** Tests of the rules that every authenticator keeps. They run on each authenticator. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Authenticator, Credentials } from '../../runtime/contract/index.js';

/** An authenticator, and the facts that the suite needs of it. */
export interface AuthenticatorExample {
  readonly authenticator: Authenticator;
  /** Credentials that it recognizes, and their user. */
  readonly recognized: Credentials;
  readonly name: string;
  /** Wrong credentials of its method. Absent if there are none. */
  readonly wrong?: Credentials;
  /**
   * Credentials of another method, or none. It has no opinion about them. Absent if it decides about all credentials.
   */
  readonly foreign?: Credentials;
}

/** Runs the suite. */
export function testAuthenticator({ authenticator, recognized, name, wrong, foreign }: AuthenticatorExample): void {
  describe('as every authenticator', () => {
    it('has a name', () => expect(authenticator.name).toMatch(/^[a-z][a-z-]*$/));

    it('recognizes a user', async () =>
      expect(await authenticator.authenticate(recognized)).toMatchObject({ user: { name } }));

    it('puts the user into exactly one of the groups of recognized and unrecognized users', async () => {
      const found = await authenticator.authenticate(recognized);
      const groups = found && 'user' in found ? found.user.groups : [];
      const kinds = groups.filter((group) => group === 'system:authenticated' || group === 'system:unauthenticated');
      expect(kinds).toHaveLength(1);
    });

    if (wrong) {
      it('refuses wrong credentials without repeating them', async () => {
        const found = await authenticator.authenticate(wrong);
        expect(found).toHaveProperty('refused');
        const secret = String(wrong.headers.authorization).split(' ')[1] ?? '';
        expect(JSON.stringify(found)).not.toContain(secret);
      });
    }

    if (foreign) {
      it('has no opinion about credentials of other methods', async () =>
        expect(await authenticator.authenticate(foreign)).toBeUndefined());
    }

    it('reads any header without throwing', async () => {
      const header = fc.oneof(
        fc.string(),
        fc.array(fc.string()),
        fc.string().map((text) => `Bearer ${text}`),
        fc.constant(undefined),
      );
      await fc.assert(
        fc.asyncProperty(fc.record({ authorization: header, cookie: header }), async (headers) => {
          const found = await authenticator.authenticate({ headers });
          expect(found === undefined || 'user' in found || 'refused' in found).toBe(true);
        }),
      );
    });
  });
}
