/** Does the job of `kindforge storage rewrite`: writes again all objects that the first key has not encrypted. */

import { usualRate } from '../../controllers/storage-migration/pace.js';
import type { Commit, Entry, Store } from '../../runtime/contract/index.js';
import { toEncodedObject } from '../../runtime/storage/index.js';
import { connectionTo, openExisting, type RunningServerFlags, withEncryption } from './open-stores.js';
import { type ReportProgress, type Rewritten, rewriteAll } from './rewrite-all.js';

export interface RewriteFlags extends RunningServerFlags {
  readonly storage?: string;
  /** The file with the keys; only for `storage`. */
  readonly encryptionProviderConfig?: string;
}

/** Rewrites the objects of a server through its API, or of a store that no server uses. */
export function rewrite(flags: RewriteFlags, tell: ReportProgress, signal?: AbortSignal): Promise<Rewritten> {
  const { storage, encryptionProviderConfig } = flags;
  if (storage === undefined)
    return rewriteAll(connectionTo(flags), { rate: usualRate, tell, ...(signal ? { signal } : {}) });
  return withEncryption(encryptionProviderConfig, async (encryption) => {
    const { store, forgetHistory } = await openExisting(storage, encryption);
    try {
      const rewritten = await rewriteStore(store, tell, signal);
      forgetHistory();
      return rewritten;
    } finally {
      await store.close();
    }
  });
}

/** The number of concurrent writes. */
const AT_ONCE = 500;

async function rewriteStore(store: Store, tell: ReportProgress, signal: AbortSignal | undefined): Promise<Rewritten> {
  const all = store.list('');
  const entries = typeof all === 'string' ? [] : all.entries;
  const problems: string[] = [];
  let written = 0;
  for (let start = 0; start < entries.length; start += AT_ONCE) {
    signal?.throwIfAborted();
    const some = entries.slice(start, start + AT_ONCE).filter((entry) => store.isStale?.(entry));
    const commits = await Promise.all(some.map((entry) => writeAgain(store, entry)));
    for (const [index, commit] of commits.entries()) {
      if (commit.outcome === 'committed') written++;
      else problems.push(`${some[index]?.key}: ${problemOf(commit)}`);
    }
    const { key = '' } = entries[start] ?? {};
    tell(Math.min(entries.length, start + AT_ONCE), key.split('/')[1] ?? '');
  }
  return { seen: entries.length, written, pruned: [], problems };
}

async function writeAgain(store: Store, { key, revision, bytes, attributes }: Entry): Promise<Commit> {
  const next = toEncodedObject(bytes, attributes);
  // Every stored object has a place for its revision.
  return next ? store.commit({ key, expected: revision, next }) : { outcome: 'conflict', current: undefined };
}

const problemOf = (commit: Commit): string =>
  commit.outcome === 'failed' ? commit.failure.message : 'it was changed in the meantime; run the command again';
