/** A backend in memory that begins with objects; what is written later it leaves to the store's own memory. */
import type { Backend, Key, StoredRecord } from '../../runtime/contract/index.js';
import { freshRecords, type Image } from './image.js';

/** Begins with nothing where there is no image. `at` is the time of the start. */
export function memoryWith(image: Image | undefined, at: Date): Backend {
  return {
    name: 'memory',
    durability: 'none',
    async open() {
      const { revision, digest } = image?.checkpoint ?? { revision: 0, digest: 0 };
      const records = image ? freshRecords(image, at).map(toStored) : [];
      return {
        // Nothing from before the start can be watched from.
        checkpoint: { revision, oldestRevision: revision, digest, time: at.getTime() },
        records,
        damage: [],
      };
    },
    async commit() {},
    async close() {},
  };
}

const toStored = ({ key, revision, text }: { key: Key; revision: number; text: string }): StoredRecord => ({
  key,
  revision,
  replaces: 0,
  deleted: false,
  bytes: Buffer.from(text),
});
