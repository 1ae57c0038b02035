/** The mark that a restore leaves until it is finished. */
import type { Damage, EncodedObject, Key } from '../contract/index.js';

/** Where the mark lies among the objects of an embedded store; no resource has such a key. */
export const MARK_KEY: Key = '!restore/unfinished';

const head = '{"metadata":{"resourceVersion":"';

export const MARK: EncodedObject = {
  text: `${head}"}}`,
  revisionAt: head.length,
  attributes: { labels: {}, fields: {} },
};

/** A restore into this store was interrupted. What lies there is neither what was there before nor what was to be. */
export class UnfinishedRestoreError extends Error {
  constructor() {
    super(
      'a restore into this store was interrupted, so that its objects are not all there; ' +
        'run the restore or migration again, with --replace',
    );
    this.name = 'UnfinishedRestoreError';
  }
}

/** Whether the mark is there, or was until it got damaged. */
export function isUnfinished(mark: unknown, damage: readonly Damage[]): boolean {
  return mark !== undefined || damage.some(({ key }) => key === MARK_KEY);
}
