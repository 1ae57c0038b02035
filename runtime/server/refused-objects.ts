/** Finds stored objects that cannot be written as they are: invalid objects, and objects with unknown fields. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry, FieldError, Store } from '../contract/index.js';
import type { Registry } from '../registry/registry.js';
import { objectOf, type ServedResource } from '../resource/served-resource.js';
import { readAs } from '../resource/versions.js';
import { withoutOldRepeats } from '../schema/index.js';
import { checkRules } from '../write/stages/validation.js';

/** The refused objects of one kind, and its objects with unknown fields. */
export interface RefusedObjects {
  /** As in `gates.example.com`. */
  readonly resource: string;
  /** The stored version. */
  readonly version: string;
  readonly count: number;
  /** The first of them, each with a reason: `default/a: spec.size: Required value`. */
  readonly examples: readonly string[];
  /** Absent if no object has a field that its definition does not have. */
  readonly unknown?: UnknownInObjects;
}

/** Fields of stored objects that their definition does not have. The next write of each object drops them. */
export interface UnknownInObjects {
  readonly count: number;
  /** The first paths, without indices of lists: `spec.owner`, `spec.ports[].name`. */
  readonly fields: readonly string[];
  /** Whether there are more paths than these. */
  readonly more: boolean;
}

export interface RefusedSearch {
  readonly registry: Pick<Registry, 'resources'>;
  readonly store: Pick<Store, 'list'>;
  /** Returns whether the search includes a kind. */
  readonly isSearched: (resource: ServedResource) => boolean;
  readonly signal: AbortSignal;
  /** Milliseconds until the search gives up. */
  readonly limitMs: number;
}

/** Entries that are listed at a time. */
const PAGE = 500;

/** The most examples to report for a kind, and the most unknown fields. */
const EXAMPLES = 3;
const FIELDS = 10;

/** Milliseconds of work, and of the pause after it: requests come first. */
const WORK_MS = 5;
const REST_MS = 20;

/**
 * Yields the kinds with refused objects or unknown fields. Reads one object at a time, and pauses between: a search
 * takes at most a fifth of a thread. Returns whether it has checked all objects within its time.
 */
export async function* findRefused(search: RefusedSearch): AsyncGenerator<RefusedObjects, boolean> {
  const ends = performance.now() + search.limitMs;
  const kinds = new Set(search.registry.resources.filter(search.isSearched).map(({ stored }) => stored));
  for (const stored of kinds) {
    await stored.ready();
    let count = 0;
    const examples: string[] = [];
    const unknown = new UnknownFields(stored);
    let began = performance.now();
    for (const entry of entriesOf(stored, search.store)) {
      const [error] = errorsOf(stored, entry);
      if (error && ++count <= EXAMPLES) examples.push(`${nameOf(stored, entry)}: ${error.field}: ${error.message}`);
      unknown.look(entry);
      if (performance.now() - began < WORK_MS) continue;
      await sleep(REST_MS, undefined, { ref: false });
      began = performance.now();
      if (search.signal.aborted || began > ends) break;
    }
    if (count > 0 || unknown.count > 0)
      yield { resource: stored.groupResource, version: stored.module.version, count, examples, ...unknown.found() };
    if (search.signal.aborted || performance.now() > ends) return false;
  }
  return true;
}

/** Counts the objects of a kind with unknown fields. */
class UnknownFields {
  count = 0;
  readonly #stored: ServedResource;
  readonly #fields = new Set<string>();
  #more = false;

  constructor(stored: ServedResource) {
    this.#stored = stored;
  }

  look(entry: Entry): void {
    const object = objectOf(entry);
    // The object's own version decides which fields are known.
    const written =
      object.apiVersion === this.#stored.apiVersion ? this.#stored : this.#stored.sibling(object.apiVersion);
    let isKnown = true;
    written?.functions.prune(object, (path) => {
      isKnown = false;
      this.#remember(path.replace(/\[\d+\]/g, '[]'));
    });
    if (!isKnown) this.count++;
  }

  found(): Pick<RefusedObjects, 'unknown'> {
    return this.count === 0 ? {} : { unknown: { count: this.count, fields: [...this.#fields], more: this.#more } };
  }

  #remember(path: string): void {
    if (this.#fields.size < FIELDS) this.#fields.add(path);
    else this.#more ||= !this.#fields.has(path);
  }
}

function* entriesOf({ keyPrefix }: ServedResource, store: Pick<Store, 'list'>): Generator<Entry> {
  let after: string | undefined;
  do {
    const page = store.list(keyPrefix, { limit: PAGE, ...(after === undefined ? {} : { after }) });
    if (typeof page === 'string') return;
    yield* page.entries;
    after = page.more ? page.entries.at(-1)?.key : undefined;
  } while (after !== undefined);
}

/**
 * Returns the errors of an object in the stored version. Releases that validate updates in full refuse these objects.
 */
function errorsOf(stored: ServedResource, entry: Entry): readonly FieldError[] {
  // Only a webhook could convert the object.
  if (stored.remote && entry.outdated !== undefined) return [];
  let isReadable = true;
  const object = readAs(stored, entry, () => {
    isReadable = false;
  });
  if (!isReadable) return [];
  const found: FieldError[] = [];
  stored.functions.validate(object, found);
  const errors = [...withoutOldRepeats(stored.functions, stored.module.decoding, found, object)];
  if (errors.length === 0) checkRules(stored, object, object, errors);
  return errors;
}

const nameOf = ({ keyPrefix }: ServedResource, { key }: Entry): string => key.slice(keyPrefix.length);
