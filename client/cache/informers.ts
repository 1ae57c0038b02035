/** The informers that controllers of one process share: one watch for each kind, as long as somebody uses it. */
import { type ClientOptions, createResourceClient } from '../create-client.js';
import type { ResourceDescriptor } from '../descriptor.js';
import { isGone, isNotFound } from '../errors.js';
import { createMetadataClient } from '../resource/metadata-client.js';
import type { Selection } from '../resource/options.js';
import { isEnd, WriteObservers } from '../resource/writes.js';
import type { ApiObjectLike } from '../types.js';
import { Informer, type InformerOptions } from './informer.js';

/** Which objects of a resource are told, and how much of them. */
export interface InformerChoice extends Selection {
  /** Tells nothing of the objects but their metadata, without the records of field managers. */
  readonly metadataOnly?: boolean;
}

/** An informer that somebody uses. */
export interface OpenInformer {
  readonly informer: Informer;
  /** Ends the use. */
  close(): void;
}

export interface InformersOptions {
  readonly client: ClientOptions;
  /** Told of what informers survive. */
  readonly onError: (about: string, error: unknown) => void;
}

interface Shared {
  readonly informer: Informer;
  readonly ending: AbortController;
  readonly running: Promise<void>;
  users: number;
}

/** Objects of a listing that are asked for at once. */
const chunk = 500;

/** Opens informers, one for all who choose the same. */
export class Informers {
  readonly #options: InformersOptions;
  readonly #shared = new Map<string, Shared>();
  /** A write of a client that has these as its `writes` is in the informers when it resolves, but for deletes. */
  readonly writes: WriteObservers;

  constructor(options: InformersOptions) {
    this.#options = options;
    this.writes = options.client.writes ?? new WriteObservers();
  }

  /** Whole objects serve those, too, who ask for metadata alone. */
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

  /** Ends all of them, and resolves when they have ended. */
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
        // The definition of a kind may end before its watchers have heard of that. Where the history is gone, the state is
        // read again, and nothing is lost.
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
    // Where only some objects are told, the answer to a write does not say whether it is one of them.
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

/** Makes of an object its metadata, under its own kind again. */
function metadataOf({ group, version, kind }: ResourceDescriptor): (object: ApiObjectLike) => ApiObjectLike {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return ({ metadata: { managedFields: _managedFields, ...metadata } }) => ({ apiVersion, kind, metadata });
}
