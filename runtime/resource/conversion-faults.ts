/** Tells why an object cannot be had in another version: expressions of conversions may fail for a value. */
import type { ApiObject, ConversionReport, Entry, Failure, JsonObject } from '../contract/index.js';
import { invalidValue } from '../objects/field-error.js';
import { objectAt, stringAt } from '../objects/guards.js';
import { invalid } from '../objects/status.js';
import { prepareRemotely } from './remote-versions.js';
import type { ResourceNames, ResourceVersions, ServedResource } from './served-resource.js';
import { objectOf } from './stored-object.js';
import { convertBetween, readAs } from './versions.js';

/** A value that could not be converted: the place that it would have had, and why. */
interface Fault {
  readonly place: string;
  readonly problem: string;
}

/** Does something that converts; returns what was reported meanwhile. */
function faultsOf(convert: (report: ConversionReport) => void): readonly Fault[] {
  const faults: Fault[] = [];
  convert((place, problem) => faults.push({ place, problem }));
  return faults;
}

/** Puts faults in the words of a refusal; `apiVersion` is the version that the object cannot have. */
function refusal(
  { module, stored }: ResourceNames & ResourceVersions,
  object: JsonObject,
  apiVersion: string,
  faults: readonly Fault[],
): Failure {
  const name = stringAt(objectAt(object, 'metadata'), 'name');
  const errors = faults.map(({ place, problem }) => {
    const said = `cannot be converted to ${apiVersion}: ${problem}`;
    return { ...invalidValue(place, null, said), message: said };
  });
  return invalid(stored.module.group, module.names.kind, name, errors);
}

/** The refusal of an object that cannot be brought from one version to another; nothing is kept of the result. */
export function conversionFailure(from: ServedResource, to: ServedResource, object: JsonObject): Failure | undefined {
  const faults = faultsOf((report) => convertBetween(from, to, object, report));
  return faults.length === 0 ? undefined : refusal(to, object, to.apiVersion, faults);
}

/**
 * The refusal of an object that is to be stored and that some version could not show. Whatever is stored can be read in
 * every version by that, unless its definition has changed.
 */
export function unreadableVersion(resource: ServedResource, object: ApiObject): Failure | undefined {
  const { stored } = resource;
  for (const version of stored.fallible) {
    const failure = conversionFailure(resource, version, object);
    if (failure) return failure;
  }
  return undefined;
}

/** Entries that were found to be readable, by version. */
const readable = new WeakMap<Entry, Set<ServedResource>>();

/** The refusal to show entries in the version of a resource, in which one of them cannot be had. */
export function unreadableEntry(resource: ServedResource, entries: readonly Entry[]): Failure | undefined {
  const { fallible } = resource.stored;
  if (fallible.length === 0) return undefined;
  const mayFail = resource.conversion?.mayFail === true;
  for (const entry of entries) {
    if (!mayFail && entry.outdated === undefined) continue;
    const known = readable.get(entry) ?? new Set();
    if (known.has(resource)) continue;
    const faults = faultsOf((report) => readAs(resource, entry, report));
    if (faults.length > 0) return refusal(resource, objectOf(entry), resource.apiVersion, faults);
    readable.set(entry, known.add(resource));
  }
  return undefined;
}

// Sees to it that entries can be read in a version, before they are: reading itself neither waits nor fails.

/**
 * Resolves to why entries cannot be read in the version of a resource. Nothing, at once, where nobody has to be asked
 * and all can.
 */
export function prepareToRead(
  resource: ServedResource,
  entries: readonly Entry[],
): Promise<Failure | undefined> | undefined {
  const { remote } = resource.stored;
  if (remote) return prepareRemotely(resource, entries, remote);
  const failure = unreadableEntry(resource, entries);
  return failure && Promise.resolve(failure);
}
