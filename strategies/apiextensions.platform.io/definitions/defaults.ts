/** The defaults of a definition. */
import type { Definition, Names } from './definition.js';
import { storageVersion } from './stored-versions.js';

/** Fills in names, conversion and stored versions. */
export function applyDefinitionDefaults({ spec, status }: Definition): void {
  if (spec !== undefined) spec.conversion ??= { strategy: 'None' };
  if (spec?.names !== undefined) nameDefaults(spec.names);
  const version = storageVersion(spec);
  if (status === undefined || version === undefined || status.storedVersions?.length) return;
  status.storedVersions = [version];
}

function nameDefaults(names: Names): void {
  const { kind } = names;
  if (!kind) return;
  names.singular ||= kind.toLowerCase();
  names.listKind ||= `${kind}List`;
}
