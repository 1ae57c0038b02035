/** Keeps the objects of a collection from events, in whatever order these arrive. */
import type { ApiObjectLike } from '../types.js';
import { type CollectionEvent, keyOf, type ObjectChange } from './collection-events.js';
import { isLater } from './revisions.js';

/** Changes in order. A change is part of the state once it is taken, so callers must take all of them. */
type Changes<T> = Generator<ObjectChange<T>, void, undefined>;

/**
 * Never replaces an object by an older one: a watch and the answers to writes may report the same changes. Objects that
 * are kept must have their name, namespace, uid and resourceVersion.
 */
export class ObjectState<T extends ApiObjectLike> {
  readonly objects: Map<string, T>;
  readonly #keep: (object: T) => T;
  /** By key: a revision at which no object had the key. The watch has not reached it. */
  readonly #absent = new Map<string, string>();
  /** Keys of the listing in progress. */
  #listing: Set<string> | undefined;
  /** Every change up to this revision is here. */
  #reached: string | undefined;

  constructor(keep: (object: T) => T = (object) => object, objects: Map<string, T> = new Map()) {
    this.#keep = keep;
    this.objects = objects;
  }

  *apply(told: CollectionEvent<T>): Changes<T> {
    switch (told.type) {
      case 'begin':
        this.#listing = new Set();
        return;
      case 'object':
        this.#listing?.add(keyOf(told.object));
        yield* this.#put(told.object);
        break;
      case 'gone':
        this.#listing?.delete(keyOf(told.object));
        yield* this.#remove(told.object);
        break;
      case 'listed':
        yield* this.#complete(told.revision);
        this.#reach(told.revision);
        return;
      case 'reached':
        this.#forgetUpTo(told.revision);
        this.#reach(told.revision);
        return;
    }
    // A listing yields objects in any order, so their revisions do not say what has arrived.
    if (this.#listing === undefined) this.#reach(told.object.metadata.resourceVersion);
  }

  /** Adds an object from the answer to a request, unless a later one is known. */
  *learn(object: T): Changes<T> {
    if (this.#isToBeTold(object.metadata.resourceVersion)) yield* this.#put(object);
  }

  /** Records that no object had this key at a revision, as the answer to a request says. */
  *learnAbsent(key: string, revision: string): Changes<T> {
    const before = this.objects.get(key);
    if (!this.#isToBeTold(revision) || isLater(before?.metadata.resourceVersion, revision)) return;
    if (!isLater(this.#absent.get(key), revision)) this.#absent.set(key, revision);
    if (before !== undefined && this.objects.delete(key)) yield { type: 'removed', object: before, before };
  }

  /** Returns whether the watch has not reached a revision. An object at an earlier revision may be gone by now. */
  #isToBeTold(revision: string | undefined): boolean {
    return this.#reached === undefined || isLater(revision, this.#reached);
  }

  #reach(revision: string | undefined): void {
    this.#reached = revision ?? this.#reached;
  }

  *#put(object: T): Changes<T> {
    const key = keyOf(object);
    const before = this.objects.get(key);
    const { uid, resourceVersion } = object.metadata;
    const known = before?.metadata.resourceVersion ?? this.#absent.get(key);
    if (known !== undefined && (known === resourceVersion || isLater(known, resourceVersion))) return;
    this.#absent.delete(key);
    const kept = this.#keep(object);
    if (before === undefined) {
      this.objects.set(key, kept);
      yield { type: 'added', object: kept };
    } else if (before.metadata.uid === uid) {
      this.objects.set(key, kept);
      yield { type: 'changed', object: kept, before };
    } else {
      // Another object has the name now, and nothing reported the end of the earlier object.
      this.objects.delete(key);
      yield { type: 'removed', object: before, before };
      this.objects.set(key, kept);
      yield { type: 'added', object: kept };
    }
  }

  *#remove(object: T): Changes<T> {
    const key = keyOf(object);
    const before = this.objects.get(key);
    if (before === undefined || isLater(before.metadata.resourceVersion, object.metadata.resourceVersion)) return;
    this.objects.delete(key);
    yield { type: 'removed', object: this.#keep(object), before };
  }

  /**
   * Removes the objects that a listing did not contain. Objects later than its revision stay, for example after a
   * write.
   */
  *#complete(revision: string): Changes<T> {
    const listed = this.#listing ?? new Set();
    this.#listing = undefined;
    for (const [key, object] of this.objects) {
      if (listed.has(key) || isLater(object.metadata.resourceVersion, revision)) continue;
      this.objects.delete(key);
      yield { type: 'removed', object, before: object };
    }
    this.#forgetUpTo(revision);
  }

  #forgetUpTo(revision: string): void {
    for (const [key, absentAt] of this.#absent) if (!isLater(absentAt, revision)) this.#absent.delete(key);
  }
}
