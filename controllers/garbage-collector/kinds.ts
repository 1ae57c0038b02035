/** The kinds whose objects can be deleted: which there are, and the watch of each. */

import { listWatch } from '../../client/cache/list-watch.js';
import type { Told } from '../../client/cache/told.js';
import {
  type ApiObjectLike,
  type ClientOptions,
  type DiscoveredResource,
  discoverResources,
  isGone,
  isNotFound,
  type ResourceDescriptor,
  sleep,
} from '../../client/index.js';
import { createSkimmingClient } from '../../client/resource/skimming-client.js';
import type { ControllerContext } from '../kit/define-controller.js';
import { groupOf, type OwnerGraph } from './graph.js';
import { mayConcern, relevantPart } from './relevant.js';

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

interface KindWatchParts extends Pick<ControllerContext, 'clock' | 'onError'> {
  readonly client: ClientOptions;
  readonly graph: OwnerGraph;
  /** Called with each change; absent for kinds of which only owners and dependents matter. */
  readonly onAny?: (() => void) | undefined;
}

/** Objects of a listing that are asked for at once. */
const chunk = 500;

/** Changes after which others in this process have their turn. */
const turn = 500;

/** Pause before a collection that the server refused is asked for again, milliseconds. */
const refusedMs = 2000;

class KindWatch {
  readonly #resource: ResourceDescriptor;
  readonly #parts: KindWatchParts;
  readonly #ending = new AbortController();
  /** Objects of the listing that is being told, by uid. */
  #listing = new Set<string>();
  #wasThere = false;
  #tellSynced = (): void => {};
  /** Resolves when the first listing has been told. */
  readonly synced: Promise<void>;

  constructor(resource: ResourceDescriptor, parts: KindWatchParts) {
    this.#resource = resource;
    this.#parts = parts;
    this.synced = new Promise((resolve) => (this.#tellSynced = resolve));
    void this.#run(this.#ending.signal);
  }

  close(): void {
    this.#ending.abort();
    this.#tellSynced();
  }

  /** Never rejects. A collection that is refused is asked for again later. */
  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#follow(signal);
      } catch (error) {
        if (signal.aborted) break;
        this.#tell(error);
        await sleep(refusedMs, signal, this.#parts.clock);
      }
    }
  }

  /**
   * The definition of a kind may end before the collector has heard of that; where history is gone, the state is read
   * anew.
   */
  #tell(error: unknown): void {
    if (this.#wasThere && (isNotFound(error) || isGone(error))) return;
    this.#parts.onError(`watching ${this.#resource.plural}`, error);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { client, graph, onAny } = this.#parts;
    const listed = createSkimmingClient(this.#resource, client, onAny ? () => true : mayConcern(graph));
    let told = 0;
    for await (const one of listWatch(listed, { signal, limit: chunk, onError: (error) => this.#tell(error) })) {
      this.#take(one);
      // A server in the same process answers others meanwhile.
      if (++told % turn === 0) await new Promise((resolve) => setTimeout(resolve));
    }
  }

  #take(told: Told<ApiObjectLike>): void {
    const { graph, onAny } = this.#parts;
    switch (told.type) {
      case 'begin':
        this.#listing = new Set();
        return;
      case 'object':
        this.#listing.add(told.object.metadata.uid ?? '');
        graph.observe(relevantPart(told.object, this.#resource));
        break;
      case 'gone':
        graph.end(relevantPart(told.object, this.#resource));
        break;
      case 'listed':
        graph.doubt(this.#resource, this.#listing, told.revision, !this.#wasThere);
        this.#listing = new Set();
        this.#wasThere = true;
        this.#tellSynced();
        return;
      case 'reached':
        return;
    }
    onAny?.();
  }
}
