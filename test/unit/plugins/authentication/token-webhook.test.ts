import { describe, expect, it } from 'vitest';
import { defineTokenWebhook } from '../../../../plugins/index.js';
import type { Credentials, JsonObject } from '../../../../runtime/contract/index.js';
import { testAuthenticator } from '../../../support/authenticator-suite.js';

const apiVersion = 'authentication.k8s.io/v1';
const bearer = (token: string, audiences?: readonly string[]): Credentials => ({
  headers: { authorization: `Bearer ${token}` },
  ...(audiences ? { audiences } : {}),
});

/** Makes a webhook that answers with a status, or with a text; `asked` records its requests. */
function define(status: JsonObject | string, ttlMs = 1000) {
  const asked: JsonObject[] = [];
  const state = { now: 1, status };
  const authenticator = defineTokenWebhook({
    apiVersion,
    audiences: ['api'],
    ttlMs,
    clock: () => state.now,
    post: async (body) => {
      asked.push(JSON.parse(body));
      const { status: answer } = state;
      if (answer === 'down') return { ok: false, problem: 'the webhook is down' };
      const text =
        typeof answer === 'string' ? answer : JSON.stringify({ apiVersion, kind: 'TokenReview', status: answer });
      return { ok: true, text };
    },
  });
  return { authenticator, asked, state };
}

const anna = { authenticated: true, user: { username: 'anna' } };

testAuthenticator({
  authenticator: define(anna).authenticator,
  recognized: bearer('t'),
  name: 'anna',
  foreign: { headers: { authorization: 'Basic YTpi' } },
});
testAuthenticator({
  authenticator: defineTokenWebhook({
    apiVersion,
    audiences: [],
    ttlMs: 0,
    post: async (body) => {
      const status = body.includes('"good"') ? anna : { authenticated: false, error: 'no' };
      return { ok: true, text: JSON.stringify({ apiVersion, kind: 'TokenReview', status }) };
    },
  }),
  recognized: bearer('good'),
  name: 'anna',
  wrong: bearer('bad-token'),
});

describe('a review', () => {
  it('has the token and the expected audiences', async () => {
    const { authenticator, asked } = define(anna);
    await authenticator.authenticate(bearer('t'));
    await authenticator.authenticate(bearer('t', ['other']));
    expect(asked).toMatchObject([
      { apiVersion, kind: 'TokenReview', spec: { token: 't', audiences: ['api'] } },
      { apiVersion, kind: 'TokenReview', spec: { token: 't', audiences: ['other'] } },
    ]);
  });

  it('returns all fields of a user', async () => {
    const user = { username: 'anna', uid: '7', groups: ['a', 'b'], extra: { k: ['v', 'w'] } };
    const { authenticator } = define({ authenticated: true, user, error: 'not looked at' });
    expect(await authenticator.authenticate(bearer('t'))).toEqual({
      user: { name: 'anna', uid: '7', groups: ['a', 'b', 'system:authenticated'], extra: { k: ['v', 'w'] } },
      audiences: ['api'],
    });
  });

  it.each<[readonly string[] | undefined, readonly string[] | undefined, readonly string[] | undefined]>([
    [undefined, undefined, ['api']],
    [['api', 'x'], ['x'], ['x']],
    [
      ['x', 'api'],
      ['api', 'x', 'y'],
      ['x', 'api'],
    ],
    [['x'], undefined, undefined],
    [undefined, ['y'], undefined],
    [[], ['y'], []],
  ])('for %j that is answered for %j is for %j', async (wanted, said, audiences) => {
    const { authenticator } = define({ ...anna, ...(said ? { audiences: [...said] } : {}) });
    const found = await authenticator.authenticate(bearer('t', wanted));
    expect(found && 'user' in found ? found.audiences : undefined).toEqual(audiences);
  });
});

