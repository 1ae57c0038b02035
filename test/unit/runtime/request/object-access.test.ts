/** Following the objects of a resource: all objects, every change, and objects of versions without loaded code. */
import { describe, expect, it } from 'vitest';
import type { ObjectSink, Store } from '../../../../runtime/contract/index.js';
import { followObjects } from '../../../../runtime/request/object-access.js';
import { encodeForStore } from '../../../../runtime/resource/encoding.js';
import { serveResource } from '../../../../runtime/resource/serve-resource.js';
import { codeOf, keyOf, type ServedResource } from '../../../../runtime/resource/served-resource.js';
import { memoryBackend, openStore } from '../../../../runtime/storage/index.js';
import { followIn } from '../../../support/follow-in.js';
import { moduleOf } from '../../../support/modules.js';

const lamps = serveResource(moduleOf('shop.example.com', 'lamps', 'Lamp'));
const find = (group: string, plural: string) =>
  group === 'shop.example.com' && plural === 'lamps' ? lamps : undefined;

/** Makes a sink that records its calls. */
function scribe(): ObjectSink & { readonly told: string[] } {
  const told: string[] = [];
  return {
    told,
    changed: ({ metadata: { namespace, name } }) => told.push(`${namespace}/${name}`),
    removed: (namespace, name) => told.push(`-${namespace}/${name}`),
    reset: () => told.push('reset'),
  };
}

const openMemory = () => openStore({ backend: memoryBackend(), readAttributes: () => ({ labels: {}, fields: {} }) });

async function put(store: Store, name: string, expected = 0): Promise<number> {
  const object = { apiVersion: lamps.apiVersion, kind: 'Lamp', metadata: { name, namespace: 'home' } };
  const commit = await store.commit({ key: keyOf(lamps, 'home', name), expected, next: encodeForStore(lamps, object) });
  return commit.outcome === 'committed' ? commit.entry.revision : 0;
}

describe('followObjects', () => {
  it('reports all objects before it returns, and then every change', async () => {
    const store = await openMemory();
    await put(store, 'a');
    const sink = scribe();
    const following = followObjects(
      { follow: followIn(store), resource: find },
      'test',
      ['shop.example.com', 'lamps'],
      sink,
    );
    expect(sink.told).toEqual(['reset', 'home/a']);
    const revision = await put(store, 'b');
    await put(store, 'b', revision);
    await store.commit({
      key: keyOf(lamps, 'home', 'a'),
      expected: store.get(keyOf(lamps, 'home', 'a'))?.revision ?? 0,
    });
    expect(sink.told.slice(2)).toEqual(['home/b', 'home/b', '-home/a']);
    following.stop();
    await put(store, 'c');
    expect(sink.told).toHaveLength(5);
    await store.close();
  });

  it('reports nothing for a resource that does not exist', async () => {
    const store = await openMemory();
    const sink = scribe();
    followObjects({ follow: followIn(store), resource: find }, 'test', ['shop.example.com', 'candles'], sink).stop();
    expect(sink.told).toEqual([]);
    await store.close();
  });
});

describe('objects of an earlier version without loaded code', () => {
  const family = ['v2', 'v1'].map((version) => {
    const module = moduleOf('shop.example.com', 'lamps', 'Lamp', { version, storage: version === 'v2' });
    const code = codeOf(module);
    return { ...module, code: async () => code };
  });
  const [v2 = moduleOf('', '', ''), v1 = v2] = family;

  it('are reported in order with all others, once it is loaded', async () => {
    const store = await openMemory();
    const resource: ServedResource = serveResource(v2, { family, sibling: () => older });
    const older = serveResource(v1, { family, stored: resource });
    const sink = scribe();
    followObjects({ follow: followIn(store), resource: () => resource }, 'test', ['shop.example.com', 'lamps'], sink);
    const write = (name: string, apiVersion: string) => {
      const { text, revisionAt } = encodeForStore(lamps, {
        apiVersion,
        kind: 'Lamp',
        metadata: { name, namespace: 'home' },
      });
      const outdated = apiVersion.endsWith('/v1') ? ({ outdated: true } as const) : {};
      const next = { text, revisionAt, attributes: { labels: {}, fields: {}, ...outdated } };
      return store.commit({ key: keyOf(lamps, 'home', name), expected: 0, next });
    };
    const written = [write('a', 'shop.example.com/v1'), write('b', 'shop.example.com/v2')];
    await Promise.all(written);
    await expect.poll(() => sink.told).toEqual(['reset', 'reset', 'home/a', 'home/b']);
    await store.close();
  });
});
