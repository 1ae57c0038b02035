/** The verb `delete`: at once, or by a mark if the object must wait; preconditions and dry runs. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { isObject } from '../../../../runtime/objects/guards.js';
import { moduleOf } from '../../../support/modules.js';
import { suiteApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

const notes = moduleOf('', 'notes', 'Note');
const guard = {
  name: 'Guard',
  handles: () => true,
  validate: ({ operation, oldObject }: { operation: string; oldObject?: { metadata: { name?: string } } }) =>
    operation === 'DELETE' && oldObject?.metadata.name === 'kept'
      ? ({ reason: 'Forbidden', message: 'this one stays' } as const)
      : undefined,
};
const holds = { resource: moduleOf('', 'helds', 'Held'), mayRemove: () => false };
/** Objects that take a minute to end, unless the request asks for another time. */
const slow = {
  resource: moduleOf('', 'slows', 'Slow'),
  gracePeriod: (_object: ApiObject, wanted: number | undefined) => wanted ?? 60,
  mayRemove: ({ metadata }: ApiObject) => (metadata.deletionGracePeriodSeconds ?? 0) === 0,
};
const api = await suiteApi([widgets, notes, holds.resource, slow.resource], {
  plugins: [guard],
  handlers: [holds, slow],
});
afterEach(() => vi.restoreAllMocks());

let count = 0;

async function created(metadata: JsonObject = {}) {
  const name = `w${count++}`;
  const { body } = await api.send('POST', widgetsPath, widget(name, {}, metadata));
  const found = isObject(body.metadata) ? body.metadata : {};
  return { name, path: `${widgetsPath}/${name}`, uid: found.uid, resourceVersion: found.resourceVersion };
}

const held = { finalizers: ['example.com/hold'] };

describe('delete', () => {
  it('removes the object and answers with a Status with its uid', async () => {
    const { path, name, uid } = await created();
    expect(await api.send('DELETE', path)).toMatchObject({
      code: 200,
      body: { kind: 'Status', status: 'Success', details: { name, group: 'example.com', kind: 'widgets', uid } },
    });
    expect((await api.send('GET', path)).code).toBe(404);
    expect((await api.send('DELETE', path)).code).toBe(404);
  });

  it('answers with the last object for kinds with this rule', async () => {
    const path = '/api/v1/namespaces/default/notes';
    const { body } = await api.send('POST', path, { metadata: { name: 'a' } });
    const reply = await api.send('DELETE', `${path}/a`);
    expect(reply).toMatchObject({ code: 200, body: { kind: 'Note' } });
    expect(reply.body).toHaveProperty('metadata.uid', isObject(body.metadata) ? body.metadata.uid : '');
  });

  it('may be refused by admission', async () => {
    await api.send('POST', widgetsPath, widget('kept'));
    expect((await api.send('DELETE', `${widgetsPath}/kept`)).body.message).toBe('this one stays');
    expect((await api.send('GET', `${widgetsPath}/kept`)).code).toBe(200);
  });
});

describe('an object with finalizers', () => {
  it('is marked, once, and the answer is the marked object', async () => {
    const { path } = await created(held);
    const marked = await api.send('DELETE', path);
    expect(marked).toMatchObject({
      code: 200,
      body: {
        kind: 'Widget',
        metadata: { deletionTimestamp: expect.any(String), deletionGracePeriodSeconds: 0, generation: 2, ...held },
      },
    });
    const before = api.store.revision;
    const again = await api.send('DELETE', path);
    expect(again.body).toEqual(marked.body);
    expect(api.store.revision).toBe(before);
    expect((await api.send('GET', path)).text).toBe(marked.text);
  });

  it.each([
    ['Foreground', ['foregroundDeletion']],
    ['Orphan', ['orphan']],
  ])('gets one from the propagation %s', async (propagationPolicy, finalizers) => {
    const { path } = await created();
    const reply = await api.send('DELETE', path, { propagationPolicy });
    expect(reply.body).toMatchObject({ metadata: { finalizers, deletionTimestamp: expect.any(String) } });
    const other = await api.send('DELETE', path, { propagationPolicy: 'Background' });
    expect(other.body).toMatchObject({ kind: 'Status', status: 'Success' });
  });

  it('keeps other finalizers when the propagation changes', async () => {
    const { path } = await created(held);
    await api.send('DELETE', path, { propagationPolicy: 'Orphan' });
    const { body } = await api.send('DELETE', path, { propagationPolicy: 'Foreground' });
    expect(body).toHaveProperty('metadata.finalizers', ['example.com/hold', 'foregroundDeletion']);
  });
});

