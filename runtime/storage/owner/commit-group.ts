/** Decides on a group of a worker's changes in the embedded store. */
import type { Change, Commit, SharedCommit, SharedProposal, SharedVerdict } from '../../contract/index.js';
import type { EmbeddedStore } from '../open-store.js';
import { foundAt } from './found.js';
import type { Question } from './messages.js';

/**
 * Passes all changes to the store in one turn, so that no other change comes between them. They become durable
 * together, or in several parts if there are many.
 */
export async function commitGroup(
  store: EmbeddedStore,
  { group, writer, head }: Pick<Extract<Question, { readonly ask: 'commit' }>, 'group' | 'writer' | 'head'>,
): Promise<SharedCommit> {
  if (head !== undefined && head !== store.assigned) {
    return { outcome: 'moved', number: store.revision, head: store.revision };
  }
  const commits = group.map((proposal) => evicted(store, proposal) ?? store.commit(changeOf(proposal, writer)));
  const verdicts = (await Promise.all(commits)).map((commit, index) => verdictOf(store, group[index], commit));
  // Changes by others may have become visible meanwhile. If they came first, the head must not count as this worker's
  // own.
  const made = verdicts.reduce((last, verdict) => (verdict.made ? Math.max(last, verdict.revision) : last), 0);
  return { outcome: 'decided', number: store.revision, head: made || store.revision, verdicts };
}

/**
 * Removes an object that cannot be read. The store does not do this with a change. Returns `undefined` for other
 * changes.
 */
function evicted(store: EmbeddedStore, { key, expected, next }: SharedProposal): Promise<Commit> | undefined {
  const [damage] = next ? [] : store.unreadable(key);
  if (damage?.revision === undefined || damage.revision !== expected) return undefined;
  return store.evict(key).then((failure) => {
    if (failure) return { outcome: 'failed', failure };
    const { revision } = store;
    return { outcome: 'committed', entry: { key, revision, bytes: NOTHING, attributes: { labels: {}, fields: {} } } };
  });
}

const NOTHING = Buffer.alloc(0);

function changeOf({ key, expected, next, last, guards, ending }: SharedProposal, writer: string): Change {
  return {
    key,
    expected,
    writer,
    ...(next && { next }),
    ...(last && { last }),
    ...(guards && { guards }),
    ...(ending && { ending }),
  };
}

function verdictOf(store: EmbeddedStore, proposal: SharedProposal | undefined, commit: Commit): SharedVerdict {
  const key = proposal?.key ?? '';
  if (commit.outcome === 'committed') return { made: true, revision: commit.entry.revision };
  if (commit.outcome === 'conflict') {
    if (!commit.current && proposal?.writes === false) return { made: true, revision: store.revision };
    return { made: false, found: foundAt(store, key) };
  }
  // A guard does not hold. The object itself has the expected revision.
  return commit.unguarded ? { made: false, found: foundAt(store, key) } : { made: false, failure: commit.failure };
}
