/** A restore with a backend that fails, at each of its commits in turn. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Backend, RestoredObject } from '../../../../runtime/contract/index.js';
import {
  type EmbeddedStore,
  lmdbBackend,
  openStore,
  UnfinishedRestoreError,
} from '../../../../runtime/storage/index.js';
import { diskFull } from '../../../support/faulty-backend.js';
import { testFolder } from '../../../support/scratch-folder.js';
import { commit, contentOf, encoded, keysOf, listed, readAttributes } from '../../../support/store-objects.js';

/** The mark, the removals, two batches of new objects, and the end of the mark. */
const COMMITS = 5;

const names = Array.from({ length: 1500 }, (_, index) => `g/things/n/${String(index).padStart(5, '0')}`);
const objects: readonly RestoredObject[] = names.map((key) => ({ key, object: encoded('new') }));

/** Makes a backend that fails after so many commits. */
function limited(inner: Backend, commits: number): Backend {
  let left = commits;
  return {
    ...inner,
    async commit(batch, checkpoint, forget) {
      if (left-- <= 0) throw diskFull();
      await inner.commit(batch, checkpoint, forget);
    },
  };
}

describe('a restore with a failing backend', () => {
  let folder: string;
  beforeEach(() => {
    folder = testFolder();
  });

  const open = (onDamage: 'refuse' | 'replace', commits = Number.POSITIVE_INFINITY): Promise<EmbeddedStore> =>
    openStore({ backend: limited(lmdbBackend(folder), commits), readAttributes, onDamage });

  it.each(Array.from({ length: COMMITS }, (_, index) => index))(
    'after %i commits keeps the old state or refuses to open, until it is repeated',
    async (commits) => {
      const first = await open('refuse');
      const old = await commit(first, 'g/things/n/old', 0, 'old');
      await first.close();

      const failing = await open('refuse', commits);
      await expect(failing.restore(objects, 0)).rejects.toThrow('no space left on the device');
      expect(await failing.commit({ key: 'g/things/n/x', expected: 0, next: encoded('x') })).toMatchObject({
        outcome: 'failed',
        failure: { reason: 'ServiceUnavailable' },
      });
      await failing.close();

      if (commits === 0) {
        const untouched = await open('refuse');
        expect(contentOf(untouched.get(old.key))).toBe('old');
        await untouched.close();
      } else {
        await expect(open('refuse')).rejects.toThrow(UnfinishedRestoreError);
      }

      const again = await open('replace');
      await again.restore(objects, 0);
      expect(again.get('g/things/n/00000')?.revision).toBeGreaterThan(old.revision + commits);
      await again.close();
      const last = await open('refuse');
      expect(keysOf(listed(last, ''))).toEqual(names);
      await last.close();
    },
  );

  it('is done after that many commits', async () => {
    const store = await open('refuse');
    await commit(store, 'g/things/n/old', 0, 'old');
    await store.close();
    const limitedStore = await open('refuse', COMMITS);
    await limitedStore.restore(objects, 0);
    expect(keysOf(listed(limitedStore, ''))).toEqual(names);
    await limitedStore.close();
  });
});
