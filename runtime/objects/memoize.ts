/** Keeps what was made of texts that come again and again, such as the paths and headers of requests. */

/** How much is kept at most. */
export interface Remembering {
  /** Different texts; one more, and all are forgotten. */
  readonly most?: number;
  /** Of texts that are longer, in UTF-16 units, nothing is kept. */
  readonly longest?: number;
}

/** The function, made so that it returns the very same value for a text that it has been asked for recently. */
export function remembered<T extends object>(
  make: (text: string) => T,
  { most = 512, longest = 1024 }: Remembering = {},
): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const kept = known.get(text);
    if (kept) return kept;
    const made = make(text);
    if (text.length > longest) return made;
    if (known.size >= most) known.clear();
    known.set(text, made);
    return made;
  };
}
