/** Looks at owners that no watch has told of: one look for all dependents that ask at the same time. */
import type { ApiObjectLike, ClientOptions, OwnerReference } from '../../client/index.js';
import type { AbsentOwners } from './absent-owners.js';
import type { GraphNode, OwnerGraph } from './graph.js';
import type { Kinds } from './kinds.js';
import { ownerPlace } from './owners.js';
import { relevantPart } from './relevant.js';
import { findByName, look, type Place } from './requests.js';

export interface OwnerLooksParts {
  readonly graph: OwnerGraph;
  readonly kinds: Pick<Kinds, 'find'>;
  readonly client: ClientOptions;
  readonly absent: AbsentOwners;
}

/** Of its time so much is spent at most on searches through all namespaces, which go through all objects of a kind. */
const searchShare = 0.1;

/** Looks after which others in this process have their turn. */
const turn = 200;

export class OwnerLooks {
  readonly #parts: OwnerLooksParts;
  readonly #underWay = new Map<GraphNode, Promise<void>>();
  /** When another search may begin, by the clock of `performance`. */
  #nextSearch = 0;

  constructor(parts: OwnerLooksParts) {
    this.#parts = parts;
  }

  /** Has the graph know the owners of an object that are there, and remembers those that are not. */
  async lookAt(dependent: GraphNode, signal: AbortSignal): Promise<void> {
    let looks = 0;
    for (const reference of dependent.owners) {
      const owner = this.#parts.graph.get(reference.uid);
      if (!owner?.isVirtual) continue;
      const looking = this.#underWay.get(owner) ?? this.#look(dependent, reference, owner, signal);
      this.#underWay.set(owner, looking);
      await looking.finally(() => this.#underWay.delete(owner));
      // A server in the same process answers others meanwhile.
      if (++looks % turn === 0) await new Promise((resolve) => setTimeout(resolve));
    }
  }

  async #look(dependent: GraphNode, reference: OwnerReference, owner: GraphNode, signal: AbortSignal): Promise<void> {
    const { graph, kinds, client, absent } = this.#parts;
    const resource = kinds.find(reference.apiVersion, reference.kind);
    if (resource === undefined) return;
    const isNamespaced = resource.scope === 'Namespaced';
    const { namespace } = dependent.identity;
    const identity = ownerPlace(dependent, reference, isNamespaced);
    if (absent.has(identity) || (isNamespaced && namespace === undefined)) return;
    const place = { resource, namespace: identity.namespace, name: reference.name };
    const found = (await look(place, client, signal))?.object;
    if (found?.metadata.uid === reference.uid) {
      graph.confirm(owner, relevantPart(found, resource));
      return;
    }
    absent.add(identity);
    const elsewhere = isNamespaced ? await this.#search(place, reference.uid, signal) : undefined;
    if (elsewhere !== undefined) graph.confirm(owner, relevantPart(elsewhere, resource));
  }

  /** The object in another namespace that is meant, which is told of in an event; nobody needs to know for more than that. */
  async #search(place: Place, uid: string, signal: AbortSignal): Promise<ApiObjectLike | undefined> {
    const began = performance.now();
    if (began < this.#nextSearch) return undefined;
    this.#nextSearch = Number.POSITIVE_INFINITY;
    try {
      const named = await findByName(place, this.#parts.client, signal);
      return named.find(({ metadata }) => metadata.uid === uid);
    } finally {
      const now = performance.now();
      this.#nextSearch = now + (now - began) / searchShare;
    }
  }
}
