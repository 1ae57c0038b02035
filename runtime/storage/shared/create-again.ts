/**
 * Repeats a create with an unknown outcome. Does not repeat it if the first try made the object, even if the object is
 * gone by now.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Revision, SharedDriver } from '../../contract/index.js';
import { uncertain } from '../failures.js';
import type { Replica } from '../memory/replica.js';
import { DriverError } from './errors.js';
import { loneVerdict, type Verdict } from './groups.js';
import type { PendingChange } from './pending-change.js';

/** The pause between a try with an unknown outcome and the next try, in milliseconds. */
const PAUSE_MS = 100;

/** A creation after its first try. */
export interface CreationTried {
  readonly pending: PendingChange;
  /** The revision of memory before the first try. */
  readonly since: Revision;
  /** The time to give up, by `performance.now()`. */
  readonly until: number;
}

/**
 * Tries the creation again. The absence of the key does not prove that the first try failed: another client may have
 * deleted the new object. So each try requires a head up to which memory has seen all changes of the key, and none of
 * them may be this creation. Returns the outcome of the decisive try. Also returns if a try finds the key, or another
 * restore. Rejects with a `DriverError` if the outcome is unknown.
 */
export async function createAgain(
  driver: Pick<SharedDriver, 'name' | 'commit' | 'look'>,
  replica: Pick<Replica, 'reached' | 'oldestRevision'>,
  { pending, since, until }: CreationTried,
): Promise<Verdict> {
  let problem = `the connection to ${driver.name} was lost before it answered`;
  while (performance.now() + PAUSE_MS < until) {
    try {
      const { number, head, found } = await driver.look(pending.key);
      if (found) return { outcome: 'lost', number, head, found };
      const known = await replica.reached(head, until - performance.now());
      const made = pending.arrived.find(({ bytes }) => pending.made(bytes));
      if (made) return { outcome: 'made', revision: made.revision, number, head };
      // After a reload, memory does not have every change since the first try.
      if (!known || replica.oldestRevision > since) break;
      const commit = await driver.commit([pending], { head, withinMs: until - performance.now() });
      if (commit.outcome !== 'moved') return loneVerdict(commit);
    } catch (error) {
      if (!(error instanceof DriverError)) throw error;
      if (error.problem === 'superseded') return { outcome: 'superseded' };
      problem = error.message;
      if (error.problem !== 'uncertain') break;
      await sleep(PAUSE_MS);
    }
  }
  throw new DriverError('uncertain', problem, { failure: uncertain(problem) });
}
