/** The verb `list`: returns a collection at one revision, whole or in chunks. */
import type { Failure, Result, Revision, Snapshot } from '../contract/index.js';
import { badRequest, expired, tooLargeResourceVersion } from '../objects/status.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import type { ApiResponse } from '../request/api-request.js';
import { readForm } from '../request/representation/negotiate.js';
import type { Page } from '../request/representation/representation.js';
import { answerFailure, answerPage } from '../request/responses.js';
import type { Selection } from '../request/selection.js';
import type { VerbRequest } from '../request/verb-request.js';
import { keyOf } from '../resource/served-resource.js';
import { prepareToRead } from '../resource/versions.js';
import { futureRevisionWaitMs, namedRevision } from './get.js';
import { type ListOptions, revisionWithContinue } from './list-options.js';
import { unreadableFailure } from './unreadable.js';

/** How long clients may continue a list, in milliseconds. */
const continueTokenLifetimeMs = 5 * 60 * 1000;

/** Lists the collection that the path names. */
export function list(verb: VerbRequest, options: ListOptions): MaybePromise<ApiResponse> {
  const representation = readForm(verb, 'list');
  if (!representation.ok) return answerFailure(verb, representation.failure);
  return thenSync(readPage(verb, options), (page) =>
    page.ok ? answerPage(verb, representation.value, page.value) : answerFailure(verb, page.failure),
  );
}

/** Reads one chunk, or without a limit the whole collection. Returns synchronously if it need not wait. */
export function readPage(verb: VerbRequest, options: ListOptions): MaybePromise<Result<Page>> {
  return thenSync(selectable(verb, options), () =>
    thenSync(startOf(verb, options), (start) => (start.ok ? readFrom(verb, options, start.value) : start)),
  );
}

/** The most objects that a list reads attributes of without waiting. */
const fewObjects = 2000;

/**
 * Lets a filtered list of many objects wait until the store can select without reading objects. The store can do so
 * soon after a start.
 */
function selectable(verb: VerbRequest, { selection }: ListOptions): MaybePromise<void> {
  const { store } = verb.services;
  if (!selection.readsAttributes || !store.selectable) return undefined;
  return store.count(selectedPrefix(verb, selection)) > fewObjects ? store.selectable() : undefined;
}

function readFrom(verb: VerbRequest, options: ListOptions, start: Start): MaybePromise<Result<Page>> {
  const selected = select(verb, options, start);
  if (!selected.ok) return selected;
  return thenSync(prepareToRead(verb.resource, selected.value.entries), (failure) =>
    failure ? { ok: false, failure } : { ok: true, value: pageOf(verb, options, selected.value, start) },
  );
}

function pageOf(verb: VerbRequest, options: ListOptions, snapshot: Snapshot, start: Start): Page {
  const { entries, revision, more, remaining, repeated } = snapshot;
  const chosen = !options.selection.everything;
  if (!more) return { revision, entries, repeated, selected: chosen, continueToken: '' };
  const resume = (entries.at(-1)?.key ?? '').slice(collectionPrefix(verb).length);
  const began = start.began ?? beginning(verb);
  const continueToken = verb.services.continueTokens.seal({ revision, after: resume, began });
  const counted = chosen ? {} : { remainingItemCount: remaining };
  return { revision, entries, repeated, selected: chosen, continueToken, ...counted };
}

/** Returns the prefix of the keys in a collection. */
export function collectionPrefix(verb: VerbRequest): string {
  return verb.namespace === '' ? verb.resource.keyPrefix : `${verb.resource.keyPrefix}${verb.namespace}/`;
}

interface Start {
  /** The exact revision to show; absent for the latest. */
  readonly at?: Revision;
  readonly after?: string;
  /** The time of the first chunk; absent for now. */
  readonly began?: number;
}

const foreignToken = badRequest(
  'invalid continue token: continue key is not valid: it was not issued by this server; start a new list without it',
);

const latest: Result<Start> = { ok: true, value: {} };

/**
 * Returns the start time of a list, rounded to seconds. So lists of one state that begin in the same second have the
 * same token.
 */
const beginning = ({ services }: VerbRequest): number => Math.ceil(services.clock() / 1000) * 1000;

