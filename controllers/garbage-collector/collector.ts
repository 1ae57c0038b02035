/** Decides for one object at a time whether it is garbage, and continues deletions that wait for dependents. */
import type { ApiObjectLike, ClientOptions, OwnerReference } from '../../client/index.js';
import type { AbsentOwners } from './absent-owners.js';
import { type GraphNode, type OwnerGraph, waitsOnlyForItself } from './graph.js';
import type { Kinds } from './kinds.js';
import { type OwnerState, ownerPlace, type SortedOwners, sortOwners, UnresolvableOwner } from './owners.js';
import { relevantPart } from './relevant.js';
import {
  clientOf,
  type Found,
  findByName,
  look,
  type ObjectKey,
  type Propagation,
  remove,
  removeFinalizer,
  setOwners,
} from './requests.js';

export interface CollectorParts {
  readonly graph: OwnerGraph;
  readonly kinds: Pick<Kinds, 'find'>;
  readonly client: ClientOptions;
  readonly absent: AbsentOwners;
  /** Queues an object again. */
  readonly again: (node: GraphNode) => void;
}

/** Dependents that are orphaned at the same time. */
const together = 20;

export class Collector {
  readonly #parts: CollectorParts;
  readonly #looks: OwnerLooks;

  constructor(parts: CollectorParts) {
    this.#parts = parts;
    this.#looks = new OwnerLooks(parts);
  }

  /** Deletes an object if all its owners are gone. Throws an `UnresolvableOwner` if that is unknown. */
  async collect(node: GraphNode, signal: AbortSignal): Promise<void> {
    const { graph } = this.#parts;
    if (node.isVirtual || (node.isBeingDeleted && !node.isDeletingDependents)) return;
    if (!node.isDeletingDependents && (await this.#hasSolidOwners(node, signal))) return;
    const known = node.isDeletingDependents ? undefined : this.#knownGarbage(node, signal);
    if (known !== undefined) {
      await remove(known, usualPropagation(known));
      return;
    }
    const found = await this.#look(node, signal);
    if (found === undefined) graph.forget(node.identity.uid);
    else if (node.isDeletingDependents) await this.#goOnDeleting(node, found);
    else await this.#decide(node, found);
  }

  /** Resolves to whether all owners exist and stay. Reads owners that no watch has reported. */
  async #hasSolidOwners(node: GraphNode, signal: AbortSignal): Promise<boolean> {
    const { graph } = this.#parts;
    if (graph.hasSolidOwners(node)) return true;
    await this.#looks.lookAt(node, signal);
    return graph.hasSolidOwners(node);
  }

  /**
   * Returns an object if all its owners are known to be gone. The delete names the version from the watch, so the
   * object is not read first: ten thousand dependents of one owner cost one request each, not two.
   */
  #knownGarbage({ identity, owners, finalizers, resourceVersion }: GraphNode, signal: AbortSignal): Found | undefined {
    const { kinds, absent, client } = this.#parts;
    const { apiVersion, kind, namespace, name, uid } = identity;
    const resource = kinds.find(apiVersion, kind);
    const isGone = (reference: OwnerReference): boolean => {
      const scope = kinds.find(reference.apiVersion, reference.kind)?.scope;
      return scope !== undefined && absent.has(ownerPlace({ identity }, reference, scope === 'Namespaced'));
    };
    if (resource === undefined || resourceVersion === undefined) return undefined;
    if (owners.length === 0 || !owners.every(isGone)) return undefined;
    const metadata = { name, uid, resourceVersion, finalizers: [...finalizers] };
    const place = { resource, namespace, name };
    return { object: { apiVersion, kind, metadata }, client: clientOf(place, client), signal };
  }

  /** Removes an object's uid from its dependents, and then its finalizer. */
  async orphan(node: GraphNode, signal: AbortSignal): Promise<void> {
    const { uid } = node.identity;
    const dependents = [...node.dependents];
    for (let i = 0; i < dependents.length; i += together) {
      await Promise.all(dependents.slice(i, i + together).map((dependent) => this.#letGo(dependent, uid, signal)));
    }
    const found = await this.#look(node, signal);
    if (found !== undefined) await removeFinalizer(found, 'orphan');
  }

  async #letGo(dependent: GraphNode, owner: string, signal: AbortSignal): Promise<void> {
    const found = await this.#look(dependent, signal);
    const references = found?.object.metadata.ownerReferences ?? [];
    const kept = references.filter(({ uid }) => uid !== owner);
    if (found !== undefined && kept.length < references.length) await setOwners(found, kept);
  }

  /** Continues a deletion once no dependent blocks it any more. */
  async #goOnDeleting(node: GraphNode, found: Found): Promise<void> {
    const blocking = node.blockingDependents();
    if (blocking.length === 0 || waitsOnlyForItself(node)) await removeFinalizer(found, 'foregroundDeletion');
    else for (const dependent of blocking) if (!dependent.isDeletingDependents) this.#parts.again(dependent);
  }

