/** Watches every kind with objects that can be deleted. */

import type { CollectionEvent } from '../../client/cache/collection-events.js';
import { listWatch } from '../../client/cache/list-watch.js';
import {
  type ApiObjectLike,
  type ClientOptions,
  type DiscoveredResource,
  discover,
  isGone,
  isNotFound,
  isServiceUnavailable,
  type ResourceDescriptor,
  sleep,
} from '../../client/index.js';
import { createSkimmingClient } from '../../client/resource/skimming-client.js';
import type { ControllerContext } from '../kit/define-controller.js';
import { groupOf, type OwnerGraph } from './graph.js';
import { mayConcern, relevantPart } from './relevant.js';

export interface KindsParts extends KindWatchParts {
  /** Called when an object changes that may add or remove kinds. */
  readonly onDefinition: () => void;
}

/** The kinds that define other kinds. */
const definitions = ['CustomResourceDefinition', 'APIService'];

/** Returns whether to watch a kind. Events have neither owners nor dependents, and there are many. */
const isWatched = ({ plural, verbs }: DiscoveredResource): boolean =>
  plural !== 'events' && ['delete', 'list', 'watch'].every((verb) => verbs.includes(verb));

export class Kinds {
  readonly #parts: KindsParts;
  readonly #watched = new Map<string, KindWatch>();
  readonly #byKind = new Map<string, DiscoveredResource>();

  constructor(parts: KindsParts) {
    this.#parts = parts;
  }

  /** Returns the resource of a kind, in the version that is watched. */
  find(apiVersion: string, kind: string): DiscoveredResource | undefined {
    return this.#byKind.get(`${groupOf(apiVersion)}/${kind}`);
  }

  /** Reads the kinds from the server, and watches new ones. Resolves to whether the kinds have changed. */
  async refresh(client: ClientOptions, signal: AbortSignal): Promise<boolean> {
    const { resources, failed } = await discover(client, signal);
    const problem = failed.find(({ error }) => !isServiceUnavailable(error));
    if (problem) throw problem.error;
    if (signal.aborted) return false;
    // An owner is not gone just because its server does not answer.
    const silent = new Set(failed.map(({ groupVersion }) => groupVersion));
    const kept = [...this.#byKind.values()].filter(({ group, version }) => silent.has(`${group}/${version}`));
    const found = [...resources, ...kept];
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

  /** Resolves when all watches have the state. */
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
  /** Called with each change. Absent for kinds that define no other kinds. */
  readonly onAny?: (() => void) | undefined;
}

/** Objects per request of a listing. */
const chunk = 500;

/** The number of changes after which other tasks of the event loop run. */
const turn = 500;

/** Pause before the next request for a collection that the server refused, milliseconds. */
const refusedMs = 2000;

class KindWatch {
  readonly #resource: ResourceDescriptor;
  readonly #parts: KindWatchParts;
  readonly #ending = new AbortController();
  /** Uids of the listing in progress. */
  #listing = new Set<string>();
  #wasThere = false;
  #isDown = false;
  #tellSynced = (): void => {};
  /** Resolves when the first listing is complete. */
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

  /**
   * Follows the kind until it is removed. Never rejects. Retries a collection that the server refuses after a pause.
   */
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
   * Reports an error, unless it makes the collector read the state again, or comes from the removal of the kind.
   * Reports only once that the server of the kind is down.
   */
  #tell(error: unknown): void {
    if (this.#wasThere && (isNotFound(error) || isGone(error))) return;
    const isDown = isServiceUnavailable(error);
    if (isDown && this.#isDown) return;
    this.#isDown = isDown;
    this.#parts.onError(`watching ${this.#resource.plural}`, error);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { client, graph, onAny } = this.#parts;
    const listed = createSkimmingClient(this.#resource, client, onAny ? () => true : mayConcern(graph));
    let told = 0;
    for await (const one of listWatch(listed, { signal, limit: chunk, onError: (error) => this.#tell(error) })) {
      this.#take(one);
      // Lets a server in the same process answer other requests.
      if (++told % turn === 0) await new Promise((resolve) => setTimeout(resolve));
    }
  }

  #take(told: CollectionEvent<ApiObjectLike>): void {
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
        this.#isDown = false;
        this.#tellSynced();
        return;
      case 'reached':
        return;
    }
    onAny?.();
  }
}
