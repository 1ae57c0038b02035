import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isForbidden } from '../../../client/index.js';
import { createClient } from '../../../generated/index.js';
import { PolicyIndex } from '../../../plugins/authorization/rbac/policy-index.js';
import { authenticatedUser } from '../../../plugins/kit.js';
import type { AdmissionPlugin } from '../../../runtime/contract/index.js';
import { type RunningServer, type StartOptions, startServer } from '../../../server/index.js';
import { FakeClock } from '../../support/fake-clock.js';

const anna = authenticatedUser('anna', '', []);
let clock: FakeClock;
let server: RunningServer;
let problems: string[];

async function start(options: Partial<StartOptions> = {}): Promise<void> {
  problems = [];
  clock = new FakeClock();
  const onProblem = (problem: string, error: unknown) => void problems.push(`${problem}: ${error}`);
  server = await startServer({ clock, controllers: [], http: false, ...options, onProblem });
}

beforeEach(() => start());
afterEach(async () => {
  vi.restoreAllMocks();
  await server.stop();
});

const api = (user?: typeof anna) => createClient(server.client(user));

/** Lets Anna read config maps in a namespace, by a role of its own. */
async function grant(namespace: string): Promise<void> {
  await api().core.v1.namespaces.create({ metadata: { name: namespace } });
  const rules = [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps'] }];
  const { roles, roleBindings } = api().rbac.v1;
  await roles.in(namespace).create({ metadata: { name: 'reader' }, rules });
  await roleBindings.in(namespace).create({
    metadata: { name: 'anna' },
    roleRef: { apiGroup: 'rbac.authorization.platform.io', kind: 'Role', name: 'reader' },
    subjects: [{ apiGroup: 'rbac.authorization.platform.io', kind: 'User', name: 'anna' }],
  });
}

const mayRead = (namespace: string): Promise<boolean> =>
  api(anna)
    .core.v1.configMaps.in(namespace)
    .list()
    .then(
      () => true,
      (error) => {
        if (isForbidden(error)) return false;
        throw error;
      },
    );

async function read(path: string): Promise<{ readonly code: number; readonly text: string }> {
  const answer = await server.client().transport?.send({ method: 'GET', path, headers: {} });
  if (!answer) throw new Error('the client has no transport of its own');
  return { code: answer.status, text: await answer.text() };
}

/** Returns lines of the metrics about a follower. */
const metricsOf = async (name: string): Promise<readonly string[]> =>
  (await read('/metrics')).text.split('\n').filter((line) => line.includes(`follower="${name}"`));

/** Makes a function of the index of roles throw, once or until `stop` is called. */
function breaks(method: 'setBinding' | 'deleteBinding', once = false): { readonly stop: () => void } {
  const spy = vi.spyOn(PolicyIndex.prototype, method);
  const injected = () => {
    throw new Error('injected');
  };
  if (once) spy.mockImplementationOnce(injected);
  else spy.mockImplementation(injected);
  return { stop: () => spy.mockRestore() };
}

describe('a server after one failure of its index of roles', () => {
  it('counts later role bindings, and the one that it failed on', async () => {
    breaks('setBinding', true);
    await grant('one');
    expect(await mayRead('one')).toBe(false);
    expect(problems).toEqual([
      'the follower RBAC has failed at rbac.authorization.platform.io/rolebindings/one/anna, ' +
        'and starts again from a fresh list: Error: injected',
    ]);
    await grant('two');
    expect(await mayRead('two')).toBe(true);
    await expect.poll(() => mayRead('one')).toBe(true);
    expect(await metricsOf('RBAC')).toEqual([
      'kindforge_follower_behind_seconds{follower="RBAC"} 0',
      'kindforge_follower_errors_total{follower="RBAC"} 1',
    ]);
  });
});

describe('a server that cannot update its index of roles', () => {
  it('reports it in /readyz and /metrics, stays alive, and denies after 30 seconds until it has recovered', async () => {
    await grant('one');
    expect(await mayRead('one')).toBe(true);
    expect((await read('/readyz')).code).toBe(200);
    const fault = breaks('deleteBinding');
    await grant('two');
    expect((await read('/readyz')).text).toContain('[-]followers failed: reason withheld');
    expect((await read('/livez')).code).toBe(200);
    await clock.advance(30_000);
    expect((await read('/readyz/followers')).text).toContain('RBAC is 30 s behind the store');
    expect((await metricsOf('RBAC'))[0]).toBe('kindforge_follower_behind_seconds{follower="RBAC"} 30');
    // The fresh list has left a state without bindings, which decides until the time limit.
    expect(await reasonOf('one')).not.toContain('has not kept up');
    await clock.advance(1);
    expect(await reasonOf('one')).toContain(
      'RBAC: the server has not kept up with the stored objects for more than 30 seconds',
    );
    // Administrators need no roles.
    await api().core.v1.configMaps.in('one').list();
    fault.stop();
    await expect.poll(() => mayRead('one'), { timeout: 10_000 }).toBe(true);
    expect(await mayRead('two')).toBe(true);
    expect((await read('/readyz')).code).toBe(200);
  });
});

/** Returns why Anna may not read config maps in a namespace, or an empty text if she may. */
const reasonOf = (namespace: string): Promise<string> =>
  api(anna)
    .core.v1.configMaps.in(namespace)
    .list()
    .then(
      () => '',
      (error) => String(error),
    );

describe('a plugin that fails on one object', () => {
  const seen: string[] = [];
  const plugin: AdmissionPlugin = {
    name: 'Picky',
    handles: () => false,
    start: (host) =>
      void host.follow('', 'configmaps', {
        changed: ({ metadata: { name = '' } }) => {
          if (name === 'bad') throw new Error('injected');
          seen.push(name);
        },
        removed: () => {},
        reset: () => void seen.splice(0),
      }),
  };

  it('receives all other objects, and the server names the object until it is gone', async () => {
    await server.stop();
    await start({ admission: { plugins: [plugin] } });
    const maps = api().core.v1.configMaps.in('default');
    await maps.create({ metadata: { name: 'bad' } });
    await maps.create({ metadata: { name: 'good' } });
    await expect.poll(() => seen).toContain('good');
    expect((await read('/readyz/followers')).text).toContain(
      'Picky/configmaps is 0 s behind the store, because of /configmaps/default/bad',
    );
    await maps.delete('bad');
    await expect.poll(async () => (await read('/readyz')).code, { timeout: 10_000 }).toBe(200);
  });
});
