/** Makes the failure for the conflicts of an apply, with one cause for each field and manager. */
import type { Failure } from '../../contract/index.js';
import { byCodePoint, quote } from '../../objects/printing.js';
import { type FieldSet, sortedElements } from '../field-set.js';
import { type PathElement, printPath } from '../path-element.js';
import type { ManagerRecord, Managers } from './entries.js';

/**
 * The most conflicts that a failure names, and about the most characters of their paths. The message counts the others.
 */
const MOST_NAMED = 1_000;
const MOST_CHARACTERS = 1024 * 1024;

/**
 * Returns the `Conflict` of an apply. `conflicts` has the fields of other managers that would change, by manager key.
 */
export function conflictFailure(conflicts: ReadonlyMap<string, FieldSet>, managers: Managers): Failure {
  let count = 0;
  let named = 0;
  let characters = 0;
  const found: ManagerConflicts[] = [];
  for (const key of [...conflicts.keys()].sort(byCodePoint)) {
    const [record, owned] = [managers.get(key), conflicts.get(key)];
    if (record === undefined || owned === undefined) continue;
    const paths = sharedPaths(owned);
    const fields: string[] = [];
    for (const path of paths) {
      if (named === MOST_NAMED || characters > MOST_CHARACTERS) break;
      const field = printPath(path);
      fields.push(field);
      named++;
      characters += field.length;
    }
    count += paths.count;
    if (fields.length > 0) found.push({ manager: printManager(record), fields });
  }
  const causes = found.flatMap(({ manager, fields }) =>
    fields.map((field) => ({ reason: 'FieldManagerConflict' as const, message: `conflict with ${manager}`, field })),
  );
  return { reason: 'Conflict', message: messageOf(found, count, count - named), details: { causes } };
}

/** A manager as messages name it, and its fields in conflict. */
interface ManagerConflicts {
  readonly manager: string;
  readonly fields: readonly string[];
}

function messageOf(found: readonly ManagerConflicts[], count: number, unnamed: number): string {
  const [only] = found;
  if (only !== undefined && count === 1) {
    return `Apply failed with 1 conflict: conflict with ${only.manager}: ${only.fields[0] ?? ''}`;
  }
  const lines = found.flatMap(({ manager, fields }) => [
    `conflicts with ${manager}:`,
    ...fields.map((field) => `- ${field}`),
  ]);
  const more = unnamed > 0 ? [`and ${unnamed} more`] : [];
  return `Apply failed with ${count} conflicts: ${[...lines, ...more].join('\n')}`;
}

/** Prints `"name"`, the subresource if any, and the version of the paths for updaters. */
function printManager({ manager, subresource, operation, apiVersion }: ManagerRecord): string {
  const through = subresource === '' ? '' : ` with subresource ${quote(subresource)}`;
  const using = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${quote(manager)}${through}${using}`;
}

// Names conflicts as the reference does. The reference keeps the paths of a set in shared memory, and a later path may
// overwrite the end of an earlier path. The conflict then has the name of a sibling, or of the container of both. The
// fields in conflict are still the same.

/** A path: the first elements of a piece of memory. A longer path continues in the same memory while it has room. */
interface Path {
  readonly memory: PathElement[];
  readonly length: number;
  /** The number of elements that fit into the memory. */
  readonly room: number;
}

/** Extends a path by one step: in the same memory if it has room, otherwise in new memory of twice the size. */
function append({ memory, length, room }: Path, element: PathElement): Path {
  if (length < room) {
    memory[length] = element;
    return { memory, length: length + 1, room };
  }
  return { memory: [...memory.slice(0, length), element], length: length + 1, room: Math.max(1, room * 2) };
}

/** A set to visit, the path to its parent, and the step from there. */
type Open = readonly [set: FieldSet, prefix: Path, element: PathElement | undefined];

/** Paths that are built on demand, because the paths of a deep set have very many steps in total. */
interface SharedPaths extends Iterable<readonly PathElement[]> {
  readonly count: number;
}

/**
 * Returns every path of the set in the order of `paths`. Each has the elements that are in its memory after all paths
 * are built.
 */
export function sharedPaths(set: FieldSet): SharedPaths {
  const found: Path[] = [];
  const open: Open[] = [[set, { memory: [], length: 0, room: 0 }, undefined]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [at, prefix, element] = next;
    collect(at, element === undefined ? prefix : append(prefix, element), found, open);
  }
  return {
    count: found.length,
    *[Symbol.iterator]() {
      for (const { memory, length } of found) yield memory.slice(0, length);
    },
  };
}

/**
 * Collects the paths one step below. Pushes the sets below them in reverse order, because the last one is visited
 * first.
 */
function collect(set: FieldSet, prefix: Path, found: Path[], open: Open[]): void {
  const elements = sortedElements(set);
  for (const element of elements) if (set.children.get(element)?.owned) found.push(append(prefix, element));
  for (const element of elements.toReversed()) {
    const child = set.children.get(element);
    if (child !== undefined && child.children.size > 0) open.push([child, prefix, element]);
  }
}
