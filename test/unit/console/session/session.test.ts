/** Requests of a session: each waits for another token when the server no longer accepts the first one. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { compare } from '../../../../packages/console/src/pages/definitions/ask.js';
import { readPart } from '../../../../packages/console/src/pages/object/pods/pod-part.js';
import { Session } from '../../../../packages/console/src/session/session.js';
import { listenLocally } from '../../../support/local-server.js';

describe('a session with a token that has ended', () => {
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer((req, res) => {
    asked.push(req.headers);
    const isGood = req.headers.authorization === 'Bearer new';
    res.writeHead(isGood ? 200 : 401, { 'content-type': 'application/json' });
    if (!isGood) res.end('{"kind":"Status","code":401,"message":"Unauthorized"}');
    else if (req.url?.includes('/log')) {
      // A letter comes in two pieces.
      const [first, rest] = [Buffer.from('one\ntw\xc3', 'latin1'), Buffer.from('\xb6\nthree', 'latin1')];
      res.write(first);
      setTimeout(() => res.end(rest), 50);
    } else res.end('{"changed":3,"findings":[]}');
  });
  let session: Session;
  const askForToken = vi.fn(async (one: Session) => {
    one.renew('new');
    return 'new';
  });

  beforeAll(async () => {
    const port = await listenLocally(server);
    const origin = `http://127.0.0.1:${port}`;
    vi.stubGlobal('location', { origin });
  });
  beforeEach(() => {
    asked.length = 0;
    askForToken.mockClear();
    session = new Session({ token: 'old', impersonate: { user: 'jane', groups: ['team'] } }, askForToken);
  });
  afterAll(() => {
    vi.unstubAllGlobals();
    server.close();
  });

  it('asks for another token before definitions are compared, as the viewed user', async () => {
    expect(await compare(session, 'old', 'new')).toEqual({ changed: 3, findings: [] });
    expect(askForToken).toHaveBeenCalledExactlyOnceWith(session, 'old');
    expect(asked).toMatchObject([
      { authorization: 'Bearer old' },
      { authorization: 'Bearer new', 'impersonate-user': 'jane', 'impersonate-group': 'team' },
    ]);
  });

  it('asks for another token before a log is read', async () => {
    let text = '';
    const path = '/api/v1/namespaces/default/pods/web/log?follow=true';
    for await (const piece of readPart({ session }, path, AbortSignal.timeout(10_000))) text += piece;
    expect(text).toBe('one\ntwö\nthree');
    expect(askForToken).toHaveBeenCalledTimes(1);
  });

  it("shows the server's message if there is no other token", async () => {
    const alone = new Session({ token: 'old' });
    const lines = readPart({ session: alone }, '/api/v1/namespaces/default/pods/web/log', AbortSignal.timeout(10_000));
    await expect(lines.next()).rejects.toMatchObject({ name: 'ApiError', code: 401 });
  });
});
