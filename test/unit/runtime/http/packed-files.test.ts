/** Files of an application in memory: their encodings, their names, and which encoding a client gets. */

import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { H3, toNodeHandler } from 'h3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codingFor, definePackedFiles } from '../../../../runtime/http/packed-files.js';
import { applicationPages } from '../../../../runtime/http/static-pages.js';
import { listenLocally } from '../../../support/local-server.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const script = 'let a = 1;\n'.repeat(1_000);
const folder = scratchFolder({ 'index.html': '<h1>console</h1>', 'assets/app-x.js': script, 'assets/a.png': script });

describe('files of an application', () => {
  const app = new H3();
  app.use(applicationPages({ under: '/console/', folder, headers: { 'x-own': 'yes' }, missing: 'none' }));
  const server = createServer(toNodeHandler(app));
  let port = 0;
  beforeAll(async () => {
    port = await listenLocally(server);
  });
  afterAll(() => void server.close());

  /** Sends a request without decoding the answer. */
  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const call = request({ host: '127.0.0.1', port, path, method, headers }).end();
    const answer = await new Promise<import('node:http').IncomingMessage>((resolve) => call.once('response', resolve));
    return { code: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
  };

  it('are sent in the smallest encoding that the client accepts', async () => {
    const path = '/console/assets/app-x.js';
    const plain = await ask(path);
    expect([plain.headers['content-encoding'], String(plain.body)]).toEqual([undefined, script]);
    const gzip = await ask(path, { 'accept-encoding': 'gzip, deflate' });
    expect([gzip.headers['content-encoding'], String(gunzipSync(gzip.body))]).toEqual(['gzip', script]);
    const br = await ask(path, { 'accept-encoding': 'gzip, deflate, br, zstd' });
    expect([br.headers['content-encoding'], String(brotliDecompressSync(br.body))]).toEqual(['br', script]);
    for (const { headers } of [plain, gzip, br]) {
      expect(headers).toMatchObject({
        vary: 'accept-encoding',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': expect.stringContaining('text/javascript'),
        'x-content-type-options': 'nosniff',
        'x-own': 'yes',
      });
    }
    expect(new Set([plain, gzip, br].map(({ headers }) => headers.etag)).size).toBe(3);
    const head = await ask(path, { 'accept-encoding': 'br' }, 'HEAD');
    expect([head.headers['content-length'], head.body.length]).toEqual([String(br.body.length), 0]);
    const picture = await ask('/console/assets/a.png', { 'accept-encoding': 'br' });
    expect(picture.headers['content-encoding']).toBeUndefined();
  });

  it('are not sent again while they are the same', async () => {
    const { headers, body } = await ask('/console/kinds/core', { accept: 'text/html' });
    expect([String(body), headers['cache-control']]).toEqual(['<h1>console</h1>', 'no-cache']);
    const known = { 'if-none-match': headers.etag ?? '' };
    expect((await ask('/console/', known)).code).toBe(304);
    // Another release in an image has other files of the same time and size.
    const file = join(folder, 'index.html');
    const { atime, mtime } = statSync(file);
    writeFileSync(file, '<h1>CONSOLE</h1>');
    expect((await ask('/console/', known)).code).toBe(200);
    utimesSync(file, atime, mtime);
    const other = applicationPages({ under: '/console/', folder, headers: {}, missing: 'none' });
    const next = new H3();
    next.use(other);
    const answer = await next.request('/console/', { headers: { ...known, 'if-modified-since': mtime.toUTCString() } });
    expect([answer.status, await answer.text()]).toEqual([200, '<h1>CONSOLE</h1>']);
  });

  it('are read once, and again after a failure', async () => {
    const pack = definePackedFiles();
    const path = join(folder, 'assets/app-x.js');
    const file = { path, size: 1, mtimeMs: 1 };
    expect(await pack(file, 'gzip')).toBe(await pack(file, 'gzip'));
    expect(await pack({ ...file, mtimeMs: 2 }, 'gzip')).not.toBe(await pack(file, 'gzip'));
    const missing = { path: join(folder, 'later.js'), size: 1, mtimeMs: 1 };
    await expect(pack(missing, undefined)).rejects.toThrow('ENOENT');
    writeFileSync(missing.path, 'x');
    expect(String((await pack(missing, undefined)).bytes)).toBe('x');
  });
});

it.each([
  ['/a.js', 'gzip, deflate, br', 'br'],
  ['/a.js', 'gzip', 'gzip'],
  ['/a.js', 'br;q=0, GZIP;q=0.5', 'gzip'],
  ['/a.js', 'gzip;q=0.000', undefined],
  ['/a.js', 'identity', undefined],
  ['/a.js', null, undefined],
  ['/a.woff2', 'br', undefined],
  ['/index.html', 'br', 'br'],
])('sends %s to a client that accepts %j as %s', (path, accepted, coding) =>
  expect(codingFor(path, accepted)).toBe(coding),
);
