/** Searches for the owners and the dependents of an object among the kinds that the user may list. */
import {
  createMetadataClient,
  type DynamicObject,
  isForbidden,
  type OwnerReference,
  type ServedKind,
} from 'kindforge/client';
import { findOwners, type Known, kindsToSearch, type Owner } from '../../object/owners.js';
import type { Shown } from './kind-client.js';

/** Limits of the search: requests at a time, and objects of one kind. */
const atATime = 4;
const mostOfKind = 2_000;

/** A kind that was not searched. */
export interface Skipped {
  /** The plural, and the group if it has one. */
  readonly name: string;
  readonly why: string;
}

export class OwnerSearch {
  owners: readonly Owner[] = $state.raw([]);
  others: readonly Known[] = $state.raw([]);
  isRunning = $state(false);
  done = $state(0);
  total = $state(0);
  /** Kinds that could not be read, and the reasons. */
  skipped: readonly Skipped[] = $state.raw([]);
  /** Whether a kind has more objects than were searched. */
  isCut = $state(false);
  readonly #shown: Shown;
  #running: AbortController | undefined;

  constructor(shown: Shown) {
    this.#shown = shown;
  }

  /** Searches from the beginning. Call the returned function to end it. */
  start(object: DynamicObject): () => void {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.isRunning = true;
    [this.done, this.skipped, this.isCut, this.others] = [0, [], false, []];
    this.#run(object, running.signal)
      .catch(() => {})
      .finally(() => {
        if (!running.signal.aborted) this.isRunning = false;
      });
    return () => running.abort();
  }

  async #run(object: DynamicObject, signal: AbortSignal): Promise<void> {
    const { session } = this.#shown;
    findOwners(object, (reference, namespace) => this.#find(reference, namespace, signal)).then(
      (owners) => {
        if (!signal.aborted) this.owners = owners;
      },
      () => {},
    );
    const { kinds } = await session.client.kinds({ signal });
    // Dependents are in the namespace of the owner, or anywhere if the owner has no namespace.
    const waiting = kindsToSearch(kinds).filter(
      ({ scope }) => this.#shown.namespace === undefined || scope === 'Namespaced',
    );
    this.total = waiting.length;
    const work = async (): Promise<void> => {
      for (let kind = waiting.shift(); kind && !signal.aborted; kind = waiting.shift()) {
        const why = await this.#search(kind, signal).catch(reasonOf);
        if (signal.aborted) return;
        if (why !== undefined) this.#skip(kind, why);
        this.done++;
      }
    };
    await Promise.all(Array.from({ length: atATime }, work));
  }

  /** Searches a kind. Resolves to the reason if that was not possible, else to `undefined`. */
  async #search(kind: ServedKind, signal: AbortSignal): Promise<string | undefined> {
    const { session, namespace } = this.#shown;
    const { group, plural: resource } = kind;
    if (!(await session.rights.may({ verb: 'list', group, resource, namespace }))) return noRight;
    const client = createMetadataClient({ ...kind }, session.options, namespace);
    const found: Known[] = [];
    let next: string | undefined;
    for (let count = 0; ; ) {
      const page = await client.list({ limit: 500, signal, ...(next ? { continue: next } : {}) });
      // Some servers write an empty list as null.
      const items = page.items ?? [];
      count += items.length;
      found.push(...items.filter(({ metadata }) => metadata.ownerReferences).map((object) => ({ kind, object })));
      next = page.metadata.continue;
      if (next && count >= mostOfKind) this.isCut = true;
      if (!next || count >= mostOfKind) break;
    }
    if (!signal.aborted && found.length > 0) this.others = [...this.others, ...found];
    return undefined;
  }

  #skip({ plural, group }: ServedKind, why: string): void {
    const name = group === '' ? plural : `${plural}.${group}`;
    this.skipped = [...this.skipped, { name, why }].sort((one, other) => one.name.localeCompare(other.name));
  }

  async #find(
    { apiVersion, kind, name }: OwnerReference,
    namespace: string | undefined,
    signal: AbortSignal,
  ): Promise<Known | undefined> {
    try {
      const resource = await this.#shown.session.client.resource({ apiVersion, kind }, { signal });
      return { kind: resource.kind, object: await resource.in(namespace ?? '').get(name, { signal }) };
    } catch {
      return undefined;
    }
  }
}

const noRight = 'you lack the right list';

function reasonOf(error: unknown): string {
  if (isForbidden(error)) return noRight;
  return error instanceof Error ? error.message : String(error);
}
