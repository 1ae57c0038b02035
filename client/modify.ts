/** Changes objects by reading, changing and writing them, with retries after conflicts. */

import { isNotFound } from './errors.js';
import type { NewObject } from './resource/new-object.js';
import type { WriteOptions } from './resource/options.js';
import { requestParts } from './resource/parameters.js';
import type { ResourceClient } from './resource/resource-client.js';
import type { SubresourceClient } from './resource/subresource-client.js';
import { type ConflictOptions, retryOnConflict } from './retry-on-conflict.js';
import type { ApiObjectLike } from './types.js';
import { copyOf, isEqual } from './values.js';

/** Options of the writes, and of their retries. */
export type ModifyOptions = WriteOptions & ConflictOptions;

/** An object as it is now, and what happened to it. */
export interface Outcome<T> {
  readonly object: T;
  readonly did: 'created' | 'updated' | 'nothing';
}

/**
 * Reads an object, lets a function change a copy, and writes the copy if it differs. After a conflict it calls the
 * function again with the current object.
 */
export async function modify<T extends ApiObjectLike>(
  client: Pick<SubresourceClient<T, unknown>, 'get' | 'update'>,
  name: string,
  change: (object: T) => void | Promise<void>,
  options: ModifyOptions = {},
): Promise<T> {
  return retryOnConflict(async () => {
    const current = await client.get(name, requestParts(options));
    const wanted = copyOf(current);
    await change(wanted);
    const { object } = await replace(client, current, wanted, options);
    return object;
  }, options);
}

/**
 * Returns the wanted object from the current one. TypeScript resolves the conditional type once it knows `T` from the
 * client, so literals keep their types: `size: 'small'` is not just a string.
 */
export type ToWanted<T> = [T] extends [ApiObjectLike]
  ? (object: T | undefined) => NewObject<T> | Promise<NewObject<T>>
  : never;

/**
 * Creates an object, or changes the existing one. The function gets a copy of the existing object, or `undefined`, and
 * returns the wanted one, with or without its name. Fields of the object and of its metadata stay as they are if the
 * result does not have them. Throws a TypeError if the function returns another name.
 */
export function createOrUpdate<T extends ApiObjectLike>(
  client: Pick<ResourceClient<T, unknown, never>, 'get' | 'create' | 'update'>,
  name: string,
  toWanted: ToWanted<T>,
  options?: ModifyOptions,
): Promise<Outcome<T>>;
/** Creates or changes an object of any kind. */
export function createOrUpdate<T extends ApiObjectLike>(
  client: Pick<ResourceClient<T, unknown, never>, 'get' | 'create' | 'update'>,
  name: string,
  toWanted: (object: T | undefined) => NewObject<T> | Promise<NewObject<T>>,
  options?: ModifyOptions,
): Promise<Outcome<T>>;
export async function createOrUpdate<T extends ApiObjectLike>(
  client: Pick<ResourceClient<T, unknown, never>, 'get' | 'create' | 'update'>,
  name: string,
  toWanted: (object: T | undefined) => NewObject<T> | Promise<NewObject<T>>,
  options: ModifyOptions = {},
): Promise<Outcome<T>> {
  return retryOnConflict(async (): Promise<Outcome<T>> => {
    const current = await client.get(name, requestParts(options)).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    const wanted = named(name, await toWanted(copyOf(current)));
    if (current === undefined) return { object: await client.create(wanted, writeOptions(options)), did: 'created' };
    const metadata = { ...current.metadata, ...metadataOf(wanted) };
    return replace(client, current, { ...current, ...wanted, metadata }, options);
  }, options);
}

/** Puts the name into the object. Throws if the object has another name. */
function named<T extends object>(name: string, wanted: T): T {
  const metadata = metadataOf(wanted);
  if ('name' in metadata && metadata.name !== undefined && metadata.name !== name)
    throw new TypeError(`${JSON.stringify(name)} must be created or updated, and not ${JSON.stringify(metadata.name)}`);
  return { ...wanted, metadata: { ...metadata, name } };
}

/** Replaces an object that was read before. The server refuses it with a conflict if the object has changed since. */
async function replace<T extends ApiObjectLike>(
  client: Pick<SubresourceClient<T, unknown>, 'update'>,
  current: T,
  wanted: T,
  options: ModifyOptions,
): Promise<Outcome<T>> {
  const { resourceVersion } = current.metadata;
  const read = resourceVersion === undefined ? {} : { resourceVersion };
  const sent = { ...wanted, metadata: { ...wanted.metadata, ...read } };
  if (isEqual(sent, current)) return { object: current, did: 'nothing' };
  return { object: await client.update(sent, writeOptions(options)), did: 'updated' };
}

const metadataOf = (object: object): object => {
  const metadata: unknown = 'metadata' in object ? object.metadata : undefined;
  return typeof metadata === 'object' && metadata !== null ? metadata : {};
};

const writeOptions = ({
  retries: _retries,
  delayMs: _delayMs,
  clock: _clock,
  ...options
}: ModifyOptions): WriteOptions => options;
