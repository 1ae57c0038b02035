/** Makes the store's records from etcd's keys, decrypted and with their revisions. */
import type { Key, SharedRecord } from '../../contract/index.js';
import { type MaybePromise, mapSync, thenSync } from '../../objects/turns.js';
import type { Encryption } from '../encryption/encryption.js';
import { type Unlocked, unlock } from '../shared/decryption.js';
import type { Connection } from './connection.js';
import type { Fence } from './fence.js';
import type { Layout } from './layout.js';
import type { KeyValue } from './messages.js';
import { type EtcdRevision, type Numbering, POSITIONS, positionOf } from './numbering.js';
import type { RestoreEpoch } from './restore-epoch.js';

/** The data of one store in etcd, as `open` found it. */
export interface EtcdData {
  readonly connection: Pick<Connection, 'ask' | 'stream' | 'forgetLogin'>;
  readonly layout: Layout;
  /** Encrypts objects; absent without encryption. */
  readonly encryption?: Encryption | undefined;
  readonly epoch: RestoreEpoch;
  readonly numbering: Numbering;
  readonly fence: Fence;
  /** The name of this server in heads. */
  readonly writer: string;
}

/** Returns the objects among keys. Returns a promise only if it must ask a key service. */
export function recordsOf(data: EtcdData, kvs: readonly KeyValue[]): MaybePromise<readonly SharedRecord[]> {
  const { layout, numbering } = data;
  const found = mapSync(
    kvs,
    ({ key: place, value = NOTHING, modRevision = 0 }): MaybePromise<SharedRecord | undefined> => {
      const key = place && layout.keyOf(place);
      if (key === undefined) return undefined;
      return thenSync(unlockAt(data, key, value, modRevision), (unlocked) => {
        const position = unlocked.locked === undefined ? positionOf(unlocked.value) : 0;
        return { key, revision: numbering.toStore(modRevision, position), ...unlocked };
      });
    },
  );
  return thenSync(found, (records) => records.filter((record) => record !== undefined));
}

/** Decrypts a value. */
export function unlockAt(
  { encryption, numbering }: EtcdData,
  key: Key,
  value: Buffer,
  at: EtcdRevision,
): MaybePromise<Unlocked> {
  // The position within the transaction is not known yet.
  return unlock(encryption, key, value, numbering.toStore(at, POSITIONS - 1));
}

const NOTHING = Buffer.alloc(0);
