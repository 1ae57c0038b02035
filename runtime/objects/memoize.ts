/** Keeps what a function has computed, for whoever asks for the same again. */

/** How much is kept at most. */
export interface MemoizeLimits {
  /** The most texts. One more, and all are dropped. */
  readonly most?: number;
  /** Nothing is kept of texts that are longer, in UTF-16 units. */
  readonly longest?: number;
  /** All texts together, in UTF-16 units; beyond it all are forgotten. */
  readonly together?: number;
}

/** Returns a function that remembers the values of recent texts. */
export function memoize<T>(
  compute: (text: string) => T,
  { most = 512, longest = 1024, together = most * longest }: MemoizeLimits = {},
): (text: string) => T {
  const known = new Map<string, T>();
  let length = 0;
  return (text) => {
    const kept = known.get(text);
    if (kept !== undefined) return kept;
    const value = compute(text);
    if (text.length > longest) return value;
    if (known.size >= most || length + text.length > together) {
      known.clear();
      length = 0;
    }
    known.set(text, value);
    length += text.length;
    return value;
  };
}

/** Returns a function that computes a value once per object and keeps it while the object lives. */
export function memoizeByObject<K extends object, T>(compute: (object: K) => T): (object: K) => T {
  const known = new WeakMap<K, T>();
  return (object) => {
    const kept = known.get(object);
    if (kept !== undefined) return kept;
    const value = compute(object);
    known.set(object, value);
    return value;
  };
}

/** Returns the values that were computed for some objects. */
export function keptOf<K extends object, T>(known: WeakMap<K, T>, objects: readonly K[]): ReadonlyMap<K, T> {
  return new Map(
    objects.flatMap((object) => {
      const kept = known.get(object);
      return kept === undefined ? [] : [[object, kept] as const];
    }),
  );
}
