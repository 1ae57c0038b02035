import { X509Certificate } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../../../server/index.js';
import { People } from '../../../../server/users/people.js';
import { makeCredential } from '../../../../server/users/user-credential.js';

let server: RunningServer | undefined;
afterEach(() => server?.stop());

const wish = { name: 'jane', groups: ['dev'], kind: 'certificate', lifeMs: 86_400_000 } as const;

async function peopleOf(controllers: readonly string[]): Promise<People> {
  server = await startServer({ http: false, controllers });
  const found = await People.of(server.client());
  if (!found.ok) throw new Error(found.problem.message);
  return found.value;
}

describe('a credential', () => {
  it('is a certificate from the signer of clients, for the requested time', async () => {
    const made = await makeCredential(await peopleOf(['csrsigning']), wish);
    if (!made.ok || !('cert' in made.value.shown)) throw new Error('no certificate');
    const certificate = new X509Certificate(made.value.shown.cert);
    expect(certificate.subject).toBe('O=dev\nCN=jane');
    expect(certificate.issuer).toBe('CN=kindforge-client-ca');
    const life = Date.parse(made.value.expires) - Date.parse(made.value.created);
    expect(life).toBeGreaterThan(wish.lifeMs - 600_000);
    expect(life).toBeLessThanOrEqual(wish.lifeMs);
  });

  it('reports missing parts without a signer', async () => {
    const made = await makeCredential(await peopleOf([]), wish, 200);
    expect(made).toEqual({
      ok: false,
      problem: {
        reason: 'NotSigned',
        message: expect.stringMatching(
          /^the certificate request kindforge-user-jane-[0-9a-f]{8} is approved, but the server did not sign it within 0.2 s$/,
        ),
        advice: [
          'Does the server run the controller csrsigning? Its log says why it does not sign; --token gives a token instead',
        ],
      },
    });
  });

  it('is another token each time, and needs no signer', async () => {
    const people = await peopleOf([]);
    const tokens = [
      await makeCredential(people, { ...wish, kind: 'token' }),
      await makeCredential(people, { ...wish, kind: 'token' }),
    ];
    const texts = tokens.map((made) => (made.ok && 'token' in made.value.shown ? made.value.shown.token : ''));
    expect(texts[0]).toMatch(/^kfu_[\w-]{43}$/);
    expect(texts[1]).toMatch(/^kfu_[\w-]{43}$/);
    expect(texts[0]).not.toBe(texts[1]);
  });
});
