/** Scenarios of servers with many objects: memory, starts, controllers at rest, many definitions. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './figures.mjs';
import { cpuSeconds, memoryMiB, definitions as otherDefinitions, pause, startServer, stop } from './processes.mjs';
import { ask, configMaps, create, inParallel, untilOk } from './requests.mjs';

/** Starts a server and resolves once it is ready. */
async function start(command, storage, flags) {
  const began = performance.now();
  const server = await startServer(command, storage, flags);
  await untilOk(`${server.url}/readyz`);
  return { ...server, seconds: (performance.now() - began) / 1000, cpu: cpuSeconds(server) };
}

export const memory = {
  name: 'memory',
  about: 'memory with many objects of 2 KiB on lmdb, after 48 clients created them and after a start with them',
  needs: ['build', '/proc'],
  options: { objects: 100_000, rest: 30 },
  rounds: 1,
  columns: () => [{ name: 'server', open: openFilled }],
};

async function openFilled({ command, folder, options: { objects, rest }, index }) {
  const storage = `lmdb:${join(folder, `memory-${index}`)}`;
  let server = await start(command, storage);
  await inParallel(objects, 48, (i) =>
    create(server.url + configMaps, {
      metadata: { name: `object-${i}`, labels: { app: 'bench' } },
      data: { payload: 'x'.repeat(1700) },
    }),
  );
  const { text } = await ask(`${server.url}${configMaps}/object-${objects - 1}`);
  const stored = (Buffer.byteLength(text) * objects) / 2 ** 20;
  const now = async () => {
    const busy = memoryMiB(server);
    await pause(rest);
    const atRest = memoryMiB(server);
    return {
      MiB: busy,
      'MiB at rest': atRest,
      'times what is stored': busy / stored,
      'times at rest': atRest / stored,
    };
  };
  const restarted = async () => {
    await stop(server);
    server = await start(command, storage);
    return { 's until ready': server.seconds, ...(await now()) };
  };
  return { rows: { created: now, 'started again': restarted }, close: () => stop(server) };
}

export const restart = {
  name: 'restart',
  about: 'starts of a server with very many objects on lmdb, its memory, and the first pages and lists',
  needs: ['build', '/proc'],
  options: { objects: 1_000_000, bytes: 512, data: '' },
  rounds: 3,
  columns: () => [{ name: 'server', open: openStored }],
};

const labels = { app: 'bench' };

/**
 * Opens a store with many objects. They are copies of one object of a server, written directly into the store. `--data`
 * keeps them for other runs.
 */
async function openStored({ command, load, folder, options: { objects, bytes, data }, index }) {
  const place = data === '' ? join(folder, `restart-${index}`) : data;
  if (!existsSync(place)) await fill(load, place, objects, await template(command, `lmdb:${place}`, bytes));
  const measure = async () => {
    const server = await start(command, `lmdb:${place}`);
    const ready = memoryMiB(server);
    const pages = [];
    for (let next = ''; pages.length < 20; ) {
      const { text, ms } = await ask(`${server.url}${configMaps}?limit=500${next}`);
      pages.push(ms);
      next = `&continue=${JSON.parse(text).metadata.continue}`;
    }
    const before = cpuSeconds(server);
    const { ms } = await ask(`${server.url}${configMaps}?labelSelector=app%3Dnone`);
    const figures = {
      's until ready': server.seconds,
      's of CPU until ready': server.cpu,
      'MiB when ready': ready,
      'first page of 500, ms': pages[0],
      'page of 500, ms': median(pages),
      'list by a label that none has, ms': ms,
      'list by a label that none has, ms of CPU': (cpuSeconds(server) - before) * 1000,
      'MiB then': memoryMiB(server),
    };
    await stop(server);
    return figures;
  };
  return { rows: { start: measure } };
}

/** Resolves to an object of about so many bytes, as the server stores it. */
async function template(command, storage, bytes) {
  const server = await start(command, storage);
  const dryRun = async (payload) => {
    const object = { metadata: { name: 'object', labels }, data: { payload } };
    const { text } = await ask(`${server.url}${configMaps}?dryRun=All`, { method: 'POST', object });
    return text;
  };
  const { length } = await dryRun('');
  const text = await dryRun('x'.repeat(Math.max(0, bytes - length)));
  await stop(server);
  return JSON.parse(text);
}

