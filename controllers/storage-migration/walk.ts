/**
 * Walks through all objects of a resource in the order of their keys, and resumes from the position of an earlier walk.
 */
import {
  ApiError,
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  type DynamicClient,
  isConflict,
  isNotFound,
  type ListOf,
  type ResourceDescriptor,
  sleep,
} from '../../client/index.js';
import type { Pace } from './pace.js';

/** Counts of the walk so far. */
export interface Walked {
  /** Objects that were read. */
  readonly seen: number;
  /** Objects that now have another revision than in the list. */
  readonly written: number;
  /** One line for each object that could not be written. */
  readonly problems: readonly string[];
}

export interface WalkParts {
  readonly client: ClientOptions;
  readonly pace: Pace;
  /** Objects per page. A walk repeats its page after an interruption. Default: 200. */
  readonly pageSize?: number;
  /** Ends the walk, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Receives the counts after each object. */
  tell?(walked: Walked): void;
  /**
   * Receives the next token and the revision of the list after each page. No longer called once an object cannot be
   * written: a later walk must retry that object.
   */
  save?(token: string, walked: Walked, resourceVersion: string): Promise<void>;
}

/** Concurrent requests. */
const atOnce = 8;

/** Default number of objects per page. */
const usualPageSize = 200;

/**
 * Rewrites the objects that need it, starting at a continue token if one is given. New objects are stored in the
 * current version anyway, so the revision of a page does not matter: if a list is too old, it continues at the latest
 * revision. Rejects if the server cannot be reached, or refuses the list.
 */
export async function walk(resource: ResourceDescriptor, parts: WalkParts, from = ''): Promise<Walked> {
  const { types: _types, ...plain } = resource;
  const untyped: ResourceDescriptor<ApiObjectLike> = plain;
  const client = createResourceClient(untyped, parts.client);
  const sum = { seen: 0, written: 0, problems: [] as string[] };
  let token = from;
  for (;;) {
    const page = await nextPage(client, token, parts);
    if (page === 'expired') {
      token = '';
      continue;
    }
    await eachAtOnce(page.items, async (object) => {
      await parts.pace(parts.signal);
      parts.signal?.throwIfAborted();
      const outcome = await rewrite(client, object, parts.signal);
      sum.seen++;
      if (outcome === 'written') sum.written++;
      else if (outcome !== 'kept') sum.problems.push(`${nameOf(resource, object)}: ${outcome.problem}`);
      parts.tell?.(sum);
    });
    token = page.metadata.continue ?? '';
    if (token === '') return sum;
    if (sum.problems.length === 0) await parts.save?.(token, sum, page.metadata.resourceVersion ?? '');
  }
}

type Page = Pick<ListOf<ApiObjectLike>, 'items' | 'metadata'>;

const noObjects: Page = { items: [], metadata: {} };

/**
 * Reads a page. Resolves to `expired` if the token is not valid any more. A resource without its definition has no
 * objects.
 */
async function nextPage(
  client: ResourceOfAny,
  token: string,
  { signal, pageSize: limit = usualPageSize }: WalkParts,
): Promise<Page | 'expired'> {
  const read = (at: string): Promise<Page> =>
    client.metadataOnly().list({ limit, ...(at === '' ? {} : { continue: at }), ...(signal ? { signal } : {}) });
  try {
    return await read(token);
  } catch (error) {
    if (isNotFound(error)) return noObjects;
    if (token === '' || !(error instanceof ApiError)) throw error;
    const { code, status } = error;
    const later = status.metadata?.continue ?? '';
    if (code === 410 && later !== '') return read(later);
    if (code === 410 || code === 400) return 'expired';
    throw error;
  }
}

/** Works through items, several at once. When it rejects, no item is in flight any more. */
async function eachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  let failed: { readonly error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined && !failed; item = rest.shift()) {
      await work(item).catch((error: unknown) => {
        failed ??= { error };
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failed) throw failed.error;
}

const nameOf = ({ plural, group }: ResourceDescriptor, { metadata }: ApiObjectLike): string =>
  [group === '' ? plural : `${plural}.${group}`, metadata.namespace, metadata.name].filter(Boolean).join('/');

/** The client of the resource that an object belongs to. */
type ResourceOfAny = Pick<DynamicClient<ApiObjectLike, unknown, string>, 'in' | 'metadataOnly'>;

/** `kept`: the object is already stored in the current version, or is gone. */
type Rewriting = 'written' | 'kept' | { readonly problem: string };

/** How often a request is repeated after a conflict or a server error. */
const attempts = 5;

/** The pause before the first retry after a server error, milliseconds. Each retry doubles it. */
const firstPauseMs = 100;

/**
 * Sends an empty patch. The server writes only if the object is stored in another version. The patch applies to the
 * latest object, so no other write is lost. A repeated patch does no harm, so any failed patch is repeated. Rejects if
 * the server cannot be reached.
 */
async function rewrite(resource: ResourceOfAny, { metadata }: ApiObjectLike, signal?: AbortSignal): Promise<Rewriting> {
  const { name = '', namespace = '', resourceVersion } = metadata;
  for (let attempt = 1; ; attempt++) {
    try {
      const after = await resource.in(namespace).patch(name, {}, signal ? { signal } : {});
      return after.metadata.resourceVersion === resourceVersion ? 'kept' : 'written';
    } catch (error) {
      if (isNotFound(error)) return 'kept';
      if (!(error instanceof ApiError)) throw error;
      const isBroken = error.code >= 500;
      if (attempt === attempts || !(isBroken || isConflict(error))) return { problem: error.message };
      if (isBroken) await sleep(firstPauseMs * 2 ** attempt, signal);
    }
  }
}
