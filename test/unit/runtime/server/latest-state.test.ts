/** Writes build on the latest state even if memory is behind, and decisions on an older state do not count. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdmissionPlugin, ApiObject, Store } from '../../../../runtime/contract/index.js';
import { type SharedStore, sharedStore } from '../../../support/shared-store.js';
import { startTestApi, type TestApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

const other = { 'user-agent': 'another/1.0' };
const applied = { 'content-type': 'application/apply-patch+yaml' };

/** The plugin's actions outside of the server. */
let done: string[];

/** Refuses requests if there is a widget `stop`; acts once for each of the others. */
const plugin: AdmissionPlugin = {
  name: 'Stop',
  handles: () => true,
  async validate({ name, object }, context) {
    const refusal = object && (await context.confirm?.());
    if (refusal) return refusal;
    if (context.get('example.com', 'widgets', 'default', 'stop')) return { reason: 'Forbidden', message: 'stopped' };
    done.push(name);
    return undefined;
  },
};

/** Decides, and does nothing. */
const deciding: AdmissionPlugin = {
  ...plugin,
  validate: (_attributes, context) =>
    context.get('example.com', 'widgets', 'default', 'stop') ? { reason: 'Forbidden', message: 'stopped' } : undefined,
};

describe('over a store that others write to', () => {
  let shared: SharedStore;
  let api: TestApi;
  /** Another server over the same data, which never needs to confirm its state. */
  let another: TestApi;

  async function start(...plugins: readonly AdmissionPlugin[]): Promise<void> {
    done = [];
    another = await startTestApi([widgets]);
    shared = sharedStore(another.store);
    api = await startTestApi([widgets], { plugins, store: shared.store });
  }
  beforeEach(() => start());
  afterEach(() => another.close());

  const othersCreate = (object: ApiObject) =>
    shared.othersWrite(() => another.send('POST', widgetsPath, object, other));
  const spec = (object: Readonly<Record<string, unknown>>) => object.spec;

  it('writes need no confirmation if nobody else has written', async () => {
    expect((await api.send('POST', widgetsPath, widget('a', { size: 1 }))).code).toBe(201);
    expect((await api.send('PATCH', `${widgetsPath}/a`, { spec: { color: 'red' } })).code).toBe(200);
    expect((await api.send('PUT', `${widgetsPath}/a`, widget('a', { size: 2 }))).code).toBe(422);
    const { metadata } = (await api.send('GET', `${widgetsPath}/a`)).body;
    const confirmed = shared.confirmations;
    expect((await api.send('PUT', `${widgetsPath}/a`, { ...widget('a', { size: 2 }), metadata })).code).toBe(200);
    expect((await api.send('PATCH', `${widgetsPath}/b?fieldManager=m`, widget('b'), applied)).code).toBe(201);
    expect((await api.send('DELETE', `${widgetsPath}/a`)).code).toBe(200);
    expect(shared.confirmations).toBe(confirmed);
  });

  it('a change builds on the writes of others', async () => {
    await api.send('POST', widgetsPath, widget('a', { size: 1 }));
    shared.othersWrite(() => another.send('PATCH', `${widgetsPath}/a`, { spec: { size: 7 } }, other));
    const { code, body } = await api.send('PATCH', `${widgetsPath}/a`, { spec: { color: 'red' } });
    expect({ code, spec: spec(body) }).toEqual({ code: 200, spec: { size: 7, color: 'red' } });
  });

  it('a change without an answer is not made again, even if others have written meanwhile', async () => {
    const { metadata } = (await api.send('POST', widgetsPath, widget('a', { size: 1 }))).body;
    othersCreate(widget('b'));
    shared.loseAnswer();
    const answer = await api.send('PUT', `${widgetsPath}/a`, { ...widget('a', { size: 1, color: 'red' }), metadata });
    expect([answer.code, answer.body.reason]).toEqual([504, 'Timeout']);
    expect(spec((await api.send('GET', `${widgetsPath}/a`)).body)).toEqual({ size: 1, color: 'red' });
  });

  it('an object that cannot be read is removed only once, even if others have written meanwhile', async () => {
    const damage = { key: 'example.com/widgets/default/a', problem: 'it is not JSON', cure: 'delete it' };
    let isStored = true;
    const damaged: Pick<Store, 'unreadable' | 'evict'> = {
      unreadable: () => (isStored ? [damage] : []),
      async evict() {
        isStored = false;
        othersCreate(widget('b'));
        return undefined;
      },
    };
    const store = new Proxy(shared.store, {
      get: (target, name) => Reflect.get(name in damaged ? damaged : target, name),
    });
    api = await startTestApi([widgets], { store, featureEnabled: () => true });
    const unsafe = 'ignoreStoreReadErrorWithClusterBreakingPotential=true';
    expect((await api.send('DELETE', `${widgetsPath}/a?${unsafe}`)).code).toBe(200);
    isStored = true;
    othersCreate(widget('c'));
    expect((await api.send('DELETE', `${widgetsPath}/a?${unsafe}`)).code).toBe(200);
  });

  it('a name that another server has taken is taken', async () => {
    othersCreate(widget('a', { size: 1 }));
    expect((await api.send('POST', widgetsPath, widget('a', { size: 2 }))).code).toBe(409);
    expect(spec((await api.send('GET', `${widgetsPath}/a`)).body)).toEqual({ size: 1 });
  });

  it.each([
    ['PATCH', { spec: { color: 'red' } }, {}, 200],
    ['DELETE', undefined, {}, 200],
    ['PUT', widget('a', {}, { resourceVersion: '1000000' }), {}, 409],
  ])('%s of an object that another server has created finds it', async (method, body, headers, code) => {
    othersCreate(widget('a'));
    expect((await api.send(method, `${widgetsPath}/a`, body, headers)).code).toBe(code);
  });

  it('a missing object is confirmed to be missing', async () => {
    expect((await api.send('DELETE', `${widgetsPath}/a`)).code).toBe(404);
    expect(shared.confirmations).toBe(1);
  });

  it('a dry run sees the writes of others', async () => {
    othersCreate(widget('a'));
    expect((await api.send('POST', `${widgetsPath}?dryRun=All`, widget('a'))).code).toBe(409);
    expect((await api.send('POST', `${widgetsPath}?dryRun=All`, widget('b'))).code).toBe(201);
  });

  it('a refusal because of an object that another server has removed does not count', async () => {
    await start(deciding);
    await another.send('POST', widgetsPath, widget('stop'));
    shared.othersWrite(() => another.send('DELETE', `${widgetsPath}/stop`));
    expect((await api.send('POST', widgetsPath, widget('a'))).code).toBe(201);
  });

  it('admission checks objects that another server has created', async () => {
    await start(deciding);
    othersCreate(widget('stop'));
    expect((await api.send('POST', widgetsPath, widget('a'))).code).toBe(403);
    expect((await api.send('GET', `${widgetsPath}/a`)).code).toBe(404);
  });

  it('a plugin that acts does so once, on the latest state', async () => {
    await start(plugin);
    othersCreate(widget('b'));
    expect((await api.send('POST', widgetsPath, widget('a'))).code).toBe(201);
    expect(done).toEqual(['a']);
    othersCreate(widget('stop'));
    expect((await api.send('POST', widgetsPath, widget('c'))).code).toBe(403);
    expect(done).toEqual(['a']);
  });

  it('every object of a collection is deleted, whatever is written meanwhile', async () => {
    for (const name of ['a', 'b', 'c']) await api.send('POST', widgetsPath, widget(name));
    othersCreate(widget('d'));
    expect((await api.send('DELETE', widgetsPath)).code).toBe(200);
    expect((await another.send('GET', widgetsPath)).body.items).toEqual([]);
  });
});
