/** The authenticator that docs/authentication.md builds. */
import { describe, expect, it } from 'vitest';
import { definePasswords, passwordLine } from '../../../examples/authentication/passwords.js';
import { testAuthenticator } from '../../support/authenticator-suite.js';

const file = [
  await passwordLine('anna', 'let:me in', Buffer.from('0123456789abcdef'), 'makers,admins'),
  await passwordLine('ben', '', Buffer.alloc(16), ''),
].join('\n');
const authenticator = definePasswords(file);
const basic = (text: string) => ({
  headers: { authorization: `Basic ${Buffer.from(text).toString('base64')}` },
});

testAuthenticator({
  authenticator,
  recognized: basic('anna:let:me in'),
  name: 'anna',
  wrong: basic('anna:let me in'),
  foreign: { headers: { authorization: 'Bearer anna' } },
});

describe('a user with a password', () => {
  it('has the groups in the file, also for a second request', async () => {
    for (let i = 0; i < 2; i++) {
      expect(await authenticator.authenticate(basic('anna:let:me in'))).toMatchObject({
        user: { name: 'anna', groups: ['makers', 'admins', 'system:authenticated'] },
      });
    }
  });

  it('is unknown if the file does not have the name', async () =>
    expect(await authenticator.authenticate(basic('carl:let:me in'))).toHaveProperty('refused'));

  it('must be a complete line', () => expect(() => definePasswords(`${file}\ncarl:abc`)).toThrow('line 3'));
});