describe('an object that its kind holds back', () => {
  it('is marked without finalizers', async () => {
    const path = '/api/v1/namespaces/default/helds';
    await api.send('POST', path, { metadata: { name: 'a' } });
    const reply = await api.send('DELETE', `${path}/a`);
    expect(reply.body).toMatchObject({ kind: 'Held', metadata: { deletionTimestamp: expect.any(String) } });
    expect(reply.body).not.toHaveProperty('metadata.finalizers');
    expect(reply.body).not.toHaveProperty('metadata.deletionGracePeriodSeconds');
  });
});

describe('an object that needs time to end', () => {
  const collection = '/api/v1/namespaces/default/slows';
  let slows = 0;

  async function slowObject(metadata: JsonObject = {}): Promise<string> {
    const name = `s${slows++}`;
    await api.send('POST', collection, { metadata: { name, ...metadata } });
    return `${collection}/${name}`;
  }

  /** Returns the seconds that the object still has, and the time of its end. */
  async function ending(path: string, options?: JsonObject): Promise<readonly [seconds: unknown, end: number]> {
    const { metadata } = (await api.send('DELETE', path, options)).body;
    if (!isObject(metadata)) return [undefined, Number.NaN];
    return [metadata.deletionGracePeriodSeconds, Date.parse(String(metadata.deletionTimestamp))];
  }

  it('is marked with its grace period', async () => {
    const path = await slowObject();
    const before = Date.now();
    const [seconds, end] = await ending(path);
    expect(seconds).toBe(60);
    expect(end).toBeGreaterThanOrEqual(Math.floor(before / 1000) * 1000 + 60_000);
    expect((await api.send('GET', path)).code).toBe(200);
  });

  it('gets less time, never more', async () => {
    const path = await slowObject();
    const [, end] = await ending(path, { gracePeriodSeconds: 600 });
    const revision = api.store.revision;
    expect(await ending(path, { gracePeriodSeconds: 900 })).toEqual([600, end]);
    expect(await ending(path, { gracePeriodSeconds: 600 })).toEqual([600, end]);
    expect(await ending(path)).toEqual([600, end]);
    expect(api.store.revision).toBe(revision);
    expect(await ending(path, { gracePeriodSeconds: 300 })).toEqual([300, end - 300_000]);
    expect(await ending(path, { gracePeriodSeconds: -7 })).toEqual([1, end - 599_000]);
  });

  it('is removed when it has no time left', async () => {
    const path = await slowObject();
    await ending(path);
    expect((await ending(path, { gracePeriodSeconds: 0 }))[0]).toBe(0);
    expect((await api.send('GET', path)).code).toBe(404);
    const other = await slowObject();
    expect((await ending(other, { gracePeriodSeconds: 0 }))[0]).toBe(0);
    expect((await api.send('GET', other)).code).toBe(404);
  });

  it('shows watchers a zero grace period before it is removed', async () => {
    const path = await slowObject();
    const watched = await api.watch(`${collection}?watch=true&resourceVersion=${api.store.revision}`);
    await ending(path, { gracePeriodSeconds: 0 });
    watched.stop();
    expect(watched.events).toMatchObject([
      { type: 'MODIFIED', object: { metadata: { deletionGracePeriodSeconds: 0 } } },
      { type: 'DELETED', object: { metadata: { deletionGracePeriodSeconds: 0 } } },
    ]);
  });

  it('is removed by the next delete if one failed after the mark', async () => {
    const path = await slowObject();
    const commit = api.store.commit.bind(api.store);
    const failure = { reason: 'ServiceUnavailable', message: 'no' } as const;
    vi.spyOn(api.store, 'commit').mockImplementationOnce(commit).mockResolvedValueOnce({ outcome: 'failed', failure });
    expect((await api.send('DELETE', path, { gracePeriodSeconds: 0 })).code).toBe(503);
    vi.restoreAllMocks();
    expect(await api.send('GET', path)).toMatchObject({ body: { metadata: { deletionGracePeriodSeconds: 0 } } });
    expect((await ending(path, { gracePeriodSeconds: 0 }))[0]).toBe(0);
    expect((await api.send('GET', path)).code).toBe(404);
  });

  it.each([
    ['changes', { metadata: { labels: { a: 'b' } } }],
    ['ends', undefined],
  ])('is removed although another client %s it in between', async (_, change) => {
    const path = await slowObject();
    const commit = api.store.commit.bind(api.store);
    let calls = 0;
    vi.spyOn(api.store, 'commit').mockImplementation(async (own) => {
      if (++calls === 2 && change) await api.send('PATCH', path, change);
      if (calls === 2 && !change) await commit({ key: own.key, expected: own.expected });
      return commit(own);
    });
    expect((await ending(path, { gracePeriodSeconds: 0 }))[0]).toBe(0);
    expect((await api.send('GET', path)).code).toBe(404);
  });

  it('waits for finalizers after that', async () => {
    const path = await slowObject(held);
    expect((await ending(path, { gracePeriodSeconds: 0 }))[0]).toBe(0);
    expect((await api.send('GET', path)).code).toBe(200);
  });

  it('may be asked for more time than a number can hold', async () => {
    const path = await slowObject();
    const [, end] = await ending(path, { gracePeriodSeconds: Number.MAX_SAFE_INTEGER });
    expect(new Date(end).getUTCFullYear()).toBe(9999);
    expect(api.defects).toEqual([]);
  });
});

