/**
 * Repeats a create with an unknown outcome, unless the first try made the object, even if the object is gone by now.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Revision } from '../../contract/index.js';
import { uncertain } from '../failures.js';
import type { Replica } from '../memory/replica.js';
import { stampRevision } from '../stamp.js';
import type { Connection } from './connection.js';
import { EtcdError } from './errors.js';
import { MOD, type TxnRequest, txn } from './messages.js';
import type { PendingChange } from './pending-change.js';
import { type Context, loneRequest, loneVerdict, type Verdict } from './requests.js';

/** The pause between a try with an unknown outcome and the next, in milliseconds. */
const PAUSE_MS = 100;
/** No key has this revision, so a transaction that requires it only reads. */
const NEVER = -1;

/** A creation after its first try. */
export interface CreationTried {
  readonly pending: PendingChange;
  /** The revision of memory before the first try. */
  readonly since: Revision;
  /** The time to give up, by `performance.now()`. */
  readonly until: number;
}

/**
 * Tries the creation again. The absence of the key does not prove that the first try was not carried out: others may
 * have deleted the new object. So each try names the head up to which all changes of the key are known, and none of
 * them is this creation. Returns the outcome of the try that counts, or that found the key or another restore; rejects
 * with an `EtcdError` when the outcome is unknown.
 */
export async function createAgain(
  connection: Pick<Connection, 'ask'>,
  context: Context,
  replica: Pick<Replica, 'reached' | 'oldestRevision'>,
  { pending, since, until }: CreationTried,
): Promise<Verdict> {
  const { layout, numbering } = context;
  const request = loneRequest(pending, context);
  let head = NEVER;
  let problem = 'etcd was lost while it was on its way';
  while (performance.now() + PAUSE_MS < until) {
    const guarded: TxnRequest = {
      ...request,
      compare: [...request.compare, { target: MOD, key: layout.head, modRevision: head }],
    };
    try {
      const withinMs = until - performance.now();
      const answer = await connection.ask(txn, guarded, { withinMs, repeatable: head === NEVER });
      const verdict = loneVerdict(pending, context, answer);
      if (verdict.outcome !== 'lost' || verdict.found) return verdict;
      head = verdict.head;
      const known = await replica.reached(numbering.toStore(head), until - performance.now());
      const made = revisionOf(pending);
      if (made !== undefined) {
        const revision = numbering.toEtcd(made);
        return { outcome: 'made', revision, position: made - numbering.toStore(revision), head: revision };
      }
      // After a reload, memory does not know every change since the first try.
      if (!known || replica.oldestRevision > since) break;
    } catch (error) {
      if (!(error instanceof EtcdError)) throw error;
      problem = error.message;
      if (error.problem !== 'uncertain') break;
      head = NEVER;
      await sleep(PAUSE_MS);
    }
  }
  throw new EtcdError('uncertain', problem, uncertain(problem));
}

/** Returns the revision at which the watch reported the object as this creation made it. */
function revisionOf({ change: { next }, arrived }: PendingChange): Revision | undefined {
  for (const { revision, bytes } of arrived) {
    if (next && Buffer.from(stampRevision(next, revision)).equals(bytes)) return revision;
  }
  return undefined;
}
