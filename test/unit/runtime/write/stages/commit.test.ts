/** Commits of writes that depend on other objects: made while these are unchanged, and refused otherwise. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EncodedObject, Store } from '../../../../../runtime/contract/index.js';
import { serveResource } from '../../../../../runtime/resource/serve-resource.js';
import { memoryBackend, openStore } from '../../../../../runtime/storage/index.js';
import { addPrecondition, commitWithPreconditions } from '../../../../../runtime/write/stages/commit.js';
import type { Preconditions, Write } from '../../../../../runtime/write/write.js';
import { moduleOf } from '../../../../support/modules.js';
import { writeOf } from '../../../../support/verb-requests.js';

const head = '{"kind":"Any","apiVersion":"v1","metadata":{"resourceVersion":"';
const next: EncodedObject = { text: `${head}"}}`, revisionAt: head.length, attributes: { labels: {}, fields: {} } };
const zones = serveResource(moduleOf('example.com', 'zones', 'Zone', { scope: 'Cluster' }));
const place = { group: 'example.com', resource: 'zones', namespace: '', name: 'z' };
const refused = { reason: 'Forbidden', message: 'the zone is closed' } as const;

let store: Store;
let preconditions: Preconditions;
let write: Write;
const find = (group: string, plural: string) => (`${group}/${plural}` === 'example.com/zones' ? zones : undefined);

beforeEach(async () => {
  store = await openStore({ backend: memoryBackend(), readAttributes: () => next.attributes });
  preconditions = new Map();
  write = { ...writeOf({ module: moduleOf('example.com', 'lamps', 'Lamp'), services: { store } }), preconditions };
  await store.commit({ key: 'example.com/zones/z', expected: 0, next });
});
afterEach(() => store.close());

const create = () => commitWithPreconditions(write, { key: 'example.com/lamps/a', expected: 0, next });

describe('a commit', () => {
  it('is made without dependencies, and while these are unchanged', async () => {
    expect((await create()).outcome).toBe('committed');
    let asked = 0;
    addPrecondition({ store, resource: find }, preconditions, place, () => void asked++);
    const change = { key: 'example.com/lamps/b', expected: 0, next };
    expect((await commitWithPreconditions(write, change)).outcome).toBe('committed');
    expect(asked).toBe(1);
  });

  it('waits for a change of an object it depends on, and is refused if the new state requires it', async () => {
    let isClosed = false;
    addPrecondition({ store, resource: find }, preconditions, place, () => (isClosed ? refused : undefined));
    const closing = store.commit({ key: 'example.com/zones/z', expected: store.revision, next }).then(() => {
      isClosed = true;
    });
    expect(await create()).toEqual({ outcome: 'failed', failure: refused });
    await closing;
    expect(store.get('example.com/lamps/a')).toBeUndefined();
  });

  it('is made after an irrelevant change', async () => {
    addPrecondition({ store, resource: find }, preconditions, place, () => undefined);
    const changing = store.commit({ key: 'example.com/zones/z', expected: store.revision, next });
    expect((await create()).outcome).toBe('committed');
    expect((await changing).outcome).toBe('committed');
  });

  it('does not depend on resources that are not served', async () => {
    addPrecondition({ store, resource: () => undefined }, preconditions, place, () => refused);
    expect((await create()).outcome).toBe('committed');
  });
});
