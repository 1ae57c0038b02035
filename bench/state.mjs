#!/usr/bin/env node
/**
 * Measures watches that begin with the state: what it costs to send it, and the memory that those take who do not read it.
 * Usage: node bench/state.mjs [--objects 2000] [--watchers 200] [--command dist/bin/kindforge.cjs]
 * Needs a build (`npm run build`).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { connect } from 'node:net';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    objects: { type: 'string', default: '2000' },
    watchers: { type: 'string', default: '200' },
    command: { type: 'string', default: 'dist/bin/kindforge.cjs' },
  },
});
const [objects, watchers] = [Number(options.objects), Number(options.watchers)];
const root = new URL('..', import.meta.url).pathname;
const path = '/api/v1/namespaces/default/configmaps';
/** What lines of the state begin with. */
const begin = '{"type":"ADDED"';

const flags = ['serve', '--allow-everyone', '--http-port', '0', '--storage', 'memory'];
const server = spawn(process.execPath, [options.command, ...flags], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.once('exit', () => server.kill('SIGKILL'));
const port = await new Promise((resolve) => {
  let printed = '';
  server.stdout.on('data', (chunk) => {
    printed += chunk;
    const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(printed);
    if (found) resolve(Number(found[1]));
  });
});

/** CPU time of the server, seconds. */
const cpu = () => {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
};
/** Memory of the server, MiB. */
const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

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
const [memoryBefore, cpuBefore] = [memory(), cpu()];
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
  unread = Math.max(unread, memory() - memoryBefore);
}

const started = performance.now();
await Promise.all(sockets.map(readState));
const seconds = (performance.now() - started) / 1000;
const perObject = ((cpu() - cpuBefore) * 1e6) / (objects * watchers);
for (const socket of sockets) socket.destroy();
server.kill('SIGTERM');

/** Reads until all objects have come. */
async function readState(socket) {
  let seen = 0;
  let rest = '';
  for await (const chunk of socket.setEncoding('latin1')) {
    const text = rest + chunk;
    seen += text.split(begin).length - 1;
    // What may be the beginning of the next line; it is too short for a whole one, which would be counted twice.
    rest = text.slice(1 - begin.length);
    if (seen >= objects) return;
  }
  throw new Error(`only ${seen} of ${objects} objects came`);
}

console.log(`${watchers} watchers that begin with ${objects} objects of 2 KiB`);
console.log(`memory while nobody reads: ${Math.round(unread)} MiB more`);
console.log(`CPU time of each object sent: ${perObject.toFixed(1)} µs`);
console.log(`until all had read all: ${seconds.toFixed(1)} s`);
