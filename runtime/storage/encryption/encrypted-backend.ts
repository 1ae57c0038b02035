/** Encrypts everything between a store and its backend, including the history. */
import type { Backend, Opened, StoredRecord } from '../../contract/index.js';
import { type MaybePromise, mapSync, thenSync } from '../../objects/turns.js';
import type { Encryption } from './encryption.js';

/** Returns a backend that encrypts records before it writes them, and decrypts records after it reads them. */
export function encryptedBackend(backend: Backend, encryption: Encryption): Backend {
  const encrypted = (record: StoredRecord): StoredRecord => {
    const { key, revision, bytes } = record;
    // A deletion without a last state has no content to encrypt.
    if (bytes.length === 0) return record;
    const stored = encryption.encrypt(key, bytes, revision);
    return stored === bytes ? record : { ...record, bytes: stored };
  };
  return {
    name: backend.name,
    durability: backend.durability,
    open: async (options) => decrypted(await backend.open(options), encryption),
    commit: (batch, ...rest) => backend.commit(batch.map(encrypted), ...rest),
    replaceSecret: async (secret) => backend.replaceSecret?.(secret),
    health: () => backend.health?.() ?? '',
    close: () => backend.close(),
  };
}

function decrypted(opened: Opened, encryption: Encryption): Opened {
  const decrypt = (record: StoredRecord): MaybePromise<StoredRecord> => {
    const { key, revision, bytes } = record;
    if (bytes.length === 0) return record;
    return thenSync(encryption.decrypt(key, bytes, revision), (found) => {
      if (!found.ok) return { ...record, locked: found.problem };
      return found.bytes === bytes ? record : { ...record, bytes: found.bytes };
    });
  };
  return {
    ...opened,
    // It is complete only after all records have been read.
    get damage() {
      return opened.damage;
    },
    records: decryptedRecords(opened.records, decrypt),
  };
}

async function* decryptedRecords(
  records: Opened['records'],
  decrypt: (record: StoredRecord) => MaybePromise<StoredRecord>,
): AsyncGenerator<StoredRecord | readonly StoredRecord[]> {
  for await (const some of records) {
    yield 'key' in some ? await decrypt(some) : await mapSync(some, decrypt);
  }
}
