/** Runs the stages of a write one after another. */
import type { Failure, Result } from '../contract/index.js';
import { Turns } from '../objects/turns.js';
import type { Outcome } from '../request/outcome.js';
import type { Attempt } from './attempt.js';

/**
 * The answer of a stage: `undefined` to go on, a refusal, the outcome that the write ends with, or `lost` where another
 * writer was faster.
 */
export type StageAnswer = undefined | Failure | { readonly outcome: Outcome } | 'lost';

/** One step of a write. Most answer at once; waiting for them, too, would cost more than they do. */
export type Stage<A extends Attempt> = (attempt: A) => StageAnswer | void | Promise<StageAnswer> | Promise<void>;

/**
 * Runs stages until one of them ends the write. Between stages others have their turn where the write takes long. Values
 * that were claimed on the way are given back at the end.
 */
export async function runStages<A extends Attempt>(
  stages: readonly Stage<A>[],
  attempt: A,
): Promise<Result<Outcome> | 'lost'> {
  const turns = new Turns();
  try {
    for (const stage of stages) {
      const others = turns.giveWay();
      if (others) await others;
      const given = stage(attempt);
      const answer = given instanceof Promise ? await given : given;
      if (!answer) continue;
      if (answer === 'lost') return 'lost';
      return 'outcome' in answer ? { ok: true, value: answer.outcome } : { ok: false, failure: answer };
    }
  } finally {
    const released = attempt.assignment.release();
    if (released) await released;
  }
  throw new Error('the last stage of a write has not ended it');
}
