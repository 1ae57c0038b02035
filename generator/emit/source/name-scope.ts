/** A scope in which each name is used once, such as the top level of a generated file. */
import { joinNames } from './naming.js';

export interface NameScope {
  /** Takes a name; returns `false` if it is already taken. */
  readonly claim: (name: string) => boolean;
  /** Takes the first free candidate, or the last one with a number. */
  readonly choose: (candidates: Iterable<string>) => string;
}

/** Creates a scope in which `reserved` is already taken. */
export const createNameScope = (reserved: Iterable<string> = []): NameScope => {
  const taken = new Set(reserved);
  /** The next number to try for a name, so that equal names do not all try every number. */
  const numbers = new Map<string, number>();
  const claim = (name: string): boolean => {
    if (taken.has(name)) return false;
    taken.add(name);
    return true;
  };
  const choose = (candidates: Iterable<string>): string => {
    let last = '_';
    for (const candidate of candidates) {
      last = candidate;
      if (claim(candidate)) return candidate;
    }
    let number = numbers.get(last) ?? 2;
    while (!claim(`${last}${number}`)) number++;
    numbers.set(last, number + 1);
    return `${last}${number}`;
  };
  return { claim, choose };
};

/**
 * Yields names for the end of a path, best first: owner and last segment, then more and more of the path (`PodPort`,
 * `PodContainerPort`), finally all of it below its root (`PodSpecContainerPort`).
 * @param owner - name of the type that the path starts at.
 * @param path - segments in Pascal case, list items in the singular; `Spec` or `Status` in front counts as the root.
 */
export function* pathNames(owner: string, path: readonly string[]): Generator<string> {
  const rooted = path.length > 1 && (path[0] === 'Spec' || path[0] === 'Status');
  const inner = rooted ? path.slice(1) : path;
  let tail = '';
  for (const segment of [...inner].reverse()) {
    tail = joinNames(segment, tail);
    yield joinNames(owner, tail);
  }
  if (rooted) yield joinNames(owner, joinNames(path[0] ?? '', tail));
  yield owner + path.join('');
}