  async #decide(node: GraphNode, found: Found): Promise<void> {
    const references = found.object.metadata.ownerReferences ?? [];
    if (references.length === 0) return;
    const sorted = await sortOwners(references, (reference) => this.#stateOf(node, reference, found.signal));
    if (sorted.solid.length > 0) await this.#keep(found, sorted);
    else if (sorted.waiting.length > 0 && node.dependents.size > 0) await this.#deleteInForeground(node, found);
    else await remove(found, usualPropagation(found));
  }

  /**
   * Keeps an object with at least one owner. Removes references to owners that are gone. Also removes references to
   * owners that wait for their dependents: these owners must not wait for this object.
   */
  async #keep(found: Found, { solid, absent, waiting }: SortedOwners): Promise<void> {
    if (absent.length + waiting.length > 0) await setOwners(found, [...solid]);
  }

  /**
   * Deletes an object after its dependents. If one of these has dependents of its own, the object stops blocking its
   * owners: in a circle, each object would wait for the next.
   */
  async #deleteInForeground(node: GraphNode, found: Found): Promise<void> {
    const isCircle = [...node.dependents].some(({ isDeletingDependents }) => isDeletingDependents);
    const references = found.object.metadata.ownerReferences ?? [];
    if (!isCircle || !references.some(({ blockOwnerDeletion }) => blockOwnerDeletion)) {
      await remove(found, 'Foreground');
      return;
    }
    await setOwners(
      found,
      references.map((reference) => ({ ...reference, blockOwnerDeletion: false })),
    );
    const changed = await this.#look(node, found.signal);
    if (changed !== undefined) await remove(changed, 'Foreground');
  }

  async #stateOf(node: GraphNode, reference: OwnerReference, signal: AbortSignal): Promise<OwnerState> {
    const { kinds, absent, client } = this.#parts;
    const resource = kinds.find(reference.apiVersion, reference.kind);
    const place = ownerPlace(node, reference, resource?.scope !== 'Cluster');
    if (absent.has(place)) return 'absent';
    if (resource === undefined) throw new UnresolvableOwner(node, reference, 'unknown kind');
    if (resource.scope === 'Namespaced' && node.identity.namespace === undefined)
      throw new UnresolvableOwner(node, reference, 'namespaced owner');
    const found = await look({ resource, namespace: place.namespace, name: reference.name }, client, signal);
    const { uid, deletionTimestamp, finalizers = [] } = found?.object.metadata ?? {};
    if (uid !== reference.uid) {
      absent.add(place);
      return 'absent';
    }
    return deletionTimestamp !== undefined && finalizers.includes('foregroundDeletion') ? 'waiting' : 'solid';
  }

  /** Reads the object of a node; `undefined` if it is gone, or if another object has its name. */
  async #look({ identity }: GraphNode, signal: AbortSignal): Promise<Found | undefined> {
    const { kinds, client } = this.#parts;
    const resource = kinds.find(identity.apiVersion, identity.kind);
    if (resource === undefined) return undefined;
    const found = await look({ resource, namespace: identity.namespace, name: identity.name }, client, signal);
    return found?.object.metadata.uid === identity.uid ? found : undefined;
  }
}

/** Returns how to delete an object's dependents, by the finalizers of the object. */
function usualPropagation({ object }: Found): Propagation {
  const { finalizers = [] } = object.metadata;
  if (finalizers.includes('orphan')) return 'Orphan';
  return finalizers.includes('foregroundDeletion') ? 'Foreground' : 'Background';
}

interface OwnerLooksParts {
  readonly graph: OwnerGraph;
  readonly kinds: Pick<Kinds, 'find'>;
  readonly client: ClientOptions;
  readonly absent: AbsentOwners;
}

/** The share of its time for searches through all namespaces. These searches read all objects of a kind. */
const searchShare = 0.1;

/** The number of requests after which other tasks of the event loop run. */
const turn = 200;

class OwnerLooks {
  readonly #parts: OwnerLooksParts;
  readonly #underWay = new Map<GraphNode, Promise<void>>();
  /** The earliest time of the next search, by the clock of `performance`. */
  #nextSearch = 0;

  constructor(parts: OwnerLooksParts) {
    this.#parts = parts;
  }

  /** Reads the owners of an object. Adds existing ones to the graph, and remembers absent ones. */
  async lookAt(dependent: GraphNode, signal: AbortSignal): Promise<void> {
    let looks = 0;
    for (const reference of dependent.owners) {
      const owner = this.#parts.graph.get(reference.uid);
      if (!owner?.isVirtual) continue;
      const looking = this.#underWay.get(owner) ?? this.#look(dependent, reference, owner, signal);
      this.#underWay.set(owner, looking);
      await looking.finally(() => this.#underWay.delete(owner));
      // Lets a server in the same process answer other requests.
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

  /** Searches the other namespaces for the owner. Only an event needs this. */
  async #search(place: ObjectKey, uid: string, signal: AbortSignal): Promise<ApiObjectLike | undefined> {
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
