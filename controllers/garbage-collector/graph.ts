/** The graph of owners and dependents among the objects of a server, as far as watches have reported them. */
import { isLater } from '../../client/cache/revisions.js';
import type { ApiObjectLike, OwnerReference, ResourceDescriptor } from '../../client/index.js';

/** An object and its namespace. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent for objects of the cluster. */
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly uid: string;
}

/** An object. It may be known only from references of its dependents. */
export class GraphNode {
  #state: ApiObjectLike | Identity;
  #dependents: Set<GraphNode> | undefined;

  constructor(state: ApiObjectLike | Identity) {
    this.#state = state;
  }

  /** Sets the latest state. If it is unknown whether the object exists, sets only the place that a reference names. */
  tell(state: ApiObjectLike | Identity): void {
    this.#state = state;
  }

  get #object(): ApiObjectLike | undefined {
    return 'metadata' in this.#state ? this.#state : undefined;
  }

  /** Whether the object is only known from references. */
  get isVirtual(): boolean {
    return this.#object === undefined;
  }

  get identity(): Identity {
    return 'metadata' in this.#state ? identityOf(this.#state) : this.#state;
  }

  get owners(): readonly OwnerReference[] {
    return this.#object?.metadata.ownerReferences ?? noOwners;
  }

  get finalizers(): readonly string[] {
    return this.#object?.metadata.finalizers ?? noFinalizers;
  }

  /** The revision of the state; `undefined` if the object is only known from references. */
  get resourceVersion(): string | undefined {
    return this.#object?.metadata.resourceVersion;
  }

  get isBeingDeleted(): boolean {
    return this.#object?.metadata.deletionTimestamp !== undefined;
  }

  /** Whether the object only matters because of its dependents. */
  get isPlain(): boolean {
    return this.owners.length === 0 && !this.isDeletingDependents && !this.isOrphaning;
  }

  /** Whether the object waits for its dependents to be deleted. */
  get isDeletingDependents(): boolean {
    return this.isBeingDeleted && this.finalizers.includes('foregroundDeletion');
  }

  /** Whether the object waits for its dependents to be orphaned. */
  get isOrphaning(): boolean {
    return this.isBeingDeleted && this.finalizers.includes('orphan');
  }

  get dependents(): ReadonlySet<GraphNode> {
    return this.#dependents ?? none;
  }

  addDependent(node: GraphNode): void {
    // Most objects own nothing.
    this.#dependents ??= new Set();
    this.#dependents.add(node);
  }

  removeDependent(node: GraphNode): void {
    this.#dependents?.delete(node);
  }

  /** Returns the dependents that this object's deletion waits for. */
  blockingDependents(): GraphNode[] {
    const { uid } = this.identity;
    const blocks = (owner: OwnerReference): boolean => owner.uid === uid && owner.blockOwnerDeletion === true;
    return [...this.dependents].filter(({ owners }) => owners.some(blocks));
  }
}

/**
 * Returns whether an object waits only for a circle that contains it: everything that it waits for is being deleted,
 * and waits for it in turn. An object that owns itself is such a circle. Stops at the first object that can be deleted
 * before the circle.
 */
export function waitsOnlyForItself(node: GraphNode): boolean {
  const waiting = new Map<GraphNode, GraphNode[]>();
  const ahead = [node];
  for (let one = ahead.pop(); one; one = ahead.pop()) {
    const blocking = one.blockingDependents();
    if (blocking.length === 0 || !one.isDeletingDependents) return false;
    for (const dependent of blocking) {
      const known = waiting.get(dependent);
      if (known) known.push(one);
      else waiting.set(dependent, [one]);
      if (!known) ahead.push(dependent);
    }
  }
  // Walk back from the object. Objects that are not reached do not wait for it: they are in another circle, which is
  // deleted first.
  const reached = new Set([node]);
  for (const one of reached) for (const owner of waiting.get(one) ?? []) reached.add(owner);
  return [...waiting.keys()].every((one) => reached.has(one));
}

