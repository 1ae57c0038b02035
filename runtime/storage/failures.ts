/** The failures that storage itself reports. */
import type { Commit, Damage, EncodedObject, Failure, Key, Revision } from '../contract/index.js';

/**
 * Returns the failure of a batch that the backend did not take. Nothing of it was stored, unless the error says that
 * this is unknown.
 */
export function writeFailure(error: unknown): Failure {
  if (error instanceof Error && 'uncertain' in error && error.uncertain === true) return uncertain(error.message);
  return { reason: 'InternalError', message: `the change could not be stored: ${messageOf(error)}` };
}

/** Returns a 504: a change may or may not have been made. It has no Retry-After: trying again blindly is not safe. */
export function uncertain(message: string): Failure {
  return { reason: 'Timeout', message: `the change may or may not have been stored: ${message}` };
}

/** Returns a 500: something is stored in the place of the object, and it is no object. */
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

/** Returns the failure while all or a part of the store's content is being replaced. */
export function unfinishedFailure(): Failure {
  return { reason: 'ServiceUnavailable', message: UNFINISHED, details: { retryAfterSeconds: 1 } };
}

export const UNFINISHED = 'the store is being restored';

/** Returns the failure if more changes wait for the backend than memory should hold. */
export function overloadFailure(): Failure {
  return {
    reason: 'TooManyRequests',
    message: 'storage cannot keep up with the changes that wait for it, please try again later',
    details: { retryAfterSeconds: 1 },
  };
}

export function keyFailure(problem: string): Failure {
  return { reason: 'BadRequest', message: `the object cannot be stored: ${problem}` };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns a 503: nothing was stored, since the change was decided on a state that is not the latest. */
export function outdated(): Commit {
  const failure: Failure = {
    reason: 'ServiceUnavailable',
    message: 'others have changed something since the change was decided, please try again',
    details: { retryAfterSeconds: 1 },
  };
  return { outcome: 'failed', failure, outdated: true };
}

/**
 * Returns a 503: nothing was stored, since the state that the change relied on has changed; the client may simply try
 * again.
 */
export function unguarded(): Commit {
  const failure: Failure = {
    reason: 'ServiceUnavailable',
    message: 'something that the change relies on has changed in the meantime, please try again',
    details: { retryAfterSeconds: 1 },
  };
  return { outcome: 'failed', failure, unguarded: true };
}

/** The key of the mark among the objects of an embedded store; no resource has such a key. */
export const MARK_KEY: Key = '!restore/unfinished';

const head = '{"metadata":{"resourceVersion":"';

export const MARK: EncodedObject = {
  text: `${head}"}}`,
  revisionAt: head.length,
  attributes: { labels: {}, fields: {} },
};

/** A restore into this store was interrupted. The store holds neither the old data nor all of the new. */
export class UnfinishedRestoreError extends Error {
  constructor() {
    super(
      'a restore into this store was interrupted, so that its objects are not all there; ' +
        'run the restore or migration again, with --replace',
    );
    this.name = 'UnfinishedRestoreError';
  }
}

/** Checks whether the mark is there, or was there until it got damaged. */
export function isUnfinished(mark: unknown, damage: readonly Damage[]): boolean {
  return mark !== undefined || damage.some(({ key }) => key === MARK_KEY);
}
