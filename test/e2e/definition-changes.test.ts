/** Writes in flight while a definition or a namespace changes. The server never stores objects by outdated rules. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { ask } from '../support/ask.js';
import {
  heater,
  heaterDefinition,
  heaters,
  heaterVersions,
  startConversionWebhook,
} from '../support/conversion-webhook.js';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd } from '../support/etcd.js';
import { until } from '../support/eventually.js';
import { type ListeningServer, startServing } from '../support/serving.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const own = `${definitions}/heaters.home.example.com`;
const text = { type: 'string' };

/** Makes a gate that delays the webhook until the test opens the gate. */
function gate(): { readonly held: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const held = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { held, open };
}

const webhook = await startConversionWebhook();
afterAll(() => webhook.close());

/** Runs the tests. `b` is another server over the same store, or `a` if there is only one. */
function raceWith(start: () => Promise<{ a: ListeningServer; b: ListeningServer }>): void {
  let a: ListeningServer;
  let b: ListeningServer;
  // Reads from the server that writes, because the other server learns of the write later.
  const stored = (): readonly string[] => {
    const listed = b.store.list('home.example.com/heaters/');
    return typeof listed === 'string' ? [listed] : listed.entries.map(({ bytes }) => Buffer.from(bytes).toString());
  };
  const isServed = (server: ListeningServer) => async () => (await ask(server, 'GET', heaters('v2'))).code === 200;

  beforeAll(async () => {
    ({ a, b } = await start());
  });
  afterAll(() => Promise.all([a?.stop(), b !== a && b?.stop()]));
  beforeEach(async () => {
    webhook.reviews = [];
    const made = await ask(a, 'POST', definitions, heaterDefinition(webhook, ['v1'], heaterVersions({ note: text })));
    expect(made.code).toBe(201);
    for (const server of [a, b]) await until(isServed(server));
  });
  afterEach(async () => {
    webhook.held = Promise.resolve();
    await ask(a, 'DELETE', own);
    // Servers serve a deleted definition for a moment. The next test must not find it.
    for (const server of [a, b]) await until(async () => (await ask(server, 'GET', own)).code === 404);
    for (const server of [a, b]) await until(async () => (await ask(server, 'GET', heaters('v2'))).code === 404);
  });

  it('a create uses the schema at the time of storing', async () => {
    const { held, open } = gate();
    webhook.held = held;
    const creating = ask(b, 'POST', heaters('v2'), heater('late', { power: { watts: 1 }, note: 'gone' }));
    await until(() => webhook.reviews.length === 1);
    expect((await ask(a, 'PATCH', own, { spec: { versions: heaterVersions() } })).code).toBe(200);
    open();
    const created = await creating;
    expect(created).toMatchObject({ code: 201, body: { spec: { power: { watts: 1 } } } });
    expect(created.body.spec).not.toHaveProperty('note');
    expect(stored().join('')).not.toContain('gone');
  });

  it('an update uses the default at the time of storing', async () => {
    expect((await ask(b, 'POST', heaters('v2'), heater('there', { power: { watts: 1 } }))).code).toBe(201);
    webhook.reviews = [];
    const { held, open } = gate();
    webhook.held = held;
    const patching = ask(b, 'PATCH', `${heaters('v2')}/there`, { spec: { power: { watts: 2 } } });
    await until(() => webhook.reviews.length === 1);
    const note = { type: 'string', default: 'added' };
    expect((await ask(a, 'PATCH', own, { spec: { versions: heaterVersions({ note }) } })).code).toBe(200);
    open();
    expect(await patching).toMatchObject({ code: 200, body: { spec: { power: { watts: 2 }, note: 'added' } } });
    expect(stored().join('')).toContain('added');
  });

  it('a list follows the schema at the time of its answer', async () => {
    const spec = { watts: 1, note: 'gone' };
    expect((await ask(b, 'POST', heaters('v1'), heater('there', spec, 'v1'))).code).toBe(201);
    const { held, open } = gate();
    webhook.held = held;
    const listing = ask(b, 'GET', heaters('v2'));
    await until(() => webhook.reviews.length === 1);
    expect((await ask(a, 'PATCH', own, { spec: { versions: heaterVersions() } })).code).toBe(200);
    await until(async () => !JSON.stringify(await ask(b, 'GET', own)).includes('note'));
    open();
    expect(await listing).toMatchObject({ code: 200, body: { items: [{ spec: { power: { watts: 1 } } }] } });
    expect(JSON.stringify((await listing).body.items)).not.toContain('"note"');
  });

  it('creates are refused during the deletion of the definition', async () => {
    const { held, open } = gate();
    webhook.held = held;
    const creating = ask(b, 'POST', heaters('v2'), heater('late', { power: { watts: 1 } }));
    await until(() => webhook.reviews.length === 1);
    await ask(a, 'DELETE', own);
    for (const server of [a, b]) await until(async () => (await ask(server, 'GET', own)).code === 404);
    open();
    expect([404, 405]).toContain((await creating).code);
    expect(stored()).toEqual([]);
  });

  it('a stream of writes leaves no objects after the deletion, and no fields that the schema does not have', async () => {
    let made = 0;
    let isOver = false;
    const answers = new Set<number>();
    const writer = async (of: ListeningServer): Promise<void> => {
      while (!isOver) {
        const name = `many-${made++}`;
        const spec = { watts: made, note: 'some', other: 'more' };
        const { code, body } = await ask(of, 'POST', heaters('v1'), heater(name, spec, 'v1'));
        answers.add(code);
        if (code === 201) await ask(of, 'PATCH', `${heaters('v1')}/${name}`, { spec });
        else if (code >= 500) throw new Error(JSON.stringify(body));
      }
    };
    const writers = [a, b, a, b, a, b].map(writer);
    for (let round = 0; round < 6; round++) {
      const versions = heaterVersions({ [round % 2 ? 'note' : 'other']: text });
      expect((await ask(a, 'PATCH', own, { spec: { versions } })).code).toBe(200);
      const from = a.store.revision;
      await sleep(60);
      const unknown = round % 2 ? '"other"' : '"note"';
      const listed = a.store.list('home.example.com/heaters/');
      const late = typeof listed === 'string' ? [] : listed.entries.filter(({ revision }) => revision > from);
      const specs = late.map(({ bytes }): JsonValue => JSON.parse(Buffer.from(bytes).toString()).spec);
      expect(specs.filter((spec) => isObject(spec) && unknown.slice(1, -1) in spec)).toEqual([]);
    }
    await ask(b, 'DELETE', own);
    for (const server of [a, b]) await until(async () => (await ask(server, 'GET', own)).code === 404);
    isOver = true;
    await Promise.all(writers);
    expect(stored()).toEqual([]);
    expect([...answers].filter((code) => ![201, 404, 405].includes(code))).toEqual([]);
  });

  it('creates are refused in a terminating namespace', async () => {
    await ask(a, 'POST', '/api/v1/namespaces', { metadata: { name: 'short' } });
    const { held, open } = gate();
    webhook.held = held;
    const place = heaters('v2').replace('default', 'short');
    const creating = ask(b, 'POST', place, heater('late', { power: { watts: 1 } }));
    await until(() => webhook.reviews.length === 1);
    await ask(a, 'DELETE', '/api/v1/namespaces/short');
    await until(async () => (await ask(a, 'GET', '/api/v1/namespaces/short')).code === 404);
    open();
    expect(await creating).toMatchObject({ code: 404, body: { message: 'namespaces "short" not found' } });
    expect(stored()).toEqual([]);
  });
}

/** Other controllers would read and convert the objects, but the test counts only the reviews of its own requests. */
const flags = { naming: 'kubernetes', controllers: 'namespace' } as const;

describe('on one server', () => {
  raceWith(async () => {
    const a = await startServing(flags);
    return { a, b: a };
  });
});

describe.runIf(hasEtcd)(`on two servers over one ${etcdOrWhyNot}`, () => {
  let etcd: EtcdCluster;
  afterAll(() => etcd?.dispose());
  raceWith(async () => {
    etcd = await startEtcd();
    const shared = { ...flags, storage: `etcd:${etcd.endpoints.join(',')}?prefix=changes` } as const;
    const a = await startServing(shared);
    return { a, b: await startServing(shared) };
  });
});