const none: ReadonlySet<GraphNode> = new Set();
const noOwners: readonly OwnerReference[] = [];
const noFinalizers: readonly string[] = [];

/** The state of an object that was not reported. */
const unknown = { isVirtual: true, owners: noOwners, isOrphaning: false, isDeletingDependents: false };

/** Receives the consequences of changes. */
export interface GraphListener {
  /** Receives an object that may need to be deleted, or may need its deletion to continue. */
  onDeletable(node: GraphNode): void;
  /** Receives an object with dependents to orphan. */
  onOrphaning(node: GraphNode): void;
  /** Receives the identity of an object that is gone but has dependents. */
  onAbsent(identity: Identity): void;
  /** Receives a reference to an object of another namespace. */
  onForeignOwner(dependent: GraphNode, reference: OwnerReference, owner: Identity): void;
}

export class OwnerGraph {
  readonly #listener: GraphListener;
  readonly #nodes = new Map<string, GraphNode>();
  /** Whether some owner is only known from a request. */
  #hasConfirmed = false;

  constructor(listener: GraphListener) {
    this.#listener = listener;
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  has(uid: string): boolean {
    return this.#nodes.has(uid);
  }

  get size(): number {
    return this.#nodes.size;
  }

  /** Records a state of an object. Drops it if it has neither owners nor dependents. */
  observe(object: ApiObjectLike): void {
    const { uid, resourceVersion } = object.metadata;
    if (uid === undefined) return;
    const known = this.#nodes.get(uid);
    const before = known?.resourceVersion;
    if (before !== undefined && (before === resourceVersion || isLater(before, resourceVersion))) return;
    const { isVirtual, owners, isOrphaning, isDeletingDependents } = known ?? unknown;
    known?.tell(object);
    const node = known ?? new GraphNode(object);
    if (!known && node.isPlain) return;
    if (!known) this.#nodes.set(uid, node);
    if (isVirtual) for (const dependent of node.dependents) this.#checkPlace(dependent, node);
    this.#changeOwners(node, owners);
    if (node.isOrphaning && !isOrphaning) this.#listener.onOrphaning(node);
    if (node.isDeletingDependents && !isDeletingDependents) this.#beginDeleting(node);
    this.#dropIfIdle(node);
  }

  /**
   * Records an owner that was read from the server, unless the watch has reported it or its deletion in the meantime.
   */
  confirm(owner: GraphNode, object: ApiObjectLike): void {
    if (!owner.isVirtual || this.#nodes.get(owner.identity.uid) !== owner) return;
    this.#hasConfirmed = true;
    this.observe(object);
  }

  /** Records the last state of an object that is gone. */
  end(object: ApiObjectLike): void {
    const { uid = '' } = object.metadata;
    const node = this.#nodes.get(uid);
    if (node?.isVirtual) node.tell(object);
    this.forget(uid);
  }

  /**
   * Marks the objects of a kind that a complete listing did not contain as unknown. An owner that was read may be newer
   * than the listing, so it may still exist.
   */
  doubt(kind: Pick<ResourceDescriptor, 'group' | 'kind'>, told: ReadonlySet<string>, revision: string, first: boolean) {
    if (first && !this.#hasConfirmed) return;
    const doubted: GraphNode[] = [];
    for (const [uid, node] of this.#nodes) {
      const { identity, isPlain, isVirtual, resourceVersion } = node;
      if (isVirtual || told.has(uid) || isLater(resourceVersion, revision)) continue;
      if (identity.kind !== kind.kind || groupOf(identity.apiVersion) !== kind.group) continue;
      if (isPlain) doubted.push(node);
      else this.forget(uid);
    }
    for (const node of doubted) {
      node.tell(node.identity);
      for (const dependent of node.dependents) this.#listener.onDeletable(dependent);
    }
  }

  /** Records that an object is gone. */
  forget(uid: string): void {
    const node = this.#nodes.get(uid);
    if (node === undefined) return;
    this.#nodes.delete(uid);
    for (const { uid: owner } of node.owners) this.#release(node, owner);
    if (node.dependents.size === 0) return;
    this.#listener.onAbsent(node.identity);
    for (const dependent of node.dependents) this.#listener.onDeletable(dependent);
  }

  /** Returns whether all owners of an object are known to exist in the right namespace, and to stay. */
  hasSolidOwners(node: GraphNode): boolean {
    return node.owners.every((reference) => {
      const owner = this.#nodes.get(reference.uid);
      return owner && !owner.isVirtual && !owner.isDeletingDependents && isAtPlace(node, reference, owner.identity);
    });
  }

  /** Returns the node of the owner that a reference names. Adds one if it is unknown. */
  #ownerOf(node: GraphNode, reference: OwnerReference): GraphNode {
    const known = this.#nodes.get(reference.uid);
    if (known) return known;
    const owner = new GraphNode(placeOf(node, reference));
    this.#nodes.set(reference.uid, owner);
    return owner;
  }

  #changeOwners(node: GraphNode, before: readonly OwnerReference[]): void {
    const { owners } = node;
    for (const old of before) {
      const now = owners.find(({ uid }) => uid === old.uid);
      if (now === undefined) this.#release(node, old.uid);
      else if (old.blockOwnerDeletion && !now.blockOwnerDeletion) this.#goOn(this.#nodes.get(old.uid));
    }
    for (const reference of owners) {
      if (!before.some(({ uid }) => uid === reference.uid)) this.#attach(node, reference);
    }
  }

  #attach(node: GraphNode, reference: OwnerReference): void {
    const owner = this.#ownerOf(node, reference);
    owner.addDependent(node);
    // An owner that no watch has reported may be absent.
    if (owner.isVirtual || owner.isDeletingDependents) this.#listener.onDeletable(node);
    else this.#checkPlace(node, owner);
  }

