/** The objects of a server and who owns whom, as watches have told so far. */
import type { ApiObjectLike, OwnerReference } from '../../client/index.js';

/** Where an object is, and which one it is. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent for objects of the cluster. */
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly uid: string;
}

/** An object, or one that is only known from those who name it as their owner. */
export class GraphNode {
  identity: Identity;
  /** Known only by references to it. */
  isVirtual: boolean;
  owners: readonly OwnerReference[] = [];
  finalizers: readonly string[] = [];
  /** The version that the rest is of. */
  resourceVersion: string | undefined;
  isBeingDeleted = false;
  /** It waits for its dependents to be deleted first. */
  isDeletingDependents = false;
  /** It waits for its dependents to be let go. */
  isOrphaning = false;
  #dependents: Set<GraphNode> | undefined;

  constructor(identity: Identity, isVirtual: boolean) {
    this.identity = identity;
    this.isVirtual = isVirtual;
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

  /** Dependents that this object's deletion waits for. */
  blockingDependents(): GraphNode[] {
    const { uid } = this.identity;
    const blocks = (owner: OwnerReference): boolean => owner.uid === uid && owner.blockOwnerDeletion === true;
    return [...this.dependents].filter(({ owners }) => owners.some(blocks));
  }
}

const none: ReadonlySet<GraphNode> = new Set();
const noFinalizers: readonly string[] = [];

/** Told of what follows from changes. */
export interface GraphListener {
  /** The object may have to be deleted, or its deletion may have to go on. */
  onDeletable(node: GraphNode): void;
  /** The dependents of the object have to be let go. */
  onOrphaning(node: GraphNode): void;
  /** An object that others depended on is gone. */
  onAbsent(identity: Identity): void;
  /** A reference names an object of another namespace. */
  onForeignOwner(dependent: GraphNode, reference: OwnerReference, owner: Identity): void;
}

export class OwnerGraph {
  readonly #listener: GraphListener;
  readonly #nodes = new Map<string, GraphNode>();

  constructor(listener: GraphListener) {
    this.#listener = listener;
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  values(): Iterable<GraphNode> {
    return this.#nodes.values();
  }

  /** Takes in a state of an object. */
  observe(object: ApiObjectLike): void {
    const identity = identityOf(object);
    if (identity === undefined) return;
    const node = this.#nodes.get(identity.uid) ?? this.#add(new GraphNode(identity, false));
    const wasVirtual = node.isVirtual;
    node.isVirtual = false;
    node.identity = identity;
    if (wasVirtual) for (const dependent of node.dependents) this.#checkPlace(dependent, node);
    this.#setOwners(node, object.metadata.ownerReferences ?? []);
    this.#setState(node, object);
  }

  /** Takes in that an object is gone. */
  forget(uid: string): void {
    const node = this.#nodes.get(uid);
    if (node === undefined) return;
    this.#nodes.delete(uid);
    for (const { uid: owner } of node.owners) this.#release(node, owner);
    if (node.dependents.size === 0) return;
    this.#listener.onAbsent(node.identity);
    for (const dependent of node.dependents) this.#listener.onDeletable(dependent);
  }

  /** Whether all owners of an object are known to be there, where it says, and to stay. */
  hasSolidOwners(node: GraphNode): boolean {
    return node.owners.every((reference) => {
      const owner = this.#nodes.get(reference.uid);
      return owner && !owner.isVirtual && !owner.isDeletingDependents && isAtPlace(node, reference, owner.identity);
    });
  }

  #add(node: GraphNode): GraphNode {
    this.#nodes.set(node.identity.uid, node);
    return node;
  }

  #setOwners(node: GraphNode, owners: readonly OwnerReference[]): void {
    const before = node.owners;
    node.owners = owners;
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
    const owner = this.#nodes.get(reference.uid) ?? this.#add(new GraphNode(placeOf(node, reference), true));
    owner.addDependent(node);
    // An owner that nobody has told of yet may be absent.
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
    if (owner?.isVirtual && owner.dependents.size === 0) this.#nodes.delete(uid);
    this.#goOn(owner);
  }

  /** A deletion that waited for dependents may go on. */
  #goOn(owner: GraphNode | undefined): void {
    if (owner?.isDeletingDependents) this.#listener.onDeletable(owner);
  }

  #setState(node: GraphNode, { metadata }: ApiObjectLike): void {
    const { deletionTimestamp, finalizers = noFinalizers, resourceVersion } = metadata;
    node.finalizers = finalizers;
    node.resourceVersion = resourceVersion;
    node.isBeingDeleted = deletionTimestamp !== undefined;
    const { isDeletingDependents, isOrphaning } = node;
    node.isOrphaning = node.isBeingDeleted && finalizers.includes('orphan');
    node.isDeletingDependents = node.isBeingDeleted && finalizers.includes('foregroundDeletion');
    if (node.isOrphaning && !isOrphaning) this.#listener.onOrphaning(node);
    if (!node.isDeletingDependents || isDeletingDependents) return;
    for (const dependent of node.dependents) this.#listener.onDeletable(dependent);
    this.#listener.onDeletable(node);
  }
}

function identityOf({ apiVersion, kind, metadata }: ApiObjectLike): Identity | undefined {
  const { namespace, name = '', uid } = metadata;
  return uid === undefined ? undefined : { apiVersion, kind, namespace, name, uid };
}

/** Where a reference says that the owner is: beside the dependent, or in the cluster. */
const placeOf = (
  { identity }: GraphNode,
  { apiVersion, kind, name, uid }: Pick<OwnerReference, 'apiVersion' | 'kind' | 'name' | 'uid'>,
): Identity => ({ apiVersion, kind, name, uid, namespace: identity.namespace });

/** The group of `apps/v1`; the core group has no name. */
export const groupOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';

/** An owner in a namespace has to be in that of its dependent. */
const isElsewhere = (node: GraphNode, owner: Identity): boolean =>
  owner.namespace !== undefined && owner.namespace !== node.identity.namespace;

const isAtPlace = (node: GraphNode, reference: OwnerReference, owner: Identity): boolean =>
  reference.name === owner.name &&
  reference.kind === owner.kind &&
  groupOf(reference.apiVersion) === groupOf(owner.apiVersion) &&
  !isElsewhere(node, owner);
