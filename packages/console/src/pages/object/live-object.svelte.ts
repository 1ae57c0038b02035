/** The present state of one object, while a page shows it. */
import {
  type DynamicObject,
  type DynamicResource,
  isNotFound,
  observeObjects,
  type ResourceClient,
} from 'kindforge/client';
import { connection } from '../../data/connection.svelte.js';
import { hasHistory, nameSelector } from '../../object/history.js';

/** The requests for objects of a kind, in one namespace. */
export type KindClient = ResourceClient<DynamicObject, DynamicObject, string>;

/** The state of the page: it reads the object, shows it, found no object, saw its deletion, or cannot read it. */
export type ObjectState = 'loading' | 'live' | 'missing' | 'deleted' | 'failed';

export class LiveObject {
  /** The last known state. It stays after a deletion, and while the server does not answer. */
  object: DynamicObject | undefined = $state.raw();
  state: ObjectState = $state('loading');
  /** The reason why it cannot be read, or may be out of date. */
  error: unknown = $state.raw();
  /** Whether the server keeps earlier revisions; `undefined` until it has answered. */
  hasHistory: boolean | undefined = $state();
  readonly #client: KindClient;
  readonly #isListable: boolean;
  readonly #watchable: DynamicResource | undefined;
  readonly #name: string;
  readonly #namespace: string | undefined;
  #stopWaiting = (): unknown => undefined;
  #ending: AbortSignal | undefined;

  constructor(resource: DynamicResource, namespace: string | undefined, name: string) {
    this.#client = resource.in(namespace ?? '');
    this.#isListable = resource.kind.verbs.includes('list');
    this.#watchable = resource.kind.verbs.includes('watch') && this.#isListable ? resource : undefined;
    this.#name = name;
    this.#namespace = namespace;
  }

  /** Reads the object and watches it, until the returned function is called. */
  start(): () => void {
    const ending = new AbortController();
    this.#ending = ending.signal;
    let stop = (): void => {};
    // Never rejects: `read` keeps the error.
    void this.read(ending.signal).then(() => {
      if (!ending.signal.aborted) stop = this.#follow(ending.signal);
    });
    return () => {
      ending.abort();
      this.#stopWaiting();
      stop();
    };
  }

  /** Reads the object again. Never rejects: keeps the error. */
  async read(signal?: AbortSignal): Promise<void> {
    try {
      this.#show(await this.#client.get(this.#name, signal ? { signal } : {}));
    } catch (error) {
      if (signal?.aborted) return;
      if (isNotFound(error)) this.#lose(error);
      else this.#fail(error);
    }
  }

  /** Shows a newer state before the watch delivers it, such as the answer to a write. */
  set(object: DynamicObject): void {
    this.#show(object);
  }

  #follow(signal: AbortSignal): () => void {
    if (!this.#watchable) return this.#poll(signal);
    const selection = { namespace: this.#namespace, fieldSelector: nameSelector(this.#name) };
    return observeObjects<DynamicObject>(this.#watchable, selection).subscribe(({ objects, ready, error }) => {
      const [found] = objects;
      if (error) this.#fail(error);
      else if (found) this.#show(found);
      else if (ready) this.#lose(undefined);
    });
  }

  #poll(signal: AbortSignal): () => void {
    const timer = setInterval(() => void this.read(signal), pollMs);
    return () => clearInterval(timer);
  }

  #show(object: DynamicObject): void {
    connection.report(undefined);
    // A watch delivers again the revision that was read before it.
    const isKnown = object.metadata.resourceVersion === this.object?.metadata.resourceVersion;
    this.object = object;
    this.state = 'live';
    this.error = undefined;
    // A server that has forgotten the last change may know the next one.
    if (!isKnown && !this.hasHistory && this.#isListable) void this.#askForHistory(object);
  }

  /** Reads whether the server has a revision before this one. Never rejects. */
  async #askForHistory(object: DynamicObject): Promise<void> {
    const signal = this.#ending;
    const found = await hasHistory(this.#client, object, signal);
    if (!signal?.aborted) this.hasHistory ||= found;
  }

  #lose(error: unknown): void {
    this.state = this.object ? 'deleted' : 'missing';
    this.error = error;
  }

  #fail(error: unknown): void {
    connection.report(error);
    this.error = error;
    // If the server does not have the path, the definition is deleted, and all objects with it.
    if (isNotFound(error)) this.#lose(error);
    else if (!this.object) this.state = 'failed';
    if (this.#ending?.aborted === false && connection.state === 'away') {
      this.#stopWaiting();
      // The pauses of the watch grow.
      this.#stopWaiting = connection.onReturn(() => void this.read(this.#ending));
    }
  }
}

/** The time between two reads of an object that cannot be watched, milliseconds. */
const pollMs = 10_000;
