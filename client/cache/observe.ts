/** Shows a cache to user interfaces: a value to read, and a call whenever it has changed. */
import type { ObjectCache } from './cache.js';
import { throwApart } from './throw-apart.js';

/**
 * A value that changes. It fits `useSyncExternalStore` of React, the store contract of Svelte, and a `shallowRef` of
 * Vue.
 */
export interface Observable<Value> {
  /** Calls a function with the value, now and after each change. Several changes in one turn make one call. */
  readonly subscribe: (run: (value: Value) => void) => () => void;
  /** Returns the current value. Returns the same value until something changes. */
  readonly getSnapshot: () => Value;
}

/** Observes the objects of a cache, in the order of their keys. */
export function observe<T>(cache: ObjectCache<T, never>): Observable<readonly T[]>;
/** Observes a value that a function selects from the objects of a cache after each change. */
export function observe<T, Index extends string, Value>(
  cache: ObjectCache<T, Index>,
  select: (cache: ObjectCache<T, Index>) => Value,
): Observable<Value>;
export function observe<T>(
  cache: ObjectCache<T>,
  select: (cache: ObjectCache<T>) => unknown = (cache) => cache.list(),
): Observable<unknown> {
  const onChange = (announce: () => void): (() => void) => {
    cache.synced.then(announce, () => {});
    return cache.onChange(announce, { fromNow: true });
  };
  return observeSource({ versionOf: () => cache.version, read: () => select(cache), onChange });
}

/** A value that changes, and a number that changes with it. */
export interface ObservedSource<Value> {
  readonly versionOf: () => number;
  readonly read: () => Value;
  /** Starts to call a function with each change. The returned function ends this. */
  readonly onChange: (announce: () => void) => () => void;
}

/** Observes a source. Listens to it from the first subscription until the last one ends. */
export function observeSource<Value>({ versionOf, read, onChange }: ObservedSource<Value>): Observable<Value> {
  const subscribers = new Set<(value: Value) => void>();
  let value: Value;
  /** The version at which `value` was read. */
  let at: number | undefined;
  /** The value that all subscribers have. */
  let told: Value;
  let isAnnounced = false;
  let stop = (): void => {};
  const getSnapshot = (): Value => {
    if (at !== versionOf()) {
      const next = read();
      if (at === undefined || !isSame(value, next)) value = next;
      at = versionOf();
    }
    return value;
  };
  const tell = (): void => {
    isAnnounced = false;
    if (subscribers.size === 0 || getSnapshot() === told) return;
    told = value;
    for (const run of [...subscribers]) if (subscribers.has(run)) apart(() => run(value));
  };
  const announce = (): void => {
    if (!isAnnounced) queueMicrotask(() => apart(tell));
    isAnnounced = true;
  };
  const subscribe = (run: (value: Value) => void): (() => void) => {
    // Calls a function twice if it subscribed twice.
    const own = (next: Value): void => run(next);
    const unsubscribe = (): void => {
      if (subscribers.delete(own) && subscribers.size === 0) stop();
    };
    const now = getSnapshot();
    if (subscribers.size === 0) {
      stop = onChange(announce);
      told = now;
    }
    subscribers.add(own);
    try {
      run(now);
    } catch (error) {
      unsubscribe();
      throw error;
    }
    return unsubscribe;
  };
  return { subscribe, getSnapshot };
}

/** Calls a function. If it throws, the other subscribers are still called. */
function apart(act: () => void): void {
  try {
    act();
  } catch (error) {
    throwApart(error);
  }
}

/** Returns whether two values are the same, or lists of the same values. */
function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!Array.isArray(a) || !Array.isArray(b)) return false;
  return a.length === b.length && a.every((item, index) => Object.is(item, b[index]));
}
