/** Finds the offsets of some paths in a text while a parser reads it. The cost depends only on these paths. */

/** The paths to find at a place or below it. */
export interface SoughtPaths {
  /** Returns the paths to find below a key, or `undefined` if there are none. */
  member(key: string): SoughtPaths | undefined;
  /** Returns the paths to find below an item of a list, or `undefined` if there are none. */
  item(index: number): SoughtPaths | undefined;
  /** Records the offset of the place itself. */
  found(offset: number): void;
}

/** Prepares to find paths such as `spec.list[0].port`. `offsets` has their offsets after the text is read. */
export function seekPaths(paths: readonly string[]): {
  readonly from: SoughtPaths;
  readonly offsets: ReadonlyMap<string, number>;
} {
  const offsets = new Map<string, number>();
  const root = new Place(offsets);
  for (const path of paths) root.add(path);
  return { from: root, offsets };
}

/** The separators in paths. A key with a separator counts as several parts. */
const between = /[.[]/;

class Place implements SoughtPaths {
  readonly #offsets: Map<string, number>;
  readonly #below = new Map<string, Place>();
  #path: string | undefined;

  constructor(offsets: Map<string, number>) {
    this.#offsets = offsets;
  }

  add(path: string): void {
    let place: Place = this;
    for (const part of path.split(between)) place = place.#goOn(part);
    place.#path = path;
  }

  #goOn(part: string): Place {
    const known = this.#below.get(part);
    if (known) return known;
    const made = new Place(this.#offsets);
    this.#below.set(part, made);
    return made;
  }

  member(key: string): Place | undefined {
    let place: Place = this;
    for (const part of key.split(between)) {
      const next = place.#below.get(part);
      if (!next) return undefined;
      place = next;
    }
    return place;
  }

  item(index: number): Place | undefined {
    return this.#below.get(`${index}]`);
  }

  found(offset: number): void {
    if (this.#path !== undefined) this.#offsets.set(this.#path, offset);
  }
}
