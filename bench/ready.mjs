/**
 * Measures starts of the built server: from the start of its process until `/readyz` answers 200.
 *
 *   node bench/ready.mjs [--starts 20] [--storage memory] [--command dist/bin/kindforge.cjs] [flags of serve …]
 *
 * Needs a build (`npm run build`). CPU time is told where the system has `/proc`. Starts of an empty Node in turn with
 * those of the server tell what of it is Node's own; where `NODE_EXTRA_CA_CERTS` is set, most of that is reading these.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { builtCommand, cpuSeconds, root, startProgram, stop } from './running.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    starts: { type: 'string', default: '20' },
    storage: { type: 'string', default: 'memory' },
    command: { type: 'string', default: join(root, builtCommand) },
  },
});
const command = resolve(values.command);
if (!existsSync(command)) {
  console.error(`${command} is not there; npm run build makes it`);
  process.exit(2);
}

const isReady = async (address) => (await fetch(`${address}/readyz`)).status === 200;

const flags = ['serve', '--storage', values.storage, '--http-port', 'auto', '--secure-port', 'auto', ...positionals];

const start = async () => {
  const begun = performance.now();
  const server = await startProgram(command, flags);
  while (!(await isReady(server.url)));
  const figures = { ms: performance.now() - begun, cpuMs: cpuSeconds(server) * 1000 };
  await stop(server);
  return figures;
};

const startNode = async () => {
  const begun = performance.now();
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  await new Promise((done) => child.once('exit', done));
  return performance.now() - begun;
};

const figures = (list) => {
  const sorted = [...list].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(0);
  return `median ${at(0.5)} ms, fastest ${at(0)} ms, 90 % ${at(0.9)} ms`;
};

// The connection pool of `fetch`, and the files of the server in the cache of the system.
await start();
const starts = [];
const empty = [];
for (let i = 0; i < Number(values.starts); i++) {
  starts.push(await start());
  empty.push(await startNode());
}
const folder = dirname(command);
const code = readdirSync(folder).filter((name) => /\.(c?js|cache)$/.test(name));
const bytes = code.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
console.log(`command       ${code.length} files, ${(bytes / 2 ** 20).toFixed(2)} MiB`);
console.log(`until ready   ${figures(starts.map(({ ms }) => ms))}`);
console.log(`CPU time      ${figures(starts.map(({ cpuMs }) => cpuMs))}`);
console.log(`an empty Node ${figures(empty)}`);
if (process.env.NODE_EXTRA_CA_CERTS) {
  console.log(
    'NODE_EXTRA_CA_CERTS is set: before anything else, each process reads all the certificates that Node trusts',
  );
}
process.exit(0);
