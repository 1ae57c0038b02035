/** Remembers the results of functions. */

/** The limits of what a function remembers. */
export interface MemoizeLimits {
  /** The most texts. At one more, the function forgets all. */
  readonly most?: number;
  /** The length of the longest text, in UTF-16 units. Longer texts are not remembered. */
  readonly longest?: number;
  /** The length of all texts together, in UTF-16 units. Beyond it, the function forgets all. */
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

/** Returns the remembered values of some objects. */
export function keptOf<K extends object, T>(known: WeakMap<K, T>, objects: readonly K[]): ReadonlyMap<K, T> {
  return new Map(
    objects.flatMap((object) => {
      const kept = known.get(object);
      return kept === undefined ? [] : [[object, kept] as const];
    }),
  );
}
