#!/usr/bin/env node
/**
 * Measures watches that begin with the state: what it costs to send it, and the memory that those take who do not read it.
 * Usage: node bench/state.mjs [--objects 2000] [--watchers 200] [--command dist/bin/kindforge.cjs]
 * Needs a build (`npm run build`).
 */
import { once } from 'node:events';
import http from 'node:http';
import { connect } from 'node:net';
import { parseArgs } from 'node:util';
import { builtCommand, cpuSeconds, memoryMiB, startServer, stop } from './running.mjs';

const { values: options } = parseArgs({
  options: {
    objects: { type: 'string', default: '2000' },
    watchers: { type: 'string', default: '200' },
    command: { type: 'string', default: builtCommand },
  },
});
const [objects, watchers] = [Number(options.objects), Number(options.watchers)];
const path = '/api/v1/namespaces/default/configmaps';
/** The prefixes of lines of the state. */
const begin = '{"type":"ADDED"';

const server = await startServer('memory', options.command);
const port = Number(new URL(server.url).port);

const agent = new http.Agent({ keepAlive: true });
const payload = 'x'.repeat(1700);

async function create(name) {
  const body = JSON.stringify({ metadata: { name, labels: { app: 'bench' } }, data: { payload } });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const request = http.request({ port, host: '127.0.0.1', agent, path, method: 'POST', headers }).end(body);
  const [response] = await once(request, 'response');
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 201) throw new Error(`create was answered with ${response.statusCode}`);
}

let next = 0;
const creating = Array.from({ length: 32 }, async () => {
  while (next < objects) await create(`state-${next++}`);
});
await Promise.all(creating);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

await pause(1000);
const [memoryBefore, cpuBefore] = [memoryMiB(server), cpuSeconds(server)];
const sockets = await Promise.all(
  Array.from({ length: watchers }, async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.pause();
    socket.write(`GET ${path}?watch=true HTTP/1.1\r\nhost: bench\r\n\r\n`);
    return socket;
  }),
);
let unread = 0;
for (let i = 0; i < 20; i++) {
  await pause(100);
  unread = Math.max(unread, memoryMiB(server) - memoryBefore);
}

const started = performance.now();
await Promise.all(sockets.map(readState));
const seconds = (performance.now() - started) / 1000;
const perObject = ((cpuSeconds(server) - cpuBefore) * 1e6) / (objects * watchers);
for (const socket of sockets) socket.destroy();
await stop(server);

/** Reads until all objects have come. */
async function readState(socket) {
  let seen = 0;
  let rest = '';
  for await (const chunk of socket.setEncoding('latin1')) {
    const text = rest + chunk;
    seen += text.split(begin).length - 1;
    // The possible beginning of the next line; it is too short for a whole one, which would be counted twice.
    rest = text.slice(1 - begin.length);
    if (seen >= objects) return;
  }
  throw new Error(`only ${seen} of ${objects} objects came`);
}

console.log(`${watchers} watchers that begin with ${objects} objects of 2 KiB`);
console.log(`memory while nobody reads: ${Math.round(unread)} MiB more`);
console.log(`CPU time of each object sent: ${perObject.toFixed(1)} µs`);
console.log(`until all had read all: ${seconds.toFixed(1)} s`);
