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

/** Every path of the set, in the order of `paths`, as it reads once all of them have been built. */
export function sharedPaths(set: FieldSet): readonly (readonly PathElement[])[] {
  const found: Path[] = [];
  collect(set, { memory: [], length: 0, room: 0 }, found);
  return found.map(({ memory, length }) => memory.slice(0, length));
}

function collect(set: FieldSet, prefix: Path, found: Path[]): void {
  const elements = sortedElements(set);
  for (const element of elements) if (set.children.get(element)?.owned) found.push(append(prefix, element));
  for (const element of elements) {
    const child = set.children.get(element);
    if (child !== undefined && child.children.size > 0) collect(child, append(prefix, element), found);
  }
}
