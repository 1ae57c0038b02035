/** The backend over any unstorage driver. */
import type { Driver, Storage } from 'unstorage';
import type { Backend } from '../../contract/index.js';
import { journalBackend } from '../backends/journal.js';
import { toStorage } from './items.js';
import type { UnstorageOptions } from './options.js';
import { TIMING } from './ownership.js';
import { UnstorageSegments } from './segments.js';

/** Drivers that may drop data at any time. */
const FORGETFUL: readonly unknown[] = ['lru-cache', 'null', 'vercel-runtime-cache'];

/**
 * Keeps the data as items of a storage, or of a driver. A commit resolves once the driver has stored it. Files are
 * flushed to the disk; for other drivers, durability depends on the driver. Throws an Error for a driver that cannot
 * keep data, and for a base that cannot be part of a key.
 */
export function unstorageBackend(target: Storage | Driver, options: UnstorageOptions = {}): Backend {
  const { base = 'kindforge', release = async () => {}, timing, ...journal } = options;
  if (!/^[a-z0-9-]+(:[a-z0-9-]+)*$/.test(base)) {
    throw new Error(`the base ${JSON.stringify(base)}: must have only lower-case letters, digits and -`);
  }
  const storage = toStorage(target);
  const { driver } = storage.getMount(base);
  const { place = `the data of the driver ${driver.name ?? '(without a name)'}` } = options;
  const problem = problemOf(driver);
  if (problem !== undefined) throw new Error(problem);
  const durability: Backend['durability'] = driver.name === 'memory' ? 'none' : 'process';
  const segments = { storage, base, place, durability, release, timing: { ...TIMING, ...timing } };
  return journalBackend(new UnstorageSegments(segments), journal);
}

/** Returns why a driver cannot keep data; undefined for others. */
function problemOf({ name, options }: Driver): string | undefined {
  if (FORGETFUL.includes(name)) return `the driver ${name} does not keep its data`;
  return options?.ttl ? 'with the option ttl the driver does not keep its data' : undefined;
}
