/** Keeps names apart that would be the same. */

/** Returns a function that returns its argument, or, if that is taken, adds the first free number. */
export function distinctNames(): (name: string) => string {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (name) => {
    let count = counts.get(name) ?? 1;
    let own = count === 1 ? name : `${name}${count}`;
    while (taken.has(own)) {
      count += 1;
      own = `${name}${count}`;
    }
    counts.set(name, count);
    taken.add(own);
    return own;
  };
}
