/** Decides on a group of a worker's changes in the embedded store. */
import type { Change, Commit, SharedCommit, SharedProposal, SharedVerdict } from '../../contract/index.js';
import type { EmbeddedStore } from '../open-store.js';
import { foundAt } from './found.js';
import type { Question } from './messages.js';

/**
 * Hands all changes to the store in one turn, so that nothing comes between them. They are durable together or, if there
 * are many, one part after the other.
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
  // Changes of others may have become visible meanwhile: a head must not count as this worker's own if they are before it.
  const made = verdicts.reduce((last, verdict) => (verdict.made ? Math.max(last, verdict.revision) : last), 0);
  return { outcome: 'decided', number: store.revision, head: made || store.revision, verdicts };
}

/** Removes an object that nobody can read, which the store does not do with a change; `undefined` for other changes. */
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
  // A guard that does not hold: the object itself is as it was expected.
  return commit.unguarded ? { made: false, found: foundAt(store, key) } : { made: false, failure: commit.failure };
}
