/** Shares informers between the controllers of one process: one watch for each kind, while a controller uses it. */
import { type ClientOptions, createResourceClient } from '../create-client.js';
import type { ResourceDescriptor } from '../descriptor.js';
import { isGone, isNotFound } from '../errors.js';
import { createMetadataClient } from '../resource/metadata-client.js';
import type { Selection } from '../resource/options.js';
import { isEnd, WriteObservers } from '../resource/writes.js';
import type { ApiObjectLike } from '../types.js';
import { Informer, type InformerOptions } from './informer.js';

/** Selects objects of a resource, and says how much of each is kept. */
export interface InformerChoice extends Selection {
  /** Keeps only the metadata of the objects, without the records of field managers. */
  readonly metadataOnly?: boolean;
}

/** An informer in use. */
export interface OpenInformer {
  readonly informer: Informer;
  /** Ends this use. */
  close(): void;
}

export interface InformersOptions {
  readonly client: ClientOptions;
  /** Called with each error that does not end the informers. */
  readonly onError: (about: string, error: unknown) => void;
}

interface Shared {
  readonly informer: Informer;
  readonly ending: AbortController;
  readonly running: Promise<void>;
  users: number;
}

/** Objects per request of a listing. */
const chunk = 500;

/** Opens informers, one for all callers with the same choice. */
export class Informers {
  readonly #options: InformersOptions;
  readonly #shared = new Map<string, Shared>();
  /** For the `writes` option of a client: a write, except a delete, is in the informers when it resolves. */
  readonly writes: WriteObservers;

  constructor(options: InformersOptions) {
    this.#options = options;
    this.writes = options.client.writes ?? new WriteObservers();
  }

  /** Returns an informer of whole objects, if there is one, also to callers who ask for metadata alone. */
  open(resource: ResourceDescriptor, choice: InformerChoice = {}): OpenInformer {
    const whole = keyOfChoice(resource, { ...choice, metadataOnly: false });
    const key = choice.metadataOnly && !this.#shared.has(whole) ? keyOfChoice(resource, choice) : whole;
    const shared = this.#shared.get(key) ?? this.#start(key, resource, choice);
    shared.users++;
    let isOpen = true;
    return {
      informer: shared.informer,
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        shared.users--;
        if (shared.users > 0) return;
        if (this.#shared.get(key) === shared) this.#shared.delete(key);
        shared.ending.abort();
      },
    };
  }

  /** Ends all informers, and resolves when they have ended. */
  async close(): Promise<void> {
    const all = [...this.#shared.values()];
    this.#shared.clear();
    for (const { ending } of all) ending.abort();
    await Promise.all(all.map(({ running }) => running));
  }

  #start(key: string, resource: ResourceDescriptor, choice: InformerChoice): Shared {
    const { onError } = this.#options;
    const { metadataOnly = false, ...selection } = choice;
    const options: ClientOptions = { ...this.#options.client, writes: this.writes };
    const client = metadataOnly
      ? createMetadataClient(resource, options)
      : createResourceClient(untyped(resource), options);
    const settings: InformerOptions = {
      client,
      ...selection,
      limit: chunk,
      onError: (error) => {
        // A kind may be removed before its watchers know. If the history is gone, the informer reads the state again,
        // and loses nothing.
        if (wasThere && (isNotFound(error) || isGone(error))) return;
        onError(`watching ${resource.plural}`, error);
      },
      ...(metadataOnly ? { keep: metadataOf(resource) } : {}),
    };
    const informer = new Informer(settings);
    let wasThere = false;
    const known = () => {
      wasThere = true;
    };
    informer.synced.then(known, () => {});
    const ending = new AbortController();
    // With a selector, the answer to a write does not say whether the selector selects the object.
    const isAll = selection.labelSelector === undefined && selection.fieldSelector === undefined;
    const stop = client.onWrite(({ object }) => {
      if (isAll && object !== undefined && !isEnd(object)) informer.learn(object);
    });
    const shared = { informer, ending, running: informer.run(ending.signal).finally(stop), users: 0 };
    this.#shared.set(key, shared);
    return shared;
  }
}

const keyOfChoice = (
  { group, version, plural }: ResourceDescriptor,
  { metadataOnly = false, labelSelector = '', fieldSelector = '' }: InformerChoice,
): string => JSON.stringify([group, version, plural, metadataOnly, labelSelector, fieldSelector]);

const untyped = ({ types: _types, ...resource }: ResourceDescriptor): ResourceDescriptor<ApiObjectLike> => resource;

/** Returns a function that keeps only the metadata of an object. Its kind replaces PartialObjectMetadata. */
function metadataOf({ group, version, kind }: ResourceDescriptor): (object: ApiObjectLike) => ApiObjectLike {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return ({ metadata: { managedFields: _managedFields, ...metadata } }) => ({ apiVersion, kind, metadata });
}
