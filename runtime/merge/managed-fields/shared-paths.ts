/**
 * The paths of conflicts as the reference names them. It builds the paths of a set one after the other in memory that
 * they share, so that a later path may overwrite the end of an earlier one: the conflict is then named by a neighbour,
 * or by the container that both are in. What is in conflict stays the same.
 */
import { type FieldSet, sortedElements } from '../fieldpath/field-set.js';
import type { PathElement } from '../fieldpath/path-element.js';

/** The beginning of a piece of memory; whoever goes on from it writes behind it, as long as there is room. */
interface Path {
  readonly memory: PathElement[];
  readonly length: number;
  /** The elements that the memory has room for. */
  readonly room: number;
}

/** The path one step further: in the same memory where it has room, else in twice as much. */
function append({ memory, length, room }: Path, element: PathElement): Path {
  if (length < room) {
    memory[length] = element;
    return { memory, length: length + 1, room };
  }
  return { memory: [...memory.slice(0, length), element], length: length + 1, room: Math.max(1, room * 2) };
}

/** A set that paths go through, the path to where it is, and the step there from that. */
type Open = readonly [set: FieldSet, prefix: Path, element: PathElement | undefined];

/** Paths that are put together when they are asked for: those of a deep set have very many steps in all. */
interface SharedPaths extends Iterable<readonly PathElement[]> {
  readonly count: number;
}

/** Every path of the set, in the order of `paths`, as it reads once all of them have been built. */
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

/** Notes the paths one step below, and opens what is further down: the first comes last, as the last is taken first. */
function collect(set: FieldSet, prefix: Path, found: Path[], open: Open[]): void {
  const elements = sortedElements(set);
  for (const element of elements) if (set.children.get(element)?.owned) found.push(append(prefix, element));
  for (const element of elements.toReversed()) {
    const child = set.children.get(element);
    if (child !== undefined && child.children.size > 0) open.push([child, prefix, element]);
  }
}
