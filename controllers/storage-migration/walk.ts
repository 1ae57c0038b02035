/** Walks through all objects of a resource in the order of their keys, and goes on from where an earlier walk ended. */
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

/** Counts of a walk so far. */
export interface Walked {
  /** Objects that were looked at. */
  readonly seen: number;
  /** Those of them that came to have another revision than in the list. */
  readonly written: number;
  /** One line for each object that could not be written. */
  readonly problems: readonly string[];
}

export interface WalkParts {
  readonly client: ClientOptions;
  readonly pace: Pace;
  /** Objects of one page: what is done again after an interruption. 200 where absent. */
  readonly pageSize?: number;
  /** Ends the walk: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called after each object. */
  tell?(walked: Walked): void;
  /**
   * Called after each page with the token that goes on behind it, and the revision that was listed, as long as all objects
   * could be written: a later walk is to try again those that could not.
   */
  save?(token: string, walked: Walked, resourceVersion: string): Promise<void>;
}

/** Requests under way at one time. */
const atOnce = 8;

/** Objects of one page where nobody says otherwise. */
const usualPageSize = 200;

/**
 * Writes again what needs it, from a continue token on where one is given. Objects that are made meanwhile are stored in
 * the present version by those who make them, so it does not matter at which revision a page is listed: a list that is too
 * old goes on at the latest revision. Rejects where the server cannot be reached, or refuses the list.
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

/** `expired` where the token is none of this server, or no longer; a definition that is gone has no objects. */
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

/** Works through items, several at one time; all that are under way have ended when it rejects. */
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

/** `kept`: it was stored in the present version already, or is gone. */
type Rewriting = 'written' | 'kept' | { readonly problem: string };

/** How often a request is repeated that another write got ahead of, or that the server had no luck with. */
const attempts = 5;

/** The pause before the first repetition after an error of the server, milliseconds; doubled each time. */
const firstPauseMs = 100;

/**
 * Asks for a change of nothing. A server makes no write of that, unless the object was stored in another version. The
 * change builds on the object as it is when it arrives, so nothing that others write in the meantime is lost. Asked again,
 * it does no harm, so it is repeated whatever became of it. Rejects where the server cannot be reached.
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