  #checkPlace(node: GraphNode, owner: GraphNode): void {
    const reference = node.owners.find(({ uid }) => uid === owner.identity.uid);
    if (reference === undefined || isAtPlace(node, reference, owner.identity)) return;
    if (isElsewhere(node, owner.identity)) this.#listener.onForeignOwner(node, reference, owner.identity);
    this.#listener.onDeletable(node);
  }

  #release(node: GraphNode, uid: string): void {
    const owner = this.#nodes.get(uid);
    owner?.removeDependent(node);
    if (owner) this.#dropIfIdle(owner);
    this.#goOn(owner);
  }

  #dropIfIdle(node: GraphNode): void {
    if (node.isPlain && node.dependents.size === 0) this.#nodes.delete(node.identity.uid);
  }

  /** Continues a deletion that waits for dependents. */
  #goOn(owner: GraphNode | undefined): void {
    if (owner?.isDeletingDependents) this.#listener.onDeletable(owner);
  }

  #beginDeleting(node: GraphNode): void {
    for (const dependent of node.dependents) this.#listener.onDeletable(dependent);
    this.#listener.onDeletable(node);
  }
}

function identityOf({ apiVersion, kind, metadata }: ApiObjectLike): Identity {
  const { namespace, name = '', uid = '' } = metadata;
  return { apiVersion, kind, namespace, name, uid };
}

/** Returns the place that a reference names: the namespace of the dependent, or the cluster. */
const placeOf = (
  { identity }: GraphNode,
  { apiVersion, kind, name, uid }: Pick<OwnerReference, 'apiVersion' | 'kind' | 'name' | 'uid'>,
): Identity => ({ apiVersion, kind, name, uid, namespace: identity.namespace });

/** Returns the group of `apps/v1`; the core group has no name. */
export const groupOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';

/** Returns whether an owner is in another namespace than its dependent. */
const isElsewhere = (node: GraphNode, owner: Identity): boolean =>
  owner.namespace !== undefined && owner.namespace !== node.identity.namespace;

const isAtPlace = (node: GraphNode, reference: OwnerReference, owner: Identity): boolean =>
  reference.name === owner.name &&
  reference.kind === owner.kind &&
  groupOf(reference.apiVersion) === groupOf(owner.apiVersion) &&
  !isElsewhere(node, owner);
