/** Converts objects through a webhook before they are read, so that a read never waits. */
import type { ApiObject, Entry, Failure, JsonObject } from '../contract/index.js';
import { clone } from '../objects/clone.js';
import { isApiObject } from '../objects/guards.js';
import { memoizeByObject } from '../objects/memoize.js';
import { objectOf, type RemoteConversion, type ResourceNames, type ResourceVersions } from './served-resource.js';

/**
 * Conversions, finished or in flight, by entry and version. Each definition of a kind has its own: a request that began
 * under one definition must not lose its objects to a request under the next.
 */
const conversionsOf = memoizeByObject((_by: RemoteConversion) => new WeakMap<Entry, Map<string, Conversion>>());

interface Conversion {
  readonly done: Promise<Failure | undefined>;
  object: ApiObject | undefined;
}

/** Entries in one review. */
const batchSize = 500;

/** Concurrent entries of one list, so that the server and the webhook do not drown in reviews. */
const atOnce = 8 * batchSize;

/**
 * Asks the webhook to convert entries to the version of a resource. Resolves to the reason if it cannot. Returns
 * `undefined` at once if no entry needs it.
 */
export function prepareRemotely(
  resource: ResourceNames & ResourceVersions,
  entries: readonly Entry[],
  remote: RemoteConversion,
): Promise<Failure | undefined> | undefined {
  const { stored, apiVersion } = resource;
  const isCurrent = ({ revision, outdated }: Entry): boolean =>
    resource === stored && (stored.defined ? revision > stored.defined.since : outdated === undefined);
  const others = entries.filter((entry) => !isCurrent(entry) && objectOf(entry).apiVersion !== apiVersion);
  return others.length === 0 ? undefined : prepareAll(remote, apiVersion, others);
}

async function prepareAll(
  remote: RemoteConversion,
  apiVersion: string,
  entries: readonly Entry[],
): Promise<Failure | undefined> {
  for (let at = 0; at < entries.length; at += atOnce) {
    const failure = await prepareSome(remote, apiVersion, entries.slice(at, at + atOnce));
    if (failure) return failure;
  }
  return undefined;
}

async function prepareSome(
  remote: RemoteConversion,
  apiVersion: string,
  entries: readonly Entry[],
): Promise<Failure | undefined> {
  const under = entries.flatMap((entry) => conversionOf(remote, apiVersion, entry)?.done ?? []);
  const fresh = entries.filter((entry) => conversionOf(remote, apiVersion, entry) === undefined);
  for (let at = 0; at < fresh.length; at += batchSize) {
    under.push(convertBatch(remote, apiVersion, fresh.slice(at, at + batchSize)));
  }
  return (await Promise.all(under)).find((failure) => failure !== undefined);
}

function conversionOf(remote: RemoteConversion, apiVersion: string, entry: Entry): Conversion | undefined {
  return conversionsOf(remote).get(entry)?.get(apiVersion);
}

function convertBatch(
  remote: RemoteConversion,
  apiVersion: string,
  entries: readonly Entry[],
): Promise<Failure | undefined> {
  const known = conversionsOf(remote);
  const conversions: Conversion[] = [];
  const done = remote.convert(entries.map(objectOf), apiVersion).then((result) => {
    // The next reader retries a failed conversion.
    if (!result.ok) for (const entry of entries) known.get(entry)?.delete(apiVersion);
    else for (const [i, object] of result.value.entries()) keep(conversions[i], object);
    return result.ok ? undefined : result.failure;
  });
  for (const entry of entries) {
    const conversion: Conversion = { done, object: undefined };
    conversions.push(conversion);
    const versions = known.get(entry) ?? new Map<string, Conversion>();
    known.set(entry, versions.set(apiVersion, conversion));
  }
  return done;
}

function keep(conversion: Conversion | undefined, object: JsonObject): void {
  if (conversion && isApiObject(object)) conversion.object = object;
}

/**
 * Returns a fresh copy of an entry's object as the webhook converted it; `undefined` if it was not prepared in this
 * version.
 */
export function preparedObject(resource: ResourceNames & ResourceVersions, entry: Entry): ApiObject | undefined {
  const remote = resource.stored.remote;
  const object = remote && conversionOf(remote, resource.apiVersion, entry)?.object;
  return object && clone(object);
}
