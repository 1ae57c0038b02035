/** Invalid credentials: passwords, and tokens after too many blanks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListeningServer, startServer } from '../../../server/index.js';

const warning =
  '299 - "the provided Authorization header contains extra space before the bearer token, and is ignored"';

describe.each([
  ['anonymous', 403],
  ['refused', 401],
] as const)('if requests without credentials are %s', (anonymous, code) => {
  let server: ListeningServer;
  beforeAll(async () => {
    server = await startServer({ controllers: [], authentication: { anonymous } });
  });
  afterAll(() => server.stop());

  it.each([
    ['Basic YWxpY2U6YWxpY2V0b2tlbg==', null],
    ['Bearer', null],
    ['Bearer  some-token', warning],
    ['bearer   some-token', warning],
    ['  Bearer  some-token', warning],
    ['Token  some-token', null],
  ])('does not accept %s as a credential', async (authorization, warned) => {
    const answer = await fetch(`${server.url}/api`, { headers: { authorization } });
    expect([answer.status, answer.headers.get('warning')]).toEqual([code, warned]);
  });

  it('an unknown token is refused', async () => {
    const answer = await fetch(`${server.url}/api`, { headers: { authorization: 'Bearer some-token  x' } });
    expect([answer.status, answer.headers.get('warning')]).toEqual([401, null]);
  });
});
