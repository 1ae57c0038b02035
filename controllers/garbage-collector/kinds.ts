/** The kinds whose objects can be deleted: which there are, and the watch of each. */
import { type ClientOptions, type DiscoveredResource, discoverResources } from '../../client/index.js';
import { groupOf } from './graph.js';
import { KindWatch, type KindWatchParts } from './kind-watch.js';

export interface KindsParts extends KindWatchParts {
  /** Told of changes of objects that say which other kinds there are. */
  readonly onDefinition: () => void;
}

/** Kinds whose objects say which other kinds there are. */
const definitions = ['CustomResourceDefinition', 'APIService'];

/** Events own nothing and are owned by nobody; there are many. */
const isWatched = ({ plural, verbs }: DiscoveredResource): boolean =>
  plural !== 'events' && ['delete', 'list', 'watch'].every((verb) => verbs.includes(verb));

export class Kinds {
  readonly #parts: KindsParts;
  readonly #watched = new Map<string, KindWatch>();
  readonly #byKind = new Map<string, DiscoveredResource>();

  constructor(parts: KindsParts) {
    this.#parts = parts;
  }

  /** The resource of a kind, in whichever version it is watched. */
  find(apiVersion: string, kind: string): DiscoveredResource | undefined {
    return this.#byKind.get(`${groupOf(apiVersion)}/${kind}`);
  }

  /** Asks the server which kinds there are, and watches those that have come. Says whether there are other ones now. */
  async refresh(client: ClientOptions, signal: AbortSignal): Promise<boolean> {
    const found = await discoverResources(client, signal);
    if (signal.aborted) return false;
    this.#byKind.clear();
    for (const resource of found) {
      const key = `${resource.group}/${resource.kind}`;
      if (!this.#byKind.has(key) && resource.verbs.includes('get')) this.#byKind.set(key, resource);
    }
    const wanted = new Map(found.filter(isWatched).map((resource) => [keyOf(resource), resource]));
    let hasChanged = false;
    for (const [key, watched] of this.#watched) {
      if (wanted.has(key)) continue;
      this.#watched.delete(key);
      watched.close();
      hasChanged = true;
    }
    for (const [key, resource] of wanted) {
      if (this.#watched.has(key)) continue;
      const onAny = definitions.includes(resource.kind) ? this.#parts.onDefinition : undefined;
      this.#watched.set(key, new KindWatch(resource, { ...this.#parts, onAny }));
      hasChanged = true;
    }
    return hasChanged;
  }

  /** Resolves when all watches have told their state. */
  async synced(): Promise<void> {
    await Promise.all([...this.#watched.values()].map(({ synced }) => synced));
  }

  close(): void {
    for (const watched of this.#watched.values()) watched.close();
    this.#watched.clear();
  }
}

const keyOf = ({ group, version, plural }: DiscoveredResource): string => `${group}/${version}/${plural}`;