function startOf(verb: VerbRequest, options: ListOptions): MaybePromise<Result<Start>> {
  if (options.continueToken !== '') return continuedStart(verb, options);
  const { revision } = options;
  if (revision === 0) return latest;
  if (revision !== undefined) return startAt(verb, options, revision);
  return thenSync(verb.services.store.confirm(), (failure) => (failure ? { ok: false, failure } : latest));
}

async function startAt(verb: VerbRequest, { match, limit }: ListOptions, revision: Revision): Promise<Result<Start>> {
  const { store, release } = verb.services;
  const exact = match === 'Exact' || (match === undefined && limit > 0);
  if (!(await store.reached(revision, futureRevisionWaitMs))) {
    const hinted = release.does('listsFromMemory') || !(exact || limit > 0);
    const retryAfter = hinted ? 1 : 0;
    return { ok: false, failure: tooLargeResourceVersion(namedRevision(verb, revision), store.revision, retryAfter) };
  }
  return exact ? { ok: true, value: { at: revision } } : latest;
}

async function continuedStart(verb: VerbRequest, options: ListOptions): Promise<Result<Start>> {
  const continuation = verb.services.continueTokens.open(options.continueToken);
  if (!continuation) return { ok: false, failure: foreignToken };
  if (options.revision !== undefined && options.revision !== 0) {
    return { ok: false, failure: revisionWithContinue };
  }
  const { revision, began } = continuation;
  const after = collectionPrefix(verb) + continuation.after;
  const now = verb.services.clock();
  if (revision === 0) return { ok: true, value: { after, began: now } };
  if (now - began > continueTokenLifetimeMs) return { ok: false, failure: tokenExpired(verb, after) };
  // Another server of the same store may have begun the list.
  await verb.services.store.reached(revision, futureRevisionWaitMs);
  return { ok: true, value: { at: revision, after, began } };
}

/**
 * Returns a 410 with a token in its body. The token continues from the same position at the latest revision,
 * inconsistently.
 */
function tokenExpired(verb: VerbRequest, after: string): Failure {
  const token = verb.services.continueTokens.seal({
    revision: 0,
    after: after.slice(collectionPrefix(verb).length),
    began: verb.services.clock(),
  });
  const failure = expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  );
  return { ...failure, continueToken: token };
}

function select(verb: VerbRequest, options: ListOptions, { at, after }: Start): Result<Snapshot> {
  const { store } = verb.services;
  const { selection } = options;
  const limit = limitOf(verb, options) || undefined;
  const only = selection.everything ? undefined : selection;
  const snapshot = store.list(selectedPrefix(verb, selection), { at, after, limit, only });
  if (typeof snapshot === 'object') {
    const end = snapshot.more ? snapshot.entries.at(-1)?.key : undefined;
    const failure = unreadableFailure(verb, selectedPrefix(verb, selection), { after, end });
    if (failure) return { ok: false, failure };
    const { length } = snapshot.entries;
    verb.services.observer?.listed(verb.resource.module, length, length);
    return { ok: true, value: snapshot };
  }
  if (snapshot === 'future') return { ok: false, failure: tooLargeResourceVersion(at ?? 0, store.revision) };
  return { ok: false, failure: after === undefined ? expired() : tokenExpired(verb, after) };
}

/**
 * Returns the limit of a list. A list at any revision ignores its limit, as the reference's cache does; early releases
 * keep it for a continued list.
 */
function limitOf({ services }: VerbRequest, { revision, limit, continueToken }: ListOptions): number {
  if (revision !== 0) return limit;
  return continueToken === '' || services.release.does('listsFromMemory') ? 0 : limit;
}

/** Returns the prefix of the keys that the path and the field selector allow, or the key if they name one object. */
export function selectedPrefix(verb: VerbRequest, { name, namespace }: Selection): string {
  const { resource } = verb;
  const cluster = resource.module.scope === 'Cluster';
  const place = cluster ? '' : verb.namespace || (namespace ?? '');
  if (name && (cluster || place !== '')) return keyOf(resource, place, name);
  return place === '' ? resource.keyPrefix : `${resource.keyPrefix}${place}/`;
}
