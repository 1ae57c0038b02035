/** Reads the metadata of collections, and parses only the few objects that a client needs. */
import type { Listed } from '../cache/list-watch.js';
import { type ClientOptions, partsOf } from '../create-client.js';
import type { ResourceDescriptor } from '../descriptor.js';
import { ConnectionError } from '../errors.js';
import { parseJson } from '../json.js';
import { openRequest } from '../requests.js';
import type { ApiObjectLike, ListOf, ObjectEvent, WatchEvent } from '../types.js';
import { readWatch } from '../watch.js';
import { forms } from './formats.js';
import type { ListOptions, WatchOptions } from './options.js';
import { optionParts } from './parameters.js';
import { pathsOf } from './paths.js';
import type { ResourceClientParts } from './remote-resource.js';
import type { EventsOf } from './resource-client.js';

/**
 * Makes a client for lists and watches of metadata. `isWanted` gets the JSON of one or many objects, and returns
 * whether one of them may matter. Drops objects that it refuses.
 */
export const createSkimmingClient = (
  resource: ResourceDescriptor,
  options: ClientOptions,
  isWanted: (json: string) => boolean,
): Listed<ApiObjectLike> => new SkimmingClient(resource, partsOf(options), isWanted);

class SkimmingClient implements Listed<ApiObjectLike> {
  readonly #parts: ResourceClientParts;
  readonly #path: string;
  readonly #isWanted: (json: string) => boolean;

  constructor(resource: ResourceDescriptor, parts: ResourceClientParts, isWanted: (json: string) => boolean) {
    this.#parts = parts;
    this.#path = pathsOf(resource, parts.groupOf(resource)).collection(undefined);
    this.#isWanted = isWanted;
  }

  async list(options?: ListOptions): Promise<ListOf<ApiObjectLike>> {
    const request = { method: 'GET', path: this.#path, accept: forms.metadataList, ...optionParts(options) } as const;
    const text = await (await openRequest(this.#parts, request)).text();
    // Lets a server in the same process answer others between two pages, even if no object of a page is wanted.
    await new Promise((resolve) => setTimeout(resolve));
    try {
      return readList(text, this.#isWanted);
    } catch (error) {
      throw new ConnectionError(`the answer to GET ${this.#path} is not JSON`, error);
    }
  }

  watch(options?: WatchOptions & { readonly allowWatchBookmarks?: false }): EventsOf<ObjectEvent<ApiObjectLike>>;
  watch(options: WatchOptions): EventsOf<WatchEvent<ApiObjectLike>>;
  watch({ allowWatchBookmarks = false, ...options }: WatchOptions = {}): EventsOf<WatchEvent<ApiObjectLike>> {
    const { parameters, ...rest } = optionParts(options);
    const all = { ...parameters, watch: true, allowWatchBookmarks: true };
    const request = { method: 'GET', path: this.#path, accept: forms.metadata, parameters: all, ...rest } as const;
    const isRead = (line: string): boolean => !isObjectEvent(line) || this.#isWanted(line);
    return readWatch(() => openRequest(this.#parts, request), allowWatchBookmarks, isRead);
  }
}

/** Returns whether a line is the event of an object. Reads bookmarks and errors always. */
const isObjectEvent = (line: string): boolean =>
  line.startsWith('{"type":"ADDED"') || line.startsWith('{"type":"MODIFIED"') || line.startsWith('{"type":"DELETED"');

/** Reads a list. Leaves out the items if none of them is wanted and the list's own metadata comes before them. */
function readList(text: string, isWanted: (json: string) => boolean): ListOf<ApiObjectLike> {
  const end = text.indexOf(',"items":[');
  const isShort = end > 0 && text.lastIndexOf('"metadata":', end) > 0 && !isWanted(text);
  const list = parseJson<Omit<ListOf<ApiObjectLike>, 'items'> & { items?: ApiObjectLike[] | null }>(
    isShort ? `${text.slice(0, end)}}` : text,
  );
  // Empty lists of metadata have null.
  return { ...list, items: list.items ?? [] };
}