async function fill(load, place, objects, made) {
  const { lmdbBackend, openStore } = await load('dist/runtime/storage/index.js');
  const store = await openStore({ backend: lmdbBackend(place), readAttributes: () => ({ labels, fields: {} }) });
  await inParallel(objects, 4096, async (i) => {
    const name = `object-${String((i * 7919) % objects).padStart(8, '0')}`;
    const metadata = { resourceVersion: '', ...made.metadata, name, uid: crypto.randomUUID() };
    const text = JSON.stringify({ kind: made.kind, apiVersion: made.apiVersion, metadata, data: made.data });
    const revisionAt = text.indexOf('"resourceVersion":"') + '"resourceVersion":"'.length;
    const next = { text: `${text}\n`, revisionAt, attributes: { labels, fields: {} } };
    const { outcome } = await store.commit({ key: `/configmaps/default/${name}`, expected: 0, next });
    if (outcome !== 'committed') throw new Error(outcome);
  });
  await store.close();
}

export const controllers = {
  name: 'controllers',
  about: 'CPU time at rest with and without controllers, and how long many dependents of one object take to go',
  needs: ['build', '/proc'],
  options: { objects: 10_000, seconds: 60, storage: 'memory' },
  rounds: 1,
  columns: () => [
    { name: 'without controllers', open: (bench) => openOwned(bench, 'none') },
    { name: 'with controllers', open: (bench) => openOwned(bench, '*') },
  ],
};

async function openOwned({ command, options: { objects, seconds, storage } }, which) {
  const server = await start(command, storage, ['--allow-everyone', '--controllers', which]);
  const collection = server.url + configMaps;
  const data = { filling: 'x'.repeat(1500) };
  const { metadata } = await create(collection, { metadata: { name: 'owner' }, data });
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid }];
  await inParallel(objects, 16, (i) =>
    create(collection, { metadata: { name: `dependent-${i}`, ownerReferences }, data }),
  );
  const atRest = async () => {
    await pause(5);
    const before = cpuSeconds(server);
    await pause(seconds);
    return { '% of a core': ((cpuSeconds(server) - before) / seconds) * 100 };
  };
  const collect = async () => {
    const [before, began] = [cpuSeconds(server), performance.now()];
    await ask(`${collection}/owner`, { method: 'DELETE' });
    while (await hasDependents(collection)) await pause(0.02);
    return { 's until gone': (performance.now() - began) / 1000, 's of CPU': cpuSeconds(server) - before };
  };
  const rows = { 'at rest': atRest, ...(which === '*' ? { 'dependents of one object': collect } : {}) };
  return { rows, close: () => stop(server) };
}

async function hasDependents(collection) {
  const { text } = await ask(`${collection}?limit=1`);
  return JSON.parse(text).items.some(({ metadata }) => metadata.name.startsWith('dependent-'));
}

export const definitions = {
  name: 'definitions',
  about:
    'the time until many definitions of custom resources are served, and the documents that the server then builds',
  needs: ['build'],
  options: { schemas: otherDefinitions, writers: 4 },
  rounds: 1,
  columns: () => [{ name: 'server', open: openDefinitions }],
};

async function openDefinitions({ command, options: { schemas, writers } }) {
  const texts = readdirSync(schemas, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/.test(file))
    .map((file) => readFileSync(join(schemas, file), 'utf8'));
  const server = await start(command, 'memory', ['--allow-everyone', '--naming', 'kubernetes']);
  const collection = `${server.url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`;
  const post = async () => {
    const began = performance.now();
    let accepted = 0;
    await inParallel(texts.length, writers, async (i) => {
      const headers = { 'content-type': 'application/yaml' };
      const answer = await fetch(collection, { method: 'POST', body: texts[i], headers });
      await answer.arrayBuffer();
      if (answer.status === 201) accepted++;
    });
    const posted = (performance.now() - began) / 1000;
    while ((await countEstablished(collection)) < accepted) await pause(0.05);
    return {
      definitions: texts.length,
      accepted,
      's until posted': posted,
      's until established': (performance.now() - began) / 1000,
    };
  };
  const document = (path) => async () => {
    const first = await ask(server.url + path);
    return { 'first, ms': first.ms, 'again, ms': (await ask(server.url + path)).ms, KiB: first.text.length / 1024 };
  };
  const paths = ['/openapi/v3', '/openapi/v2', '/apis'];
  return {
    rows: { 'all definitions': post, ...Object.fromEntries(paths.map((path) => [path, document(path)])) },
    close: () => stop(server),
  };
}

async function countEstablished(collection) {
  const { text } = await ask(collection);
  const isTrue = ({ type, status }) => type === 'Established' && status === 'True';
  return JSON.parse(text).items.filter(({ status }) => status.conditions?.some(isTrue)).length;
}
