/** The versions that objects of a definition are stored in. */
import { invalidValue, Verbatim } from '../../../runtime/objects/field-error.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import type { Definition, Spec, Version } from './definition.js';
import { versionSource } from './version-source.js';

const path = 'status.storedVersions';

/** Adds the version that objects are stored in from now on, unless it is there. */
export function addStoredVersion({ spec, status }: Definition): void {
  const version = storageVersion(spec);
  if (version === undefined || status === undefined) return;
  const stored = status.storedVersions ?? [];
  if (!stored.includes(version)) status.storedVersions = [...stored, version];
}

/** The name of the first version of a spec that is the storage version. */
export function storageVersion(spec: Spec | undefined): string | undefined {
  const version = spec?.versions?.find(({ storage }) => storage);
  return version && (version.name ?? '');
}

/** Versions in which objects are stored have to stay in the definition. */
export function* storedVersionErrors(
  { status }: Pick<Definition, 'status'>,
  versions: readonly Version[],
): FieldErrors {
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0) {
    yield invalidValue(path, new Verbatim('[]string(nil)'), 'must have at least one stored version');
    return;
  }
  const unknown = new Map(stored.map((name, i) => [name, i]));
  for (const version of versions) {
    const { name = '', storage } = version;
    const isKnown = unknown.delete(name) || stored.includes(name);
    if (!isKnown && storage) {
      yield invalidValue(path, new Verbatim(versionSource(version)), `must have the storage version ${name}`);
    }
  }
  for (const [name, i] of unknown) yield invalidValue(`${path}[${i}]`, name, 'must appear in spec.versions');
}
