/** The owners and dependents among the objects of a server, as watches have told so far. */
import { isLater } from '../../client/cache/revisions.js';
import type { ApiObjectLike, OwnerReference, ResourceDescriptor } from '../../client/index.js';

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
  #state: ApiObjectLike | Identity;
  #dependents: Set<GraphNode> | undefined;

  constructor(state: ApiObjectLike | Identity) {
    this.#state = state;
  }

  /** Takes in the state that was told last; where it is said to be, if nobody can tell whether it is there. */
  tell(state: ApiObjectLike | Identity): void {
    this.#state = state;
  }

  get #object(): ApiObjectLike | undefined {
    return 'metadata' in this.#state ? this.#state : undefined;
  }

  /** Known only by references to it. */
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

  /** The version that the rest is of. */
  get resourceVersion(): string | undefined {
    return this.#object?.metadata.resourceVersion;
  }

  get isBeingDeleted(): boolean {
    return this.#object?.metadata.deletionTimestamp !== undefined;
  }

  /** Whether it would not be here but for its dependents. */
  get isPlain(): boolean {
    return this.owners.length === 0 && !this.isDeletingDependents && !this.isOrphaning;
  }

  /** It waits for its dependents to be deleted first. */
  get isDeletingDependents(): boolean {
    return this.isBeingDeleted && this.finalizers.includes('foregroundDeletion');
  }

  /** It waits for its dependents to be let go. */
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

  /** Dependents that this object's deletion waits for. */
  blockingDependents(): GraphNode[] {
    const { uid } = this.identity;
    const blocks = (owner: OwnerReference): boolean => owner.uid === uid && owner.blockOwnerDeletion === true;
    return [...this.dependents].filter(({ owners }) => owners.some(blocks));
  }
}

const none: ReadonlySet<GraphNode> = new Set();
const noOwners: readonly OwnerReference[] = [];
const noFinalizers: readonly string[] = [];

/** The state of an object before it is told of. */
const unknown = { isVirtual: true, owners: noOwners, isOrphaning: false, isDeletingDependents: false };

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
  /** Whether an owner is known from a look at the server. */
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

  /** Takes in a state of an object. Of those that own nothing and are not owned nothing is kept. */
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

  /** Takes in an owner as it was found on the server, unless its watch has told of it or of its end meanwhile. */
  confirm(owner: GraphNode, object: ApiObjectLike): void {
    if (!owner.isVirtual || this.#nodes.get(owner.identity.uid) !== owner) return;
    this.#hasConfirmed = true;
    this.observe(object);
  }

  /** Takes in that an object is gone, whose last state this is. */
  end(object: ApiObjectLike): void {
    const { uid = '' } = object.metadata;
    const node = this.#nodes.get(uid);
    if (node?.isVirtual) node.tell(object);
    this.forget(uid);
  }

  /**
   * Takes in that a listing of a kind, whose objects all were as at its revision, has told of no others than these. Owners
   * that were looked at are not told of before they are known, so they may be there all the same.
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

  /** The owner that a reference names, known only from that where nobody else has told of it. */
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
    if (owner) this.#dropIfIdle(owner);
    this.#goOn(owner);
  }

  #dropIfIdle(node: GraphNode): void {
    if (node.isPlain && node.dependents.size === 0) this.#nodes.delete(node.identity.uid);
  }

  /** A deletion that waited for dependents may go on. */
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
