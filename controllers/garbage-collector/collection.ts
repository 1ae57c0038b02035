/** One run of the garbage collector: its watches, its graph, and the work for each key. */
import { type NewEvent, type OwnerReference, sleep } from '../../client/index.js';
import type { ControllerContext } from '../kit/define-controller.js';
import { AbsentOwners } from './absent-owners.js';
import { Collector } from './collector.js';
import { type GraphNode, type Identity, OwnerGraph } from './graph.js';
import { Kinds } from './kinds.js';
import { UnresolvableOwner } from './owners.js';

/** How often to read the kinds of the server, milliseconds. A change of a definition reads them at once. */
const refreshMs = 30_000;

/** How long to gather changes of definitions before a read, milliseconds. */
const gatherMs = 200;

/**
 * How long to wait for the first state of all kinds, milliseconds. A kind that cannot be read does not stop the others.
 */
const syncMs = 30_000;

/** The most remembered pairs of object and owner with an event about them. */
const mostTold = 1000;

export class Collection {
  readonly #context: ControllerContext;
  readonly #absent = new AbsentOwners();
  readonly #graph: OwnerGraph;
  readonly #kinds: Kinds;
  readonly #collector: Collector;
  /** Objects with owners of kinds that are not served, by uid. */
  readonly #unresolved = new Set<string>();
  readonly #told = new Set<string>();
  #wake = new AbortController();
  #begin = (): void => {};
  /** Resolves when the graph is complete. Until then, it is unknown which owners are absent. */
  readonly #complete: Promise<void>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#complete = new Promise((resolve) => (this.#begin = resolve));
    const again = (node: GraphNode): void => context.queue.add(`delete:${node.identity.uid}`);
    this.#graph = new OwnerGraph({
      onDeletable: again,
      onOrphaning: ({ identity }) => context.queue.add(`orphan:${identity.uid}`),
      onAbsent: (identity) => this.#absent.add(identity),
      onForeignOwner: (dependent, reference) => void this.#tell(dependent, reference),
    });
    const { client, clock, onError } = context;
    const onDefinition = (): void => this.#wake.abort();
    this.#kinds = new Kinds({ client, clock, onError, graph: this.#graph, onDefinition });
    this.#collector = new Collector({ graph: this.#graph, kinds: this.#kinds, client, absent: this.#absent, again });
  }

  /** Keeps the graph up to date until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    try {
      await this.#refresh(signal);
      await Promise.race([this.#kinds.synced(), sleep(syncMs, signal, clock)]);
      this.#begin();
      while (!signal.aborted) {
        await sleep(refreshMs, AbortSignal.any([signal, this.#wake.signal]), clock);
        await sleep(gatherMs, signal, clock);
        if (!signal.aborted && (await this.#refresh(signal))) this.#useNewKinds();
      }
    } finally {
      this.#begin();
      this.#kinds.close();
    }
  }

  async reconcile(key: string, signal: AbortSignal): Promise<void> {
    await this.#complete;
    const [task, uid = ''] = key.split(':');
    const node = this.#graph.get(uid);
    if (node === undefined || signal.aborted) return;
    if (task === 'orphan') await this.#collector.orphan(node, signal);
    else await this.#collect(node, signal);
  }

  async #collect(node: GraphNode, signal: AbortSignal): Promise<void> {
    try {
      await this.#collector.collect(node, signal);
    } catch (error) {
      if (!(error instanceof UnresolvableOwner)) throw error;
      if (error.reason === 'unknown kind') this.#unresolved.add(node.identity.uid);
      else await this.#tell(node, error.reference);
    }
  }

  /** Reads the kinds again. Resolves to whether they have changed. */
  async #refresh(signal: AbortSignal): Promise<boolean> {
    this.#wake = new AbortController();
    try {
      return await this.#kinds.refresh(this.#context.client, signal);
    } catch (error) {
      if (!signal.aborted) this.#context.onError('kinds', error);
      return false;
    }
  }

  #useNewKinds(): void {
    for (const uid of this.#unresolved) this.#context.queue.add(`delete:${uid}`);
    this.#unresolved.clear();
  }

  /** Writes an event about an owner in another namespace. Never rejects, because the object does not need the event. */
  async #tell({ identity }: GraphNode, reference: OwnerReference): Promise<void> {
    const pair = `${identity.uid} ${reference.uid}`;
    if (this.#told.has(pair)) return;
    if (this.#told.size >= mostTold) this.#told.clear();
    this.#told.add(pair);
    const { apiVersion, kind, ...metadata } = identity;
    await this.#context.recordEvent({ apiVersion, kind, metadata }, foreignOwner(identity, reference));
  }
}

const foreignOwner = (dependent: Identity, owner: OwnerReference): NewEvent => ({
  reason: 'OwnerRefInvalidNamespace',
  message: `ownerRef [${owner.apiVersion}/${owner.kind}, namespace: ${dependent.namespace ?? ''}, name: ${owner.name}, uid: ${owner.uid}] ${
    dependent.namespace === undefined
      ? 'is namespaced, and cannot own an object of the cluster'
      : `does not exist in namespace "${dependent.namespace}"`
  }`,
  type: 'Warning',
});