describe('an answer is refused', () => {
  const text = (answer: object) => JSON.stringify({ apiVersion, kind: 'TokenReview', ...answer });
  it.each<[string, JsonObject | string]>([
    ['that is no JSON', 'yes'],
    ['that is no object', '[]'],
    ['of another version', text({ apiVersion: 'authentication.k8s.io/v1beta1', status: anna })],
    ['of another kind', text({ kind: 'SubjectAccessReview', status: anna })],
    ['that names no user', { authenticated: true }],
    ['that names an empty user', { authenticated: true, user: { username: '' } }],
    ['whose groups are none', { authenticated: true, user: { username: 'a', groups: 'system:masters' } }],
    ['whose extras are none', { authenticated: true, user: { username: 'a', extra: { k: 'v' } } }],
    ['that is sure in other words', { authenticated: 'true', user: { username: 'a' } }],
    ['that is an error', { authenticated: false, error: 'expired' }],
    ['that does not come', 'down'],
  ])('%s, and asks again', async (_, status) => {
    const { authenticator, asked } = define(status);
    for (let i = 0; i < 2; i++) expect(await authenticator.authenticate(bearer('t'))).toHaveProperty('refused');
    expect(asked).toHaveLength(2);
  });
});

describe('the reason of a refusal', () => {
  it.each<[JsonObject, string]>([
    [{ authenticated: false, error: 'this token was withdrawn' }, 'this token was withdrawn'],
    [{ authenticated: false }, 'the webhook does not authenticate the token'],
    [{}, 'the webhook does not authenticate the token'],
  ])('of %j is public and goes to the log once for each answer', async (status, reason) => {
    const problems: string[] = [];
    const authenticator = defineTokenWebhook({
      apiVersion,
      audiences: [],
      ttlMs: 1000,
      onProblem: (problem) => problems.push(problem),
      post: async () => ({ ok: true, text: JSON.stringify({ apiVersion, kind: 'TokenReview', status }) }),
    });
    const refused = { refused: `token webhook: ${reason}`, publicReason: reason };
    expect(await authenticator.authenticate(bearer('t'))).toEqual(refused);
    expect(problems).toEqual([`token webhook: ${reason}`]);
  });
});

describe('cached answers', () => {
  it.each([
    ['a user', anna],
    ['nobody', { authenticated: false }],
  ])('with %s are kept for a time', async (_, status) => {
    const { authenticator, asked, state } = define(status);
    const first = await authenticator.authenticate(bearer('t'));
    state.status = status === anna ? { authenticated: false } : anna;
    state.now = 1001;
    expect(await authenticator.authenticate(bearer('t'))).toEqual(first);
    expect(asked).toHaveLength(1);
    state.now = 1002;
    expect(await authenticator.authenticate(bearer('t'))).not.toEqual(first);
    expect(asked).toHaveLength(2);
  });

  it('do not exist without a ttl', async () => {
    const { authenticator, asked } = define(anna, 0);
    for (let i = 0; i < 3; i++) await authenticator.authenticate(bearer('t'));
    expect(asked).toHaveLength(3);
  });

  it('need one request for callers at the same time', async () => {
    const { authenticator, asked } = define(anna);
    const found = await Promise.all(Array.from({ length: 5 }, async () => authenticator.authenticate(bearer('t'))));
    expect(asked).toHaveLength(1);
    expect(new Set(found.map((one) => JSON.stringify(one))).size).toBe(1);
  });

  it('are kept for a limited number of tokens', async () => {
    const { authenticator, asked } = define(anna);
    for (let i = 0; i < 5000; i++) await authenticator.authenticate(bearer(`t${i}`));
    await authenticator.authenticate(bearer('t4999'));
    expect(asked).toHaveLength(5000);
    await authenticator.authenticate(bearer('t0'));
    expect(asked).toHaveLength(5001);
  });
});

describe('a call that fails in the program itself', () => {
  it('reject all waiting requests on a failure, and no later ones', async () => {
    let fails = true;
    const authenticator = defineTokenWebhook({
      apiVersion,
      audiences: [],
      ttlMs: 1000,
      post: async () => {
        if (fails) throw new Error('injected');
        return { ok: true, text: JSON.stringify({ apiVersion, kind: 'TokenReview', status: anna }) };
      },
    });
    const ask = async () => authenticator.authenticate(bearer('t'));
    expect((await Promise.allSettled([ask(), ask()])).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await ask()).toMatchObject({ user: { name: 'anna' } });
  });
});
