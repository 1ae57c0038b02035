/** Requests that are forwarded with the credentials of a kubeconfig. */

import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openUpstream, type Upstream } from '../../../../client/node/upstream.js';
import { listenLocally } from '../../../support/local-server.js';
import { scratchFolder } from '../../../support/scratch-folder.js';
import { writeKubeconfig } from '../../../support/write-kubeconfig.js';

const apiVersion = 'client.authentication.k8s.io/v1';

describe('the server of a kubeconfig', () => {
  const folder = scratchFolder();
  const asked: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  let good = 'Bearer one';
  let url = '';
  const server = createServer(async (req, res) => {
    asked.push({ headers: req.headers, body: await text(req) });
    res.writeHead(req.headers.authorization === good ? 200 : 401).end('answer');
  });
  beforeAll(async () => {
    const port = await listenLocally(server);
    url = `http://127.0.0.1:${port}`;
  });
  afterAll(() => void server.close());

  const send = async (upstream: Upstream, headers: Record<string, string> = {}): Promise<number> => {
    const request = { method: 'POST', path: '/api', headers, signal: AbortSignal.timeout(10_000) };
    const { statusCode, body } = await upstream.send(request, Buffer.from('sent'));
    await body.dump();
    return statusCode;
  };

  it('gets a refused request again with the next token of an exec plugin', async () => {
    const token = join(folder, 'token');
    writeFileSync(token, 'one');
    const credential = `{"kind":"ExecCredential","apiVersion":"${apiVersion}","status":{"token":"%s"}}`;
    const args = ['-c', `printf '${credential}' "$(cat ${token})"`];
    const exec = { apiVersion, command: '/bin/sh', args, interactiveMode: 'Never' };
    const upstream = openUpstream(writeKubeconfig(folder, url, { exec }), undefined);
    expect(await send(upstream)).toBe(200);
    writeFileSync(token, 'two');
    good = 'Bearer two';
    expect(await send(upstream)).toBe(200);
    expect(asked.slice(-2)).toMatchObject([
      { headers: { authorization: 'Bearer one' }, body: 'sent' },
      { headers: { authorization: 'Bearer two' }, body: 'sent' },
    ]);
    await upstream.close();
  });

  it('gets the user to impersonate, unless a request names another one', async () => {
    good = 'Bearer one';
    const user = { token: 'one', as: 'jane', 'as-groups': ['team'] };
    const upstream = openUpstream(writeKubeconfig(folder, url, user), 'one');
    await send(upstream);
    expect(asked.at(-1)?.headers).toMatchObject({ 'impersonate-user': 'jane', 'impersonate-group': 'team' });
    await send(upstream, { 'impersonate-user': 'joe', authorization: 'Bearer of-the-page' });
    expect(asked.at(-1)?.headers).toMatchObject({ 'impersonate-user': 'joe', authorization: 'Bearer one' });
    expect(asked.at(-1)?.headers).not.toHaveProperty('impersonate-group');
    await upstream.close();
  });

  it('is refused if the kubeconfig does not have the context', () => {
    const path = writeKubeconfig(folder, url, {});
    expect(() => openUpstream(path, 'other')).toThrow(/other/);
  });
});
