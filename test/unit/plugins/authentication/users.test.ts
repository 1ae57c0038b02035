import { describe, expect, it } from 'vitest';
import { defineAdministrator, defineAnonymous } from '../../../../plugins/index.js';
import { testAuthenticator } from '../../../support/authenticator-suite.js';

const secret = new Uint8Array(32).fill(7);
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('the token of the administrator', () => {
  const { token, authenticator } = defineAdministrator(secret);
  const ask = (authorization: string | string[]) => authenticator.authenticate({ headers: { authorization } });

  it('is derived from the secret of the data, or random without one', () => {
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(defineAdministrator(secret).token).toBe(token);
    expect(defineAdministrator(new Uint8Array(32)).token).not.toBe(token);
    expect(defineAdministrator().token).not.toBe(defineAdministrator().token);
  });

  it.each([`Bearer ${token}`, `bearer ${token}`, basic(`admin:${token}`)])('is recognized as %s', (header) =>
    expect(ask(header)).toMatchObject({
      user: { name: 'system:admin', groups: ['system:masters', 'system:authenticated'] },
    }),
  );

  it.each(['', 'Bearer ', `Bearer ${token}0`, `Bearer ${token.slice(1)}`, basic('admin:'), basic(`anna:${token}`)])(
    'is not %j',
    (header) => expect(ask(header)).toBe(undefined),
  );
});

testAuthenticator({
  authenticator: defineAnonymous(),
  recognized: { headers: {} },
  name: 'system:anonymous',
  wrong: { headers: { authorization: 'Bearer unknown-token' } },
});

it('treats anything but a bearer token as no credentials', () => {
  for (const authorization of ['Basic YTpi', 'Bearer', 'x']) {
    expect(defineAnonymous().authenticate({ headers: { authorization } })).toEqual({
      user: { name: 'system:anonymous', uid: '', groups: ['system:unauthenticated'], extra: {} },
    });
  }
});
