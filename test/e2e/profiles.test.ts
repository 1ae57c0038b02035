/** Profiles of a server: the required rights, the content, and the limits. */
import { readdirSync } from 'node:fs';
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ListeningServer, startServer } from '../../server/index.js';
import { builtCommand } from '../support/built-command.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';

let server: ListeningServer;
let token: string;
beforeAll(async () => {
  server = await startServer({ profiling: true, controllers: [] });
  token = JSON.parse(server.kubeconfig).users[0].user.token;
});
afterAll(() => server.stop());

const ask = (path: string, headers: Record<string, string> = { authorization: `Bearer ${token}` }, method = 'GET') =>
  fetch(server.url + path, { method, headers });

describe('profiles', () => {
  it('need the right to read their paths', async () => {
    expect(await (await ask('/debug/pprof/')).text()).toContain('/debug/pprof/profile?seconds=');
    for (const path of [
      '/debug/pprof',
      '/debug/pprof/profile?seconds=1',
      '/debug/pprof/heap',
      '/debug/pprof/heap-snapshot',
    ]) {
      expect((await ask(path, {})).status, path).toBe(401);
    }
    const act = { authorization: `Bearer ${token}`, 'impersonate-user': 'anna' };
    expect((await ask('/debug/pprof/profile?seconds=1', act)).status).toBe(403);
  });

  it('are read only by GET, and not by pages of other sites', async () => {
    const authorization = `Bearer ${token}`;
    expect((await ask('/debug/pprof/profile', { authorization }, 'POST')).status).toBe(405);
    for (const site of ['cross-site', 'same-site']) {
      expect((await ask('/debug/pprof/profile?seconds=1', { authorization, 'sec-fetch-site': site })).status).toBe(403);
    }
  });

  it('of the CPU name the functions that took time', async () => {
    const answer = await ask('/debug/pprof/profile?seconds=1');
    expect(answer.headers.get('content-disposition')).toContain('.cpuprofile');
    const profile: { nodes: unknown[]; samples: unknown[]; startTime: number; endTime: number } = await answer.json();
    expect(profile.nodes.length).toBeGreaterThan(0);
    expect(profile.endTime - profile.startTime).toBeGreaterThan(900_000);
  });

  it('of the heap name the functions that allocated', async () => {
    const profile: { head: { callFrame: object } } = await (await ask('/debug/pprof/heap?seconds=1')).json();
    expect(profile.head.callFrame).toMatchObject({ functionName: '(root)' });
  });

  it('have limits, and run one at a time', async () => {
    for (const seconds of ['0', '301', '-1', '1.5', 'x', '99999', '']) {
      expect((await ask(`/debug/pprof/profile?seconds=${seconds}`)).status, seconds).toBe(400);
    }
    const first = ask('/debug/pprof/profile?seconds=1');
    await expect.poll(async () => (await ask('/debug/pprof/heap?seconds=1')).status).toBe(429);
    expect((await ask('/debug/pprof/heap-snapshot')).headers.get('retry-after')).toBe('10');
    expect((await first).status).toBe(200);
    expect((await ask('/debug/pprof/heap?seconds=1')).status).toBe(200);
  });
});

/** Runs in a process of its own, with a smaller heap than the tests. */
describe('a snapshot of the heap', () => {
  const folder = scratchFolder();
  let process: ServerProcess;
  beforeAll(async () => {
    // Lists files before, because builds leave files there.
    builtCommand();
    vi.stubEnv('TMPDIR', folder);
    process = await startServerProcess('--storage', 'memory', '--profiling');
    vi.unstubAllEnvs();
  });
  afterAll(async () => {
    await process.end('SIGKILL');
  });

  it('is complete, and leaves no file', async () => {
    const before = readdirSync(folder);
    const answer = await fetch(`${process.url}/debug/pprof/heap-snapshot`);
    expect(answer.status).toBe(200);
    expect(readdirSync(folder)).toEqual(before);
    expect((await answer.text()).slice(0, 200)).toContain('{"snapshot":{"meta":');
  });

  it('can be taken again after a client has left in the middle', async () => {
    await new Promise<void>((resolve, reject) => {
      const call = get(`${process.url}/debug/pprof/heap-snapshot`, (answer) => {
        answer.once('data', () => answer.destroy());
        answer.once('close', resolve);
      });
      call.on('error', reject);
    });
    const heap = `${process.url}/debug/pprof/heap?seconds=1`;
    await expect.poll(async () => (await fetch(heap)).status, { timeout: 20_000 }).toBe(200);
  });
});

it('a server that stops does not wait for a profile', async () => {
  const stopping = await startServer({
    profiling: true,
    controllers: [],
    authentication: { anonymous: 'administrator' },
  });
  const profile = fetch(`${stopping.url}/debug/pprof/profile?seconds=300`);
  await expect.poll(async () => (await fetch(`${stopping.url}/debug/pprof/heap?seconds=1`)).status).toBe(429);
  await stopping.stop();
  expect(await (await profile).json()).toHaveProperty('nodes');
});

it('without the option there are none', async () => {
  const plain = await startServer({ controllers: [], authentication: { anonymous: 'administrator' } });
  onTestFinished(() => plain.stop());
  for (const path of [
    '/debug/pprof/',
    '/debug/pprof/profile?seconds=1',
    '/debug/pprof/heap',
    '/debug/pprof/heap-snapshot',
  ]) {
    expect((await fetch(plain.url + path)).status, path).toBe(404);
  }
});
