/** The outcome of deletions in a graph of owners by the published rules, without any order of events. */

export interface Member {
  readonly name: string;
  /** Its owners. A name without a member is an absent owner. */
  readonly owners: readonly string[];
}

export interface Deletion {
  readonly name: string;
  readonly policy: 'Orphan' | 'Background' | 'Foreground';
}

/** Returns the remaining members, and the owners of each. */
export function outcome(
  members: readonly Member[],
  deletions: readonly Deletion[],
): ReadonlyMap<string, readonly string[]> {
  const left = new Map(members.map(({ name, owners }) => [name, owners]));
  collect(left);
  for (const { name, policy } of deletions) {
    if (!left.has(name)) continue;
    if (policy === 'Orphan') {
      for (const [dependent, owners] of left)
        left.set(
          dependent,
          owners.filter((owner) => owner !== name),
        );
    }
    left.delete(name);
    collect(left);
  }
  return left;
}

/** Removes members without any remaining owner, until there are no more; drops absent owners. */
function collect(left: Map<string, readonly string[]>): void {
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const [name, owners] of left) {
      const there = owners.filter((owner) => left.has(owner));
      if (there.length === owners.length) continue;
      hasChanged = true;
      if (there.length === 0) left.delete(name);
      else left.set(name, there);
    }
  }
}
