/** Clients of several kinds, by names that the caller chooses. */
import type { CollectionClient } from './resource/resource-client.js';
import type { ApiObjectLike, ListOf } from './types.js';

export type ClientsByName = Readonly<Record<string, Pick<CollectionClient<ApiObjectLike, unknown>, 'list' | 'watch'>>>;

/** The objects that a client lists. */
export type ObjectOf<Client> = Client extends { list(): Promise<ListOf<infer T>> } ? T : never;
