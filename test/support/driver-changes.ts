/** Changes for a driver of the shared store, and a follower that keeps what it gets. */
import { expect } from 'vitest';
import type {
  Key,
  Revision,
  SharedCommit,
  SharedDriver,
  SharedGroup,
  SharedOpenOptions,
  SharedProposal,
  SharedRecord,
} from '../../runtime/contract/index.js';
import { eventually } from './eventually.js';

export const OPEN: SharedOpenOptions = { readOnly: false, replacing: false, windowMs: 300_000 };

/** Returns an object as the store encodes it. */
export const encoded = (text: string) => ({
  text: `{"metadata":{"name":"${text}","resourceVersion":""}}`,
  revisionAt: text.length + 42,
  attributes: { labels: {}, fields: {} },
});

/** Returns a change that writes an object. */
export const put = (key: Key, expected: Revision = 0, text = key): SharedProposal => ({
  key,
  expected,
  next: encoded(text),
  writes: true,
});

export const remove = (key: Key, expected: Revision): SharedProposal => ({ key, expected, writes: true });

/** Commits changes in one group. */
export const commit = (driver: SharedDriver, ...group: readonly SharedProposal[]): Promise<SharedCommit> =>
  driver.commit(group, { withinMs: 4_000 });

/** Keeps the groups that a driver delivers. */
export interface Followed {
  readonly groups: readonly SharedGroup[];
  /** As in `2: /pods/a@1 /pods/b@2`, and `-` before a deleted key. */
  readonly lines: readonly string[];
  readonly error: Error | undefined;
  stop(): void;
  /** Waits for a group with this number or a higher one. */
  reached(number: Revision): Promise<void>;
}

/** Starts to follow after a number, and resolves when the driver follows. */
export async function followed(driver: SharedDriver, after: Revision = 0): Promise<Followed> {
  const groups: SharedGroup[] = [];
  let error: Error | undefined;
  let hasBegun = false;
  const stop = driver.follow(after, {
    begun() {
      hasBegun = true;
    },
    group(group) {
      groups.push(group);
    },
    reached() {},
    broken(cause) {
      error = cause;
    },
  });
  await eventually(() => expect(hasBegun || error !== undefined).toBe(true));
  return {
    groups,
    get lines() {
      return groups.map(lineOf);
    },
    get error() {
      return error;
    },
    stop,
    reached: (number) => eventually(() => expect(groups.at(-1)?.number ?? 0).toBeGreaterThanOrEqual(number)),
  };
}

function lineOf({ number, changes }: SharedGroup): string {
  const all = changes.map(({ key, revision, value }) => `${value ? '' : '-'}${key}@${revision}`);
  return `${number}: ${all.join(' ')}`;
}

/** Loads a state, as in `/pods/a@1`, in key order. */
export async function loaded(driver: SharedDriver, at?: Revision): Promise<readonly string[]> {
  const found: SharedRecord[] = [];
  await driver.load(at, ({ records }) => {
    found.push(...records);
  });
  return found.map(({ key, revision }) => `${key}@${revision}`).sort();
}
