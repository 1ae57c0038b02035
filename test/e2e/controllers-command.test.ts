/** `kindforge controllers`: controllers in a process of their own. */
import { expect, it } from 'vitest';
import { send } from '../support/ask.js';
import { filesIn, scratchFolder } from '../support/scratch-folder.js';
import { runCommand, type Spawned, spawnCommand } from '../support/server-process.js';
import { servingForTests } from '../support/serving.js';

const server = servingForTests({ controllers: 'none', naming: 'kubernetes' });

const module = filesIn(scratchFolder());

const own = `export default {
  name: 'own',
  async run({ client, signal, onReady }) {
    console.log('own runs');
    onReady();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    console.log('own ends');
  },
};`;

/** Waits up to 30 s, because machines may be busy. */
const soon = <T>(ask: () => T) => expect.poll(ask, { timeout: 30_000 });

const get = async (url: string): Promise<string> => {
  const answer = await fetch(url);
  return `${answer.status} ${await answer.text()}`;
};

const urlOf = async ({ out }: Spawned): Promise<string> => {
  await soon(out).toMatch(/health and metrics: \S+\n/);
  return /metrics: (\S+)/.exec(out())?.[1] ?? '';
};

it('runs controllers of the server and of a module, reports their state, and ends on a signal', async () => {
  const path = module('own.mjs', own);
  const flags = [
    '--controllers',
    '*,-clusterrole-aggregation',
    '--module',
    path,
    '--http-port',
    'auto',
    '--leader-elect',
  ];
  const running = spawnCommand('controllers', '--server', server().url, ...flags);
  const url = await urlOf(running);
  expect(running.out()).toMatch(/^running: .*namespace, .*serviceaccount.*, own$/m);
  expect(running.out()).not.toContain('clusterrole-aggregation');
  await soon(running.out).toContain('own runs');

  await send(server(), 'POST', '/api/v1/namespaces', { body: { metadata: { name: 'tried' } } });
  await soon(() => get(`${server().url}/api/v1/namespaces/tried/serviceaccounts/default`)).toMatch(/^200/);
  await send(server(), 'DELETE', '/api/v1/namespaces/tried');
  await soon(() => get(`${server().url}/api/v1/namespaces/tried`)).toMatch(/^404/);

  expect(await get(`${url}/healthz`)).toBe('200 ok');
  expect(await get(`${url}/healthz/own`)).toBe('200 ok');
  expect(await get(`${url}/healthz/other`)).toBe('404 not found\n');
  const metrics = await get(`${url}/metrics`);
  expect(metrics).toMatch(/workqueue_adds_total\{name="namespace"\} [1-9]/);
  expect(metrics).toContain('kindforge_controller_running{name="own"} 1');
  expect(metrics).toContain('leader_election_master_status{name="kindforge-controllers"} 1');

  running.child.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 0, out: expect.stringContaining('own ends'), err: '' });
}, 120_000);

it('reports that a controller failed', async () => {
  const path = module(
    'broken.mjs',
    `export default { name: 'broken', run: async () => { throw new Error('broken'); } };`,
  );
  const running = spawnCommand(
    'controllers',
    '--server',
    server().url,
    '--controllers',
    'none',
    '--module',
    path,
    '--http-port',
    'auto',
  );
  const url = await urlOf(running);
  await soon(() => get(`${url}/healthz`)).toBe('500 failed: broken\n');
  running.child.kill('SIGTERM');
  expect((await running.ended).err).toContain('kindforge: broken controller: starts again: broken');
}, 60_000);

it.each([
  [['--controllers', 'namespaces'], 'namespaces is unknown; did you mean namespace?'],
  [['--http-port', 'x'], '--http-port x: must be a port from 1 to 65535, or auto'],
  [['--module', 'package.json.mjs'], 'package.json.mjs'],
  [['--server', 'http://127.0.0.1:1'], 'is the server running'],
])(
  'refuses %j',
  async (flags, message) => {
    const { code, err } = await runCommand('controllers', '--server', server().url, ...flags);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  },
  60_000,
);
