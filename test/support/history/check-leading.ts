/** Holds what controllers did against who held the lease then; both are ordered by the revisions of one store. */

/** A state of the lease. */
export interface Held {
  readonly revision: number;
  readonly holder: string;
}

/** A write of a controller. */
export interface Act {
  readonly revision: number;
  readonly by: string;
}

/** Prints one line for each act of a process that did not hold the lease. */
export function checkLeading(leases: readonly Held[], acts: readonly Act[]): string[] {
  const ordered = [...leases].sort((a, b) => a.revision - b.revision);
  return acts.flatMap(({ revision, by }) => {
    const holder = ordered.findLast((held) => held.revision < revision)?.holder ?? 'nobody';
    return holder === by ? [] : [`${by} wrote revision ${revision} while ${holder} held the lease`];
  });
}
