/** Hands records to all places that they go to. */
import type { AuditRecord, AuditSink } from '../../contract/index.js';
import { type MaybePromise, thenSync } from '../../objects/maybe-promise.js';

/** Hands a record on; false where a sink has lost it that requests depend on. Waits only for sinks that do so themselves. */
export function writeToAll(sinks: readonly AuditSink[], record: AuditRecord): MaybePromise<boolean> {
  let kept: MaybePromise<boolean> = true;
  for (const { strict = false, write } of sinks) {
    const written = thenSync(write(record), (done) => done || !strict);
    kept = both(kept, written);
  }
  return kept;
}

const both = (a: MaybePromise<boolean>, b: MaybePromise<boolean>): MaybePromise<boolean> =>
  thenSync(a, (first) => thenSync(b, (second) => first && second));
