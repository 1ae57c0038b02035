/** Scenarios of clients that share a server: a flood, lists through selectors, watches that begin with the state. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { percentile } from './figures.mjs';
import { cpuSeconds, memoryMiB, pause, startServer, stop, wrk } from './processes.mjs';
import { ask, configMaps, create, inParallel } from './requests.mjs';

const payload = 'x'.repeat(1700);

export const fairness = {
  name: 'fairness',
  about:
    'how long the gets of one user take, alone and while another user floods the server, with fairness and without',
  needs: ['build', 'wrk'],
  options: { seconds: 4, connections: 64, every: 5, storage: 'memory' },
  rounds: 3,
  columns: () => [
    {
      name: 'fairness off',
      open: (bench) => openFlooded(bench, ['--enable-priority-and-fairness', 'false', '--max-requests-inflight', '0']),
    },
    { name: 'fairness on', open: (bench) => openFlooded(bench, []) },
  ],
};

/** The requests of each flood, in Lua, for wrk. */
const floods = {
  get: `wrk.path = "${configMaps}/one"`,
  list: `wrk.path = "${configMaps}?limit=500"`,
  create: `wrk.method = "POST"; wrk.path = "${configMaps}"; wrk.headers["content-type"] = "application/json"
wrk.body = '{"metadata":{"generateName":"flood-"},"data":{"a":"${payload}"}}'`,
};

async function openFlooded({ command, folder, options }, flags) {
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, 'flood,flooder,1\nquiet,other,2\n');
  const users = ['--token-auth-file', tokens, '--authorization-mode', 'AlwaysAllow'];
  const server = await startServer(command, options.storage, [...users, ...flags]);
  const headers = { authorization: 'Bearer quiet' };
  for (const name of ['one', ...Array.from({ length: 500 }, (_, i) => `filler-${i}`)]) {
    await create(server.url + configMaps, { metadata: { name }, data: { a: payload } }, headers);
  }
  await timesOfGets(server.url, headers, { ...options, seconds: 1 });
  const { seconds, connections } = options;
  const measure = (lua) => async () => {
    const alone = await timesOfGets(server.url, headers, options);
    const script = `${lua}\nwrk.headers["authorization"] = "Bearer flood"\n`;
    const flooding = wrk(server.url, { seconds: seconds + 1, connections, script, folder });
    await pause(0.5);
    const flooded = await timesOfGets(server.url, headers, options);
    const { perSecond, refused } = await flooding;
    return {
      'alone p50, ms': percentile(alone, 0.5),
      'alone p99, ms': percentile(alone, 0.99),
      'flooded p50, ms': percentile(flooded, 0.5),
      'flooded p99, ms': percentile(flooded, 0.99),
      'p99, times that alone': percentile(flooded, 0.99) / percentile(alone, 0.99),
      'flood, per second': perSecond,
      'flood, refused': refused,
    };
  };
  const rows = Object.fromEntries(Object.entries(floods).map(([name, lua]) => [name, measure(lua)]));
  return { rows, close: () => stop(server) };
}

/** Measures gets. One begins every few milliseconds. */
async function timesOfGets(url, headers, { seconds, every }) {
  const times = [];
  const until = performance.now() + seconds * 1000;
  for (let due = performance.now(); due < until; due += every) {
    const wait = due - performance.now();
    if (wait > 0) await pause(wait / 1000);
    const { ms, code } = await ask(`${url}${configMaps}/one`, { headers });
    if (code !== 200) throw new Error(`the other user got ${code}`);
    times.push(ms);
  }
  return times;
}

export const labels = {
  name: 'labels',
  about: 'CPU time of lists through selectors with more and more objects; ten objects share a rack',
  needs: ['build', 'wrk', '/proc'],
  options: { objects: '1000,10000,100000', storage: 'memory', seconds: 3 },
  rounds: 1,
  columns: ({ objects }) =>
    objects
      .split(',')
      .map((count) => ({ name: `${count} objects`, open: (bench) => openLabelled(bench, Number(count)) })),
};

const selectors = {
  'a get of one object': '/o-0000003',
  name: '?fieldSelector=metadata.name%3Do-0000003',
  'a label that no object has': '?labelSelector=rack%3Dnone',
  'a label that 10 objects have': '?labelSelector=rack%3Dr7',
  'that label and another that all have': '?labelSelector=app%3Dbench,rack%3Dr7',
  'either of two values, 20 objects': '?labelSelector=rack%20in%20(r7,r8)',
  'a label key that no object has': '?labelSelector=none',
  'the absence of a value, the first 10': '?labelSelector=rack!%3Dr7&limit=10',
  'the absence of a value that all have': '?labelSelector=app!%3Dbench',
};

