/** Merges two changes of an object, field by field. The server cannot do this: it stores only whole objects. */
import { diffOf, type FieldChange } from './diff.js';
import { byKey, isMembers, isSame, itemKeyOf, type Members, printPath, type Step } from './paths.js';

/** A field that both sides have changed in different ways. A side that removed it has no value. */
export interface Conflict {
  /** As in `spec.ports[name=web].port`. */
  readonly path: string;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export type Side = 'mine' | 'theirs';

export interface Merge<T> {
  readonly merged: T;
  /** In the order of the object. */
  readonly conflicts: readonly Conflict[];
  /** Changes by one side only. They need no choice. */
  readonly changes: readonly (FieldChange & { readonly side: Side })[];
}

/** The fields of metadata that the server writes. The newest values count. */
const ofServer = ['resourceVersion', 'generation', 'managedFields', 'uid', 'creationTimestamp', 'deletionTimestamp'];

/**
 * Merges a change of mine with a change of theirs; both began at `base`. A conflict takes the side that was chosen for
 * its path; `theirs` without a choice. The result has the resourceVersion of theirs, so that it can be saved.
 */
export function merge<T extends { readonly metadata: object }>(
  base: T,
  mine: T,
  theirs: T,
  choices: ReadonlyMap<string, Side> = new Map(),
): Merge<T> {
  const found: Found = { conflicts: [], changes: [], choices };
  const [from, own] = [withMetadataOf(base, theirs), withMetadataOf(mine, theirs)];
  // Needs no check: all members of the result come from objects of this type.
  const isWhole = (_value: unknown): _value is T => true;
  const merged = mergeValue(from, own, theirs, [], found);
  return { merged: isWhole(merged) ? merged : theirs, conflicts: found.conflicts, changes: found.changes };
}

function withMetadataOf<T extends { readonly metadata: object }>(object: T, theirs: T): T {
  const kept = Object.entries(object.metadata).filter(([name]) => !ofServer.includes(name));
  const newest = Object.entries(theirs.metadata).filter(([name]) => ofServer.includes(name));
  return { ...object, metadata: Object.fromEntries([...kept, ...newest]) };
}

interface Found {
  readonly conflicts: Conflict[];
  readonly changes: (FieldChange & { readonly side: Side })[];
  readonly choices: ReadonlyMap<string, Side>;
}

function mergeValue(base: unknown, mine: unknown, theirs: unknown, at: readonly Step[], found: Found): unknown {
  if (isSame(mine, theirs)) return theirs;
  const only: Side | undefined = isSame(base, mine) ? 'theirs' : isSame(base, theirs) ? 'mine' : undefined;
  if (only !== undefined) {
    const value = only === 'mine' ? mine : theirs;
    found.changes.push(...diffOf(base, value, at).map((change) => ({ ...change, side: only })));
    return value;
  }
  if (isMembers(mine) && isMembers(theirs)) {
    return mergeMembers(isMembers(base) ? base : {}, mine, theirs, at, found);
  }
  if (Array.isArray(mine) && Array.isArray(theirs)) {
    const old = Array.isArray(base) ? base : [];
    const key = itemKeyOf(old, mine, theirs);
    if (key !== undefined) return mergeItems(key, [old, mine, theirs], at, found);
  }
  const path = printPath(at);
  found.conflicts.push({ path, base, mine, theirs });
  return found.choices.get(path) === 'mine' ? mine : theirs;
}

function mergeMembers(base: Members, mine: Members, theirs: Members, at: readonly Step[], found: Found): Members {
  const names = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
  const own = (members: Members, name: string): unknown => (Object.hasOwn(members, name) ? members[name] : undefined);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const value = mergeValue(own(base, name), own(mine, name), own(theirs, name), [...at, name], found);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Merges lists item by item: theirs in their order, then the ones that only mine has. */
function mergeItems(
  key: string,
  lists: readonly [base: readonly unknown[], mine: readonly unknown[], theirs: readonly unknown[]],
  at: readonly Step[],
  found: Found,
): readonly unknown[] {
  const [base, mine, theirs] = [byKey(lists[0], key), byKey(lists[1], key), byKey(lists[2], key)];
  return [...new Set([...theirs.keys(), ...mine.keys()])].flatMap((value) => {
    const step = { key, value };
    const item = mergeValue(base.get(value), mine.get(value), theirs.get(value), [...at, step], found);
    return item === undefined ? [] : [item];
  });
}
