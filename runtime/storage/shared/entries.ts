/** Makes entries from the bytes that the driver holds, and keeps a record of damaged ones. */
import type {
  AttributeReader,
  Attributes,
  Damage,
  Key,
  SharedChange,
  SharedDriver,
  SharedRecord,
} from '../../contract/index.js';
import type { BriefMap } from '../brief-map.js';
import { withoutKey } from '../encryption/encryption.js';
import { isEncrypted } from '../encryption/transformers.js';
import { lockedDamage } from '../failures.js';
import type { Replica } from '../memory/replica.js';
import { attributesOf, StoredEntry } from '../memory/stored-entry.js';
import { restampBytes } from '../stamp.js';
import type { PendingChange } from './pending-change.js';

export interface EntriesOptions {
  readonly driver: Pick<SharedDriver, 'name'>;
  readonly replica: Replica;
  readonly readAttributes: AttributeReader;
  /** This server's own changes by key. Their content need not be parsed when the driver delivers it. */
  readonly pending: BriefMap<Key, PendingChange>;
  /** Called with each damaged object, once for each of its revisions. */
  readonly onDamage?: ((damage: Damage) => void) | undefined;
}

export class Entries {
  readonly #options: EntriesOptions;
  readonly #damage = new Map<Key, Damage>();

  constructor(options: EntriesOptions) {
    this.#options = options;
  }

  /** Objects that the store does not serve because it cannot read them. */
  get damage(): readonly Damage[] {
    return [...this.#damage.values()];
  }

  /** Returns the damage of an object; `undefined` if it has none. */
  damageAt(key: Key): Damage | undefined {
    return this.#damage.get(key);
  }

  /**
   * Makes an entry from bytes that the driver delivered. Returns undefined and notes the damage if they are not an
   * object or cannot be decrypted. `known` has the attributes, if the driver has read them.
   */
  make(record: SharedRecord, known?: Attributes): StoredEntry | undefined {
    const { replica, pending, readAttributes, driver } = this.#options;
    const { key: storeKey, revision, value, locked } = record;
    const own = known ?? pending.get(storeKey)?.objectOf(value)?.attributes;
    const attributes = own ?? readable(storeKey, value, readAttributes);
    const bytes = restampBytes(value, revision);
    if (!attributes || !bytes || locked !== undefined) {
      this.noteDamage(damageOf(driver.name, record));
      return undefined;
    }
    this.#damage.delete(storeKey);
    // Shares the string that the index already holds.
    const key = replica.get(storeKey)?.key ?? storeKey;
    const entry = new StoredEntry(key, revision, replica.attributes.share(attributes));
    replica.slabs.holdCopy(entry, bytes);
    return entry;
  }

  /** Returns the state that watchers of a deletion get: the state that came with it, or the last stored one. */
  lastState(previous: StoredEntry, { revision, last, attributes }: SharedChange): StoredEntry {
    const given = last && this.make({ key: previous.key, revision, value: last }, attributes);
    if (given) return given;
    const entry = new StoredEntry(previous.key, revision, previous.attributes);
    const { bytes } = previous;
    this.#options.replica.slabs.holdCopy(entry, restampBytes(bytes, revision) ?? bytes);
    return entry;
  }

  noteDamage(damage: Damage): void {
    const { key, revision } = damage;
    if (this.#damage.get(key)?.revision === revision) return;
    this.#damage.set(key, damage);
    this.#options.onDamage?.(damage);
  }

  /** Notes that an object is gone, damaged or not. */
  noteGone(key: Key): void {
    this.#damage.delete(key);
  }

  /** Notes that all objects are gone except these. */
  noteOnly(present: ReadonlySet<Key>): void {
    for (const key of this.#damage.keys()) if (!present.has(key)) this.#damage.delete(key);
  }
}

/** Describes a value in the driver `name` that is not an object or cannot be decrypted. */
export function damageOf(name: string, { key, revision, value, locked }: SharedRecord): Damage {
  if (locked !== undefined || isEncrypted(value)) return lockedDamage(key, revision, locked ?? withoutKey(value));
  const problem = `the value in ${name} at revision ${revision} is not a stored object`;
  return { key, revision, problem, cure: `delete the key in ${name} or restore a snapshot` };
}

/**
 * Checks whether a server may have stored a value: whether it is an object with a place for its revision. Parses the
 * value.
 */
export const isStoredObject = (value: Buffer): boolean =>
  restampBytes(value, 0) !== undefined && readable('', value, () => ({ labels: {}, fields: {} })) !== undefined;

/** Returns the attributes of an object that another program may have written; `undefined` if they cannot be read. */
function readable(key: Key, value: Buffer, read: AttributeReader): Attributes | undefined {
  try {
    return attributesOf(key, value, read);
  } catch {
    return undefined;
  }
}