/** The lists to measure also without changes since the list before. */
const again = ['a label that 10 objects have', 'the absence of a value that all have'];

/** Sends 64 forms of the same request in turn. The server keeps unchanged lists, but not so many. */
const differently = `local n = 0
request = function()
  n = n % 64 + 1
  return wrk.format("GET", wrk.path .. (wrk.path:find("?", 1, true) and "&" or "?") .. "timeoutSeconds=" .. n)
end
`;

async function openLabelled({ command, folder, options, index }, count) {
  const server = await startServer(
    command,
    options.storage === 'memory' ? 'memory' : `lmdb:${join(folder, `labels-${index}`)}`,
  );
  const collection = server.url + configMaps;
  await inParallel(count, 32, (number) => {
    const name = `o-${String(number).padStart(7, '0')}`;
    return create(collection, {
      metadata: { name, labels: { app: 'bench', rack: `r${Math.floor(number / 10)}` } },
      data: { payload },
    });
  });
  const measure = (search, script) => async () => {
    const load = (seconds) => wrk(collection + search, { seconds, connections: 32, script, folder });
    // The first requests build and compile code and data for all others.
    await load(1);
    const before = cpuSeconds(server);
    const { requests, refused } = await load(options.seconds);
    if (refused > 0) throw new Error(`${search}: ${refused} were refused`);
    return { 'µs of CPU': ((cpuSeconds(server) - before) / requests) * 1e6 };
  };
  const rows = {
    ...Object.fromEntries(Object.entries(selectors).map(([name, search]) => [name, measure(search, differently)])),
    ...Object.fromEntries(again.map((name) => [`${name}, again`, measure(selectors[name])])),
    memory: async () => ({ MiB: memoryMiB(server) }),
  };
  return { rows, close: () => stop(server) };
}

export const state = {
  name: 'state',
  about: 'watches that begin with the state: the cost of sending it, and the memory for clients that do not read it',
  needs: ['build', '/proc'],
  options: { objects: 2000, watchers: 200 },
  rounds: 1,
  columns: () => [{ name: 'server', open: openWatched }],
};

async function openWatched({ command, options: { objects, watchers } }) {
  const server = await startServer(command, 'memory');
  await inParallel(objects, 32, (i) =>
    create(server.url + configMaps, { metadata: { name: `state-${i}`, labels: { app: 'bench' } }, data: { payload } }),
  );
  const measure = async () => {
    await pause(1);
    const [memoryBefore, cpuBefore] = [memoryMiB(server), cpuSeconds(server)];
    const sockets = await Promise.all(
      Array.from({ length: watchers }, () => openWatch(Number(new URL(server.url).port))),
    );
    let unread = 0;
    for (let i = 0; i < 20; i++) {
      await pause(0.1);
      unread = Math.max(unread, memoryMiB(server) - memoryBefore);
    }
    const began = performance.now();
    await Promise.all(sockets.map((socket) => readState(socket, objects)));
    const seconds = (performance.now() - began) / 1000;
    const micros = ((cpuSeconds(server) - cpuBefore) * 1e6) / (objects * watchers);
    for (const socket of sockets) socket.destroy();
    return { 'MiB while nobody reads': unread, 'µs of CPU per object': micros, 's until all is read': seconds };
  };
  return { rows: { state: measure }, close: () => stop(server) };
}

/** Asks for a watch, and reads nothing yet. */
async function openWatch(port) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${configMaps}?watch=true HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
  return socket;
}

/** The beginning of the lines of the state. */
const begin = '{"type":"ADDED"';

/** Reads until all objects have come. */
async function readState(socket, objects) {
  let seen = 0;
  let rest = '';
  for await (const chunk of socket.setEncoding('latin1')) {
    const text = rest + chunk;
    seen += text.split(begin).length - 1;
    // The possible beginning of the next line. It is shorter than a whole one, so that none is counted twice.
    rest = text.slice(1 - begin.length);
    if (seen >= objects) return;
  }
  throw new Error(`only ${seen} of ${objects} objects came`);
}
