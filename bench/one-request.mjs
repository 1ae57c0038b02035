/**
 * Scenarios of single requests: the source files that run for a request, and the delay of all others by heavy requests.
 */
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask, configMaps, create, startInProcess } from './requests.mjs';

export const files = {
  name: 'files',
  about: 'source files that a warmed create and get pass through, by the precise coverage of V8; --names 1 lists them',
  options: { names: 0 },
  rounds: 1,
  columns: () => [{ name: 'source files', open: openCovered }],
};

/** Starts a server on lmdb. It has no controllers, because their work would count as part of the request. */
async function openCovered(bench) {
  const storage = { lmdb: join(bench.folder, `files-${bench.index}`) };
  const server = await startInProcess(bench, { storage });
  const collection = server.url + configMaps;
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  let made = 0;
  const requests = {
    create: () => create(collection, { metadata: { name: `object-${made++}` }, data: { text: 'x' } }),
    get: () => ask(`${collection}/object-0`),
  };
  const measure = (name) => async () => {
    for (let warm = 0; warm < 50; warm++) await requests[name]();
    // After this pause, the later work of earlier requests is done.
    await new Promise((resolve) => setTimeout(resolve, 500));
    await session.post('Profiler.takePreciseCoverage');
    await requests[name]();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const passed = productFiles(result, bench.checkout);
    if (bench.options.names > 0) for (const file of passed) console.log(`  ${name} ${file}`);
    return { files: passed.length };
  };
  return { rows: { create: measure('create'), get: measure('get') }, close: () => server.stop() };
}

/** Returns the files of a checkout with functions that have run since the last coverage. */
function productFiles(scripts, checkout) {
  return scripts
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .filter(({ url }) => url.startsWith('file://'))
    .map(({ url }) => fileURLToPath(url))
    .filter((path) => path.startsWith(checkout) && !/\/(node_modules|bench)\//.test(path.slice(checkout.length - 1)))
    .map((path) => path.slice(checkout.length))
    .sort();
}

export const stalls = {
  name: 'stalls',
  about: 'how long single heavy requests keep all others waiting, and all time that they take of the main thread',
  needs: ['/proc'],
  options: { groups: '', node: '' },
  rounds: 1,
  columns: () => [{ name: 'server', open: openProbed }],
};

async function openProbed({ load, options }) {
  const { heavyRequests } = await load('test/support/stalls/heavy-requests.ts');
  const { probedFlags, startProbed } = await load('test/support/stalls/probed-server.ts');
  const wanted = options.groups === '' ? Object.keys(heavyRequests) : options.groups.split(',');
  const rows = {};
  let current = { group: '', stop: async () => {} };
  for (const group of wanted) {
    for (const request of heavyRequests[group] ?? []) {
      rows[`${group}: ${request.label}`] = async () => {
        if (current.group !== group) {
          await current.stop();
          const server = await startProbed(probedFlags, options.node === '' ? [] : options.node.split(' '));
          current = { group, server, stop: () => server.stop() };
        }
        const { longest, total, code } = await current.server.measure(request);
        return { 'longest, ms': longest, 'all, ms': total, code };
      };
    }
  }
  return { rows, close: () => current.stop() };
}
