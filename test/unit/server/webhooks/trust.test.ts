import { createServer } from 'node:https';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HttpsLine } from '../../../../server/webhooks/line.js';
import { OutgoingCalls } from '../../../../server/webhooks/outgoing-calls.js';
import { type IssuedPair, makeAuthority, type TestAuthority } from '../../../support/certificate-authority.js';
import { listenLocally } from '../../../support/local-server.js';

const wanted = { subject: 'CN=localhost', purposes: ['server'], names: ['localhost'] } as const;

let authority: TestAuthority;
let shown: IssuedPair;
let url = '';
let stop = (): void => undefined;

beforeAll(async () => {
  authority = await makeAuthority('CN=nobody');
  shown = await authority.issue(wanted);
  const server = createServer(shown, (request, response) => void request.resume().on('end', () => response.end('{}')));
  url = `https://localhost:${await listenLocally(server)}/`;
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
});
afterAll(() => stop());

async function problem(ca: string): Promise<string> {
  const line = new HttpsLine(
    { url, ca },
    { calls: new OutgoingCalls(), serviceAddress: () => undefined, credentials: () => [], mostBytes: 1024 },
  );
  const got = await line.post({ body: () => '{}', timeoutMs: 10_000, service: () => undefined });
  line.close();
  return got.ok ? 'none' : got.problem;
}

it('accepts the authority of the certificate', async () => expect(await problem(authority.cert)).toBe('none'));

it('accepts the certificate itself, whatever authority is above it', async () =>
  expect(await problem(shown.cert)).toBe('none'));

it('accepts no other certificate, even of the same authority', async () => {
  const { cert } = await authority.issue(wanted);
  expect(await problem(cert)).toContain('x509: certificate signed by unknown authority');
});