describe('preconditions', () => {
  it('that hold allow the delete', async () => {
    const { path, uid, resourceVersion } = await created();
    expect((await api.send('DELETE', path, { preconditions: { uid, resourceVersion } })).code).toBe(200);
  });

  it.each([
    [{ uid: 'other' }, 'the UID in the precondition (other) does not match the UID in record ('],
    [
      { resourceVersion: '1' },
      'the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (',
    ],
  ])('%j that do not hold are a conflict', async (preconditions, message) => {
    await created();
    const { path } = await created();
    const reply = await api.send('DELETE', path, { preconditions });
    expect(reply).toMatchObject({ code: 409, body: { reason: 'Conflict' } });
    expect(reply.body.message).toContain(message);
    expect((await api.send('GET', path)).code).toBe(200);
  });
});

describe('a dry run', () => {
  it('answers like the delete, and removes nothing', async () => {
    const { path } = await created();
    const before = api.store.revision;
    expect((await api.send('DELETE', `${path}?dryRun=All`)).body).toMatchObject({ status: 'Success' });
    expect((await api.send('DELETE', path, { dryRun: ['All'] })).code).toBe(200);
    expect(api.store.revision).toBe(before);
  });

  it('does not mark the object', async () => {
    const { path } = await created(held);
    const before = api.store.revision;
    const reply = await api.send('DELETE', path, { dryRun: ['All'] });
    expect(reply.body).toHaveProperty('metadata.deletionTimestamp');
    expect(api.store.revision).toBe(before);
  });
});

describe('bad options', () => {
  it.each<[unknown, number]>([
    ['{', 400],
    ['[]', 400],
    [{ kind: 'Widget' }, 400],
    [{ preconditions: 5 }, 400],
    [{ propagationPolicy: 'Some' }, 422],
    [{ dryRun: ['Some'] }, 422],
  ])('%j are a %d', async (options, code) => {
    const { path } = await created();
    expect((await api.send('DELETE', path, options)).code).toBe(code);
    expect((await api.send('GET', path)).code).toBe(200);
    expect(api.defects).toEqual([]);
  });
});
