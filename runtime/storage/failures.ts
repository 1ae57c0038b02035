/** The failures that storage itself reports. */
import type { Commit, Damage, EncodedObject, Failure, Key, Revision } from '../contract/index.js';

/**
 * Returns the failure of a batch that the backend did not store. Nothing of the batch was stored, unless the error is
 * an `UncertainCommit`.
 */
export function writeFailure(error: unknown): Failure {
  if (error instanceof Error && 'uncertain' in error && error.uncertain === true) return uncertain(error.message);
  return { reason: 'InternalError', message: `the change could not be stored: ${messageOf(error)}` };
}

/** Returns a 504: a change may or may not have been made. It has no Retry-After, because a blind retry is not safe. */
export function uncertain(message: string): Failure {
  return { reason: 'Timeout', message: `the change may or may not have been stored: ${message}` };
}

/** Returns a 500: the stored value is not an object. */
export function damagedFailure({ problem, cure }: Pick<Damage, 'problem' | 'cure'>): Failure {
  return { reason: 'InternalError', message: `the stored object cannot be read: ${problem}; ${cure}` };
}

/** Describes an object that cannot be decrypted. */
export const lockedDamage = (key: Key, revision: Revision, problem: string): Damage => ({
  key,
  revision,
  problem,
  cure: 'give the encryption configuration the key, or restore a snapshot',
  locked: true,
});

export function closedFailure(): Failure {
  return { reason: 'ServiceUnavailable', message: 'the store is closed', details: { retryAfterSeconds: 1 } };
}

/** Returns the failure of calls while the content of the store, or a part of it, is being replaced. */
export function unfinishedFailure(): Failure {
  return { reason: 'ServiceUnavailable', message: UNFINISHED, details: { retryAfterSeconds: 1 } };
}

export const UNFINISHED = 'the store is being restored';

/** Returns the failure of a change when too many changes wait for the backend. */
export function overloadFailure(): Failure {
  return {
    reason: 'TooManyRequests',
    message: 'too many changes wait for storage, please try again later',
    details: { retryAfterSeconds: 1 },
  };
}

export function keyFailure(problem: string): Failure {
  return { reason: 'BadRequest', message: `the object cannot be stored: ${problem}` };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns a 503: nothing was stored, because the change was decided on a state that is not the latest. */
export function outdated(): Commit {
  const failure: Failure = {
    reason: 'ServiceUnavailable',
    message: 'another server has changed the data since the change was decided, please try again',
    details: { retryAfterSeconds: 1 },
  };
  return { outcome: 'failed', failure, outdated: true };
}

/**
 * Returns a 503: nothing was stored, because the state that the change relied on has changed. The client may try again.
 */
export function unguarded(): Commit {
  const failure: Failure = {
    reason: 'ServiceUnavailable',
    message: 'something that the change relies on has changed in the meantime, please try again',
    details: { retryAfterSeconds: 1 },
  };
  return { outcome: 'failed', failure, unguarded: true };
}

/** The key of the mark among the objects of an embedded store. No resource has such a key. */
export const MARK_KEY: Key = '!restore/unfinished';

const head = '{"metadata":{"resourceVersion":"';

export const MARK: EncodedObject = {
  text: `${head}"}}`,
  revisionAt: head.length,
  attributes: { labels: {}, fields: {} },
};

/** Thrown if a restore into the store was interrupted. The store has neither the old data nor all of the new data. */
export class UnfinishedRestoreError extends Error {
  constructor() {
    super(
      'a restore into this store was interrupted, so some of its objects are missing; ' +
        'run the restore or migration again, with --replace',
    );
    this.name = 'UnfinishedRestoreError';
  }
}

/** Checks whether the mark exists, or existed before it was damaged. */
export function isUnfinished(mark: unknown, damage: readonly Damage[]): boolean {
  return mark !== undefined || damage.some(({ key }) => key === MARK_KEY);
}
