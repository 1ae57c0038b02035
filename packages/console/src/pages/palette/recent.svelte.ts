/** The lists and objects that the user has opened in this tab. */

const key = 'kindforge-recent';
const most = 20;

/** An address under `kinds`: group, version, plural; for an object also its namespace or `-`, and its name. */
export type Visited = readonly string[];

class Recent {
  /** The last one comes first. */
  list: readonly Visited[] = $state.raw(read());

  /** Adds the present page. `parts` has the parts of its address. */
  visit([word, ...place]: readonly string[]): void {
    // Signing out empties the store.
    this.list = read();
    if (word !== 'kinds' || (place.length !== 3 && place.length !== 5)) return;
    const others = this.list.filter((one) => one.join('/') !== place.join('/'));
    this.list = [place, ...others].slice(0, most);
    try {
      sessionStorage.setItem(key, JSON.stringify(this.list));
    } catch {
      // The browser's store is full of drafts, which are more important.
    }
  }
}

export const recent = new Recent();

function read(): Visited[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isVisited) : [];
  } catch {
    return [];
  }
}

function isVisited(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}
