/**
 * Measures the server for tests of a build: starts, resets and ends in a process that has loaded it, and starts from nothing.
 *
 *   node bench/test-server.mjs [--starts 1000] [--cold 20] [--objects 20]
 *
 * Needs a build (`npm run build`). A start ends when a request has been answered. CPU time is that of all threads. `--objects`
 * are created before each reset.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { root } from './running.mjs';

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '1000' },
    cold: { type: 'string', default: '20' },
    objects: { type: 'string', default: '20' },
  },
});
const testing = join(root, 'dist/testing/index.js');
if (!existsSync(testing)) {
  console.error(`${testing} is not there; npm run build makes it`);
  process.exit(2);
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const timed = async (times, act) => {
  const [began, used] = [performance.now(), cpuMs()];
  const result = await act();
  times.push({ ms: performance.now() - began, cpu: cpuMs() - used });
  return result;
};

const told = (name, times) => {
  const at = (key, share) => {
    const sorted = times.map((one) => one[key]).sort((a, b) => a - b);
    return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  };
  console.log(
    `${name.padEnd(22)} p50 ${at('ms', 0.5)} ms, p95 ${at('ms', 0.95)} ms; CPU p50 ${at('cpu', 0.5)} ms, p95 ${at('cpu', 0.95)} ms`,
  );
};

const configMap = (index) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `one-${index}`, namespace: 'default' },
  data: { text: 'x'.repeat(1000) },
});

const { startTestServer } = await import(pathToFileURL(testing).href);
const [starts, resets, ends] = [[], [], []];
const configMaps = Array.from({ length: Number(values.objects) }, (_, index) => configMap(index));
const start = async () => {
  const server = await startTestServer();
  await server.until({ resource: 'namespaces', name: 'default' }, () => true);
  return server;
};
await (await start()).dispose();
for (let index = 0; index < Number(values.starts); index++) {
  const server = await timed(starts, start);
  await server.create(...configMaps);
  await timed(resets, () => server.reset());
  await timed(ends, () => server.dispose());
}
told(`${values.starts} starts`, starts);
told(`resets of ${values.objects} objects`, resets);
told('ends', ends);

const program = `
const { startTestServer } = await import(${JSON.stringify(pathToFileURL(testing).href)});
const server = await startTestServer();
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ ms: performance.now(), cpu: (user + system) / 1000 }));
await server.dispose();`;
const cold = [];
for (let index = 0; index <= Number(values.cold); index++) {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  if (stderr) console.error(stderr);
  // The first reads the files from the disk.
  if (index > 0) cold.push(JSON.parse(stdout));
}
if (cold.length > 0) told('starts from nothing', cold);
