/** Calls of webhooks: what is sent, what counts as an answer, and what is said where there is none. */
import { createServer, type Server } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callWebhook } from '../../../../../runtime/registry/webhooks/call-webhook.js';
import { makeServerCertificate } from '../../../../support/certificates.js';

let server: Server;
let base = '';
let ca = '';

beforeAll(async () => {
  const certificate = await makeServerCertificate();
  ca = certificate.cert;
  server = createServer(certificate, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const sent = Buffer.concat(chunks).toString();
    const [, what = ''] = (request.url ?? '').split('/');
    if (what === 'hang') return;
    if (what === 'hang-up') {
      response.destroy();
      return;
    }
    response.statusCode = /^\d+$/.test(what) ? Number(what) : 200;
    response.end(what === 'echo' ? `${request.method} ${request.headers['content-type']} ${sent}` : 'broken');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  base = `https://localhost:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const call = (path: string, trusted: string | undefined = ca, timeoutMs = 10_000) =>
  callWebhook({ url: new URL(base + path), ...(trusted ? { ca: trusted } : {}) }, '{"a":1}', timeoutMs);

describe('a webhook', () => {
  it('gets the review as JSON', async () => {
    expect(await call('/echo')).toEqual({ ok: true, text: 'POST application/json {"a":1}' });
  });

  it.each([
    ['/500', 'an error on the server ("broken") has prevented the request from succeeding'],
    ['/404', 'the server could not find the requested resource'],
    ['/401', 'the server has asked for the client to provide credentials'],
    ['/302', 'the server rejected our request for an unknown reason'],
  ])('that answers at %s has failed', async (path, problem) => {
    expect(await call(path)).toEqual({ ok: false, problem });
  });

  it('has failed where it hangs up, takes too long, or cannot be trusted', async () => {
    expect(await call('/hang-up')).toMatchObject({
      ok: false,
      problem: expect.stringContaining(`Post "${base}/hang-up": `),
    });
    expect(await call('/hang', ca, 100)).toEqual({
      ok: false,
      problem: `Post "${base}/hang": context deadline exceeded`,
    });
    expect(await call('/echo', '')).toMatchObject({ ok: false, problem: expect.stringContaining('certificate') });
  });
});
