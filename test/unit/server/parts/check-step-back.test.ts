/** Steps back to an earlier release over one store, and the mark of the release in it. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../../runtime/contract/index.js';
import { namingOf } from '../../../../runtime/objects/names/naming.js';
import { type EmulatedVersion, emulate } from '../../../../runtime/objects/release.js';
import { writtenBy } from '../../../../runtime/server/index.js';
import { memoryBackend, openStore } from '../../../../runtime/storage/index.js';
import { builtinKinds } from '../../../../server/builtin-kinds.js';
import { markRelease, refuseStepBack } from '../../../../server/parts/check-step-back.js';

const naming = namingOf('platform') ?? never();
function never(): never {
  throw new Error('no such naming');
}

let store: Store;
beforeEach(async () => {
  store = await openStore({ backend: memoryBackend(), readAttributes: () => ({ labels: {}, fields: {} }) });
});

async function put(plural: string, name: string, more: string): Promise<void> {
  const head = `{"kind":"A","apiVersion":"networking.platform.io/v1alpha1","metadata":{"resourceVersion":"`;
  const text = `${head}","name":"${name}"},${more}}`;
  const next = { text, revisionAt: head.length, attributes: { labels: {}, fields: {} } };
  const { outcome } = await store.commit({ key: `networking.platform.io/${plural}/${name}`, expected: 0, next });
  expect(outcome).toBe('committed');
}

const stepTo = (version: EmulatedVersion | undefined): Promise<void> => {
  const release = emulate(version);
  return refuseStepBack({ store, place: 'here' }, builtinKinds(naming, { release }), naming, release);
};

describe('a step back', () => {
  it('names 20 objects, and how many more there are', async () => {
    await markRelease(store, emulate('1.36'));
    for (let i = 10; i < 35; i++) await put('servicecidrs', `s${i}`, '"spec":{"cidrs":["10.0.0.0/24"]}');
    const refusal = await stepTo('1.28').catch((error: unknown) => String(error));
    const lines = String(refusal).split('\n');
    expect(lines[0]).toContain('here: release 1.28 would lose something of 25 stored objects:');
    expect(lines.filter((line) => line.endsWith(': the kind'))).toHaveLength(20);
    expect(lines.at(-2)).toBe('  and 5 more');
    await expect(stepTo('1.30')).resolves.toBeUndefined();
  });

  it('loses nothing of what the server makes itself', async () => {
    await markRelease(store, emulate('1.36'));
    await put('servicecidrs', 'kubernetes', '"spec":{"cidrs":["10.0.0.0/24"]}');
    await expect(stepTo(undefined)).resolves.toBeUndefined();
    await expect(stepTo('1.27')).resolves.toBeUndefined();
  });

  it('is not checked in data of servers without a release, unless the machinery is earlier', async () => {
    await put('servicecidrs', 's', '"spec":{"cidrs":["10.0.0.0/24"]}');
    await expect(stepTo(undefined)).resolves.toBeUndefined();
    await expect(stepTo('1.27')).rejects.toThrow('\nStart with no --emulated-version, and remove');
  });
});

describe('the mark of a store', () => {
  it('is not made by servers that emulate no release, and says the last one else', async () => {
    await markRelease(store, emulate());
    expect([store.revision, writtenBy(store)]).toEqual([0, undefined]);
    for (const version of ['1.36', '1.30', undefined] as const) {
      await markRelease(store, emulate(version));
      const { name, machinery } = emulate(version);
      expect(writtenBy(store)).toEqual({ name, machinery });
    }
    const { revision } = store;
    await markRelease(store, emulate());
    expect(store.revision).toBe(revision);
  });

  it('is the latest of all if other servers write, too', async () => {
    const shared = Object.assign(store, { basis: () => undefined });
    for (const version of ['1.33', '1.36', '1.30'] as const) await markRelease(shared, emulate(version));
    expect(writtenBy(shared)).toEqual({ name: '1.36', machinery: '1.36' });
  });
});
