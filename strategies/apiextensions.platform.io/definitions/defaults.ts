/** What a definition is given where it does not say. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { textsAt } from '../../shared/reading.js';
import { storageVersion } from './stored-versions.js';

/** Fills in names, conversion and stored versions. */
export function applyDefinitionDefaults(definition: JsonObject): void {
  const spec = objectAt(definition, 'spec');
  const names = objectAt(spec, 'names');
  if (spec !== undefined && objectAt(spec, 'conversion') === undefined) spec.conversion = { strategy: 'None' };
  if (names !== undefined) nameDefaults(names);
  const status = objectAt(definition, 'status');
  const version = storageVersion(spec);
  if (status === undefined || version === undefined || textsAt(status, 'storedVersions').length > 0) return;
  status.storedVersions = [version];
}

function nameDefaults(names: JsonObject): void {
  const kind = stringAt(names, 'kind');
  if (kind === '') return;
  if (stringAt(names, 'singular') === '') names.singular = kind.toLowerCase();
  if (stringAt(names, 'listKind') === '') names.listKind = `${kind}List`;
}
