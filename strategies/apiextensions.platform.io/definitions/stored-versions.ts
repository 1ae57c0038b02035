/** Which versions a definition says that objects are stored in. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { invalidValue, Verbatim } from '../../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import { isTrueAt, objectsAt, textsAt } from '../../shared/reading.js';
import { versionSource } from './version-source.js';

const path = 'status.storedVersions';

/** Adds the version that objects are stored in from now on, unless it is there. */
export function addStoredVersion(definition: JsonObject): void {
  const version = storageVersion(objectAt(definition, 'spec'));
  const status = objectAt(definition, 'status');
  if (version === undefined || status === undefined) return;
  const stored = textsAt(status, 'storedVersions');
  if (!stored.includes(version)) status.storedVersions = [...stored, version];
}

/** The version that a spec has its objects stored in: the first that says so. */
export function storageVersion(spec: JsonObject | undefined): string | undefined {
  const version = objectsAt(spec, 'versions').find((one) => isTrueAt(one, 'storage'));
  return version && stringAt(version, 'name');
}

/** Versions in which objects are stored have to stay in the definition. */
export function* storedVersionErrors(definition: JsonObject, versions: readonly JsonObject[]): FieldErrors {
  const stored = textsAt(objectAt(definition, 'status'), 'storedVersions');
  if (stored.length === 0) {
    yield invalidValue(path, new Verbatim('[]string(nil)'), 'must have at least one stored version');
    return;
  }
  const unknown = new Map(stored.map((name, i) => [name, i]));
  for (const version of versions) {
    const name = stringAt(version, 'name');
    const isKnown = unknown.delete(name) || stored.includes(name);
    if (!isKnown && isTrueAt(version, 'storage')) {
      yield invalidValue(path, new Verbatim(versionSource(version)), `must have the storage version ${name}`);
    }
  }
  for (const [name, i] of unknown) yield invalidValue(`${path}[${i}]`, name, 'must appear in spec.versions');
}
