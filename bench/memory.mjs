#!/usr/bin/env node
/**
 * Measures the memory of the built server with many objects of 2 KiB on lmdb, as times the bytes that the objects take up:
 * right after they were created by 48 clients, right after a start with them, and once the server has come to rest each time.
 *
 *   node bench/memory.mjs [--objects 100000] [--starts 3] [--rest 30] [--command dist/bin/kindforge.cjs]
 *
 * `--rest` is how long nothing is asked of the server until its memory is that of a server at rest, in seconds. Needs a
 * build (`npm run build`) and Linux.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { builtCommand, memoryMiB, startServer, stop } from './running.mjs';

const { values: options } = parseArgs({
  options: {
    objects: { type: 'string', default: '100000' },
    starts: { type: 'string', default: '3' },
    rest: { type: 'string', default: '30' },
    command: { type: 'string', default: builtCommand },
  },
});
const objects = Number(options.objects);
const folder = mkdtempSync(join(tmpdir(), 'kindforge-bench-'));
const path = '/api/v1/namespaces/default/configmaps';
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Starts a server and resolves once it is ready. */
async function start() {
  const began = performance.now();
  const server = await startServer(`lmdb:${folder}/data`, options.command);
  while ((await request(`${server.url}/readyz`)).code !== 200);
  return { ...server, seconds: (performance.now() - began) / 1000 };
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 48 });

async function request(url, method = 'GET', body = '') {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const [response] = await once(http.request(url, { agent, method, headers }).end(body), 'response');
  const chunks = [];
  for await (const chunk of response) chunks.push(chunk);
  return { code: response.statusCode, length: chunks.reduce((sum, { length }) => sum + length, 0) };
}

async function fill({ url }) {
  let next = 0;
  const client = async () => {
    while (next < objects) {
      const name = `object-${next++}`;
      const body = JSON.stringify({
        metadata: { name, labels: { app: 'bench' } },
        data: { payload: 'x'.repeat(1700) },
      });
      const { code } = await request(url + path, 'POST', body);
      if (code !== 201) throw new Error(`create was answered with ${code}`);
    }
  };
  await Promise.all(Array.from({ length: 48 }, client));
}

/** Tells what a server holds now, and at rest. */
async function tell(what, server, bytes) {
  const busy = memoryMiB(server);
  await pause(Number(options.rest));
  const shown = [busy, memoryMiB(server)].map((mib) => `${Math.round(mib)} MiB, ${(mib / bytes).toFixed(2)} times`);
  console.log(`${what}: ${shown[0]}; ${options.rest} s later ${shown[1]} the bytes stored`);
}

try {
  const first = await start();
  await fill(first);
  // Each read is of one line of the store.
  const { length } = await request(`${first.url}${path}/object-${objects - 1}`);
  const bytes = (length * objects) / 2 ** 20;
  console.log(`${objects} objects of ${length} bytes, ${Math.round(bytes)} MiB`);
  await tell('created', first, bytes);
  await stop(first);
  for (let i = 0; i < Number(options.starts); i++) {
    const server = await start();
    await tell(`ready after ${server.seconds.toFixed(1)} s`, server, bytes);
    await stop(server);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
