/** Makes a creation again whose first try may have been carried out, unless it was, even if the object is gone. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Revision } from '../../contract/index.js';
import { uncertain } from '../failures.js';
import type { Replica } from '../memory/replica.js';
import { stampRevision } from '../stamp.js';
import type { Connection } from './connection.js';
import { EtcdError } from './errors.js';
import type { Layout } from './layout.js';
import { MOD, type TxnRequest, type TxnResponse } from './messages.js';
import type { PendingChange } from './pending-change.js';
import { txn } from './protocol.js';
import type { RestoreEpoch } from './restore-epoch.js';

/** Milliseconds between a try whose outcome is unknown and the next. */
const PAUSE_MS = 100;
/** No key has this revision, so a change that names it only looks. */
const NEVER = -1;

/** A creation after its first try. */
export interface CreationTried {
  readonly pending: PendingChange;
  /** The first try: the key must not exist; where it does, it and the head are read. */
  readonly request: TxnRequest;
  /** The restore that the first try counted on. */
  readonly epoch: RestoreEpoch;
  /** How far memory was before the first try. */
  readonly since: Revision;
  /** When to give up, by `performance.now()`. */
  readonly until: number;
}

/**
 * That the key does not exist is no sign that the first try was not carried out: others may have deleted what it made.
 * So each try names the head up to which all changes of the key are known, and none of them is this creation. Returns
 * etcd's answer to the try that counts, or that found the key or another restore; rejects with an `EtcdError` when the
 * outcome is unknown.
 */
export async function createAgain(
  connection: Pick<Connection, 'ask'>,
  layout: Layout,
  replica: Pick<Replica, 'reached' | 'oldestRevision'>,
  { pending, request, epoch, since, until }: CreationTried,
): Promise<TxnResponse> {
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
      const [found, at, restore] = (answer.responses ?? []).map(({ responseRange }) => responseRange?.kvs?.[0]);
      const isRestored = (restore?.modRevision ?? 0) !== epoch.revision;
      if (answer.succeeded || found || isRestored) return answer;
      head = at?.modRevision ?? 0;
      const known = await replica.reached(head, until - performance.now());
      const made = revisionOf(pending);
      if (made !== undefined) return { succeeded: true, header: { revision: made } };
      // Memory has not seen the changes happen that it has loaded again.
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

/** The revision at which the watch has told that the object was made as this creation has it. */
function revisionOf({ change: { next }, arrived }: PendingChange): Revision | undefined {
  for (const [revision, { bytes }] of arrived) {
    if (next && Buffer.from(stampRevision(next, revision)).equals(bytes)) return revision;
  }
  return undefined;
}
