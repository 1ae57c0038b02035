/** The kinds whose objects can be deleted: which there are, and the watch of each. */
import {
  type ClientOptions,
  type DiscoveredResource,
  discoverResources,
  type Informers,
  type ObjectChange,
  type OpenInformer,
} from '../../client/index.js';
import { groupOf } from './graph.js';

interface Watched extends OpenInformer {
  /** Absent until changes are handed over. */
  unsubscribe?: () => void;
}

/** Events own nothing and are owned by nobody; there are many. */
const isWatched = ({ plural, verbs }: DiscoveredResource): boolean =>
  plural !== 'events' && ['delete', 'list', 'watch'].every((verb) => verbs.includes(verb));

export class Kinds {
  readonly #informers: Informers;
  readonly #onChange: (change: ObjectChange) => void;
  readonly #watched = new Map<string, Watched>();
  readonly #byKind = new Map<string, DiscoveredResource>();

  constructor(informers: Informers, onChange: (change: ObjectChange) => void) {
    this.#informers = informers;
    this.#onChange = onChange;
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
      end(watched);
      hasChanged = true;
    }
    for (const [key, resource] of wanted) {
      if (this.#watched.has(key)) continue;
      const open = this.#informers.open(resource, { metadataOnly: true });
      this.#watched.set(key, { ...open });
      hasChanged = true;
    }
    return hasChanged;
  }

  /** Resolves when all watches have told their state. */
  async synced(): Promise<void> {
    await Promise.all([...this.#watched.values()].map(({ informer }) => informer.synced));
  }

  /** Has all that watches know, and all that they tell from now on, handed over. */
  async subscribe(): Promise<void> {
    for (const watched of this.#watched.values()) {
      if (watched.unsubscribe !== undefined) continue;
      // Others have their turn between two kinds.
      await new Promise((resolve) => setTimeout(resolve));
      watched.unsubscribe ??= watched.informer.onChange(this.#onChange);
    }
  }

  close(): void {
    for (const watched of this.#watched.values()) end(watched);
    this.#watched.clear();
  }
}

function end({ unsubscribe, close }: Watched): void {
  unsubscribe?.();
  close();
}

const keyOf = ({ group, version, plural }: DiscoveredResource): string => `${group}/${version}/${plural}`;
