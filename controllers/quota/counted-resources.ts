/** Finds the resources to count for each quota, and watches them for objects with changed usage. */
import {
  type ApiObjectLike,
  type ClientOptions,
  type Clock,
  discoverResources,
  type Informer,
  type Informers,
  type ObjectChange,
} from '../../client/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { sameAmounts } from '../../runtime/objects/quota/amounts.js';
import type { Evaluator } from '../../runtime/objects/quota/evaluator.js';
import type { Evaluators } from '../../runtime/objects/quota/evaluators.js';
import { type CountedResource, countedAmong } from './resources.js';

export interface CountedResourcesOptions {
  readonly client: ClientOptions;
  readonly informers: Pick<Informers, 'open'>;
  readonly clock: Clock;
  readonly evaluators: Evaluators;
  readonly signal: AbortSignal;
  /** Called with the keys of quotas with a usage that may have changed. */
  readonly onChange: (key: string) => void;
}

/** How long to use the server's list of resources before reading it again, milliseconds. */
export const knownForMs = 30_000;

interface Watched {
  readonly informer: Informer;
  readonly close: () => void;
  /** Keys of quotas by namespace. */
  readonly users: Map<string, Set<string>>;
}

export class CountedResources {
  readonly #options: CountedResourcesOptions;
  readonly #watched = new Map<string, Watched>();
  #known: { readonly at: number; readonly resources: readonly CountedResource[] } | undefined;

  constructor(options: CountedResourcesOptions) {
    this.#options = options;
  }

  /** Returns the resources to count for limits with these names. Watches them until the quota has other limits. */
  async use(key: string, names: readonly string[]): Promise<readonly CountedResource[]> {
    const known = await this.#discover();
    const used = known.filter(({ evaluator }) => names.some(evaluator.covers));
    const wanted = new Map(used.map((one) => [nameOf(one), one]));
    for (const name of this.#watched.keys()) if (!wanted.has(name)) this.#leave(name, key);
    await Promise.all([...wanted].map(([name, one]) => this.#join(name, one, key)));
    return used;
  }

  /** Reads the server's resources. Resolves to whether they have changed. */
  async refresh(): Promise<boolean> {
    const before = this.#known?.resources.map(nameOf).join();
    this.#known = undefined;
    return (await this.#discover()).map(nameOf).join() !== before;
  }

  /** Stops watching for a quota. */
  forget(key: string): void {
    for (const name of this.#watched.keys()) this.#leave(name, key);
  }

  close(): void {
    for (const { close } of this.#watched.values()) close();
    this.#watched.clear();
  }

  async #discover(): Promise<readonly CountedResource[]> {
    const { client, clock, evaluators, signal } = this.#options;
    if (this.#known && clock.monotonicMs() - this.#known.at < knownForMs) return this.#known.resources;
    const at = clock.monotonicMs();
    const resources = countedAmong(await discoverResources(client, signal), evaluators);
    this.#known = { at, resources };
    return resources;
  }

  /** Watches the resource. Resolves when the watch will report every later change of a counted object. */
  async #join(name: string, one: CountedResource, key: string): Promise<void> {
    const watched = this.#watched.get(name) ?? this.#watch(name, one);
    const namespace = namespaceOf(key);
    watched.users.set(namespace, (watched.users.get(namespace) ?? new Set()).add(key));
    if (watched.informer.isSynced) return;
    const { signal } = this.#options;
    let stop = (): void => {};
    const ended = new Promise<void>((resolve) => {
      stop = resolve;
      signal.addEventListener('abort', stop, { once: true });
    });
    await Promise.race([watched.informer.synced, ended]);
    signal.removeEventListener('abort', stop);
  }

  #leave(name: string, key: string): void {
    const watched = this.#watched.get(name);
    const namespace = namespaceOf(key);
    const users = watched?.users.get(namespace);
    if (!watched || !users) return;
    users.delete(key);
    if (users.size === 0) watched.users.delete(namespace);
    if (watched.users.size > 0) return;
    watched.close();
    this.#watched.delete(name);
  }

  #watch(name: string, { resource, evaluator }: CountedResource): Watched {
    const { informers, onChange } = this.#options;
    const users: Watched['users'] = new Map();
    const { informer, close } = informers.open(resource, { metadataOnly: evaluator.numberOnly });
    const unsubscribe = informer.onChange((change) => {
      if (!changesUsage(change, evaluator)) return;
      for (const key of users.get(change.object.metadata.namespace ?? '') ?? []) onChange(key);
    });
    const watched: Watched = {
      informer,
      users,
      close: () => {
        unsubscribe();
        close();
      },
    };
    this.#watched.set(name, watched);
    return watched;
  }
}

const nameOf = ({ resource: { group, plural } }: CountedResource): string => `${plural}.${group}`;

const namespaceOf = (key: string): string => key.slice(0, key.indexOf('/'));

/** Returns whether a change may lower the usage. New objects were charged when they were written. */
function changesUsage(change: ObjectChange, evaluator: Evaluator): boolean {
  if (change.type !== 'changed' || evaluator.numberOnly) return change.type === 'removed';
  const now = Date.now();
  const usage = (object: ApiObjectLike) => (isObject(object) ? evaluator.usage(object, now) : new Map());
  return !sameAmounts(usage(change.before), usage(change.object));
}
