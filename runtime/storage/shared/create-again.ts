/**
 * Repeats a create with an unknown outcome, unless the first try made the object, even if the object is gone by now.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Revision, SharedDriver } from '../../contract/index.js';
import { uncertain } from '../failures.js';
import type { Replica } from '../memory/replica.js';
import { DriverError, toDriverError } from './errors.js';
import { loneVerdict, type Verdict } from './groups.js';
import type { PendingChange } from './pending-change.js';

/** The pause between a try with an unknown outcome and the next, in milliseconds. */
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
 * Tries the creation again. The absence of the key does not prove that the first try was not carried out: others may
 * have deleted the new object. So each try names the head up to which all changes of the key are known, and none of
 * them is this creation. Returns the outcome of the try that counts, or that found the key or another restore; rejects
 * with a `DriverError` when the outcome is unknown.
 */
export async function createAgain(
  driver: Pick<SharedDriver, 'name' | 'commit' | 'look'>,
  replica: Pick<Replica, 'reached' | 'oldestRevision'>,
  { pending, since, until }: CreationTried,
): Promise<Verdict> {
  let problem = `${driver.name} was lost while it was on its way`;
  while (performance.now() + PAUSE_MS < until) {
    try {
      const { number, head, found } = await driver.look(pending.key);
      if (found) return { outcome: 'lost', number, head, found };
      const known = await replica.reached(head, until - performance.now());
      const made = pending.arrived.find(({ bytes }) => pending.made(bytes));
      if (made) return { outcome: 'made', revision: made.revision, number, head };
      // After a reload, memory does not know every change since the first try.
      if (!known || replica.oldestRevision > since) break;
      const commit = await driver.commit([pending], { head, withinMs: until - performance.now() });
      if (commit.outcome !== 'moved') return loneVerdict(commit);
    } catch (thrown) {
      const error = toDriverError(thrown);
      if (error.problem === 'superseded') return { outcome: 'superseded' };
      problem = error.message;
      if (error.problem !== 'uncertain') break;
      await sleep(PAUSE_MS);
    }
  }
  throw new DriverError('uncertain', problem, { failure: uncertain(problem) });
}
