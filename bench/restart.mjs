#!/usr/bin/env node
/**
 * Measures a server that has very many objects on lmdb: how long it takes to start, its memory, and how long a page of them
 * takes, the first time and then.
 *
 *   node bench/restart.mjs [--objects 1000000] [--bytes 512] [--starts 3] [--folder DIR] [--command dist/bin/kindforge.cjs]
 *
 * The objects are written into the store itself, copies of one that a server has made. A folder that is given is kept, and
 * used again with the objects that it has. Needs a build (`npm run build`) and Linux.
 */
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { lmdbBackend, openStore } from '../dist/runtime/storage/index.js';
import { builtCommand, cpuSeconds, memoryMiB, startServer, stop } from './running.mjs';

const { values: options } = parseArgs({
  options: {
    objects: { type: 'string', default: '1000000' },
    bytes: { type: 'string', default: '512' },
    starts: { type: 'string', default: '3' },
    folder: { type: 'string' },
    command: { type: 'string', default: builtCommand },
  },
});
const [objects, bytes] = [Number(options.objects), Number(options.bytes)];
const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'kindforge-bench-'));
const data = join(folder, 'data');
const path = '/api/v1/namespaces/default/configmaps';
const labels = { app: 'bench' };
const agent = new http.Agent({ keepAlive: true });

async function request(url, method = 'GET', body = '') {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const [response] = await once(http.request(url, { agent, method, headers }).end(body), 'response');
  const chunks = [];
  for await (const chunk of response) chunks.push(chunk);
  return { code: response.statusCode, text: Buffer.concat(chunks).toString() };
}

/** Starts a server, and resolves with the seconds and the processor's seconds that it took until it was ready. */
async function start() {
  const began = performance.now();
  const server = await startServer(`lmdb:${data}`, options.command);
  for (;;) {
    const { code } = await request(`${server.url}/readyz`).catch(() => ({ code: 0 }));
    if (code === 200) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { ...server, seconds: (performance.now() - began) / 1000, cpu: cpuSeconds(server) };
}

/** An object of about so many bytes, as the server stores it. */
async function template() {
  const server = await start();
  const body = (payload) => JSON.stringify({ metadata: { name: 'object', labels }, data: { payload } });
  const dry = await request(`${server.url}${path}?dryRun=All`, 'POST', body(''));
  const payload = 'x'.repeat(Math.max(0, bytes - dry.text.length));
  const { text } = await request(`${server.url}${path}?dryRun=All`, 'POST', body(payload));
  await stop(server);
  return JSON.parse(text);
}

async function fill(made) {
  const store = await openStore({ backend: lmdbBackend(data), readAttributes: () => ({ labels, fields: {} }) });
  for (let from = 0; from < objects; from += 4096) {
    const writes = Array.from({ length: Math.min(4096, objects - from) }, (_, i) => {
      const name = `object-${String(((from + i) * 7919) % objects).padStart(8, '0')}`;
      const metadata = { resourceVersion: '', ...made.metadata, name, uid: crypto.randomUUID() };
      const text = JSON.stringify({ kind: made.kind, apiVersion: made.apiVersion, metadata, data: made.data });
      const revisionAt = text.indexOf('"resourceVersion":"') + '"resourceVersion":"'.length;
      const next = { text: `${text}\n`, revisionAt, attributes: { labels, fields: {} } };
      return store.commit({ key: `/configmaps/default/${name}`, expected: 0, next });
    });
    for (const { outcome } of await Promise.all(writes)) if (outcome !== 'committed') throw new Error(outcome);
  }
  await store.close();
}

const ms = async (act) => {
  const began = performance.now();
  const result = await act();
  return { took: performance.now() - began, result };
};

async function page(server, query) {
  const { took, result } = await ms(() => request(`${server.url}${path}?limit=500${query}`));
  const { items, metadata } = JSON.parse(result.text);
  if (items.length !== 500) throw new Error(`a page has ${items.length} items`);
  return { took, next: metadata.continue };
}

try {
  if (!existsSync(data)) await fill(await template());
  for (let i = 0; i < Number(options.starts); i++) {
    const server = await start();
    const memory = memoryMiB(server);
    const pages = [];
    let next = '';
    for (let n = 0; n < 20; n++) {
      const { took, next: following } = await page(server, next);
      pages.push(took);
      next = `&continue=${following}`;
    }
    const sorted = [...pages].sort((a, b) => a - b);
    const before = cpuSeconds(server);
    const whole = await ms(() => request(`${server.url}${path}?labelSelector=app%3Dnone`));
    console.log(
      `ready after ${server.seconds.toFixed(1)} s (${server.cpu.toFixed(1)} s of CPU), ${Math.round(memory)} MiB; ` +
        `page of 500: first ${pages[0]?.toFixed(1)} ms, median ${sorted[10]?.toFixed(1)} ms; ` +
        `a label that none has ${whole.took.toFixed(0)} ms (${(cpuSeconds(server) - before).toFixed(1)} s of CPU); then ${Math.round(memoryMiB(server))} MiB`,
    );
    await stop(server);
  }
} finally {
  agent.destroy();
  if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
