/** What the spec of a definition has to say. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { dns1035Label, dns1123Subdomain } from '../../../runtime/objects/dns-names.js';
import { invalidValue, required, Verbatim } from '../../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { checkRequiredChoice, type FieldErrors } from '../../shared/field-checks.js';
import { isTrueAt, objectsAt } from '../../shared/reading.js';
import { columnErrors } from './columns.js';
import { type PartedVersions, partVersions } from './common-parts.js';
import { conversionErrors } from './conversion.js';
import { deprecationWarningErrors } from './deprecation-warning.js';
import { missingNameErrors, nameErrors } from './names.js';
import type { Ratchets } from './ratchets.js';
import type { Expressions } from './schema/expressions.js';
import { type SchemaCheck, schemaErrors } from './schema/version-schema.js';
import { selectableFieldErrors } from './selectable-fields.js';
import { hasStatus, subresourceErrors } from './subresources.js';
import { versionsSource } from './version-source.js';

/** What is known when a spec is checked. */
export interface SpecCheck {
  readonly ratchets: Ratchets;
  readonly expressions: Expressions;
}

/** What is wrong with a spec, in the order in which clients are told. */
export function* specErrors(spec: JsonObject, { ratchets, expressions }: SpecCheck): FieldErrors {
  const parted = partVersions(spec);
  const whole = objectsAt(spec, 'versions');
  const prunes = !isTrueAt(spec, 'preserveUnknownFields');
  const asked = prunes ? { ...ratchets.schema, requireStructure: true } : ratchets.schema;
  const checkOf = (versions: readonly JsonObject[]): SchemaCheck => {
    const requireCheapRules = !versions.every(ratchets.keepsSchema);
    return { ratchets: { ...asked, requireCheapRules }, expressions };
  };
  const names = objectAt(spec, 'names') ?? {};
  yield* groupErrors(stringAt(spec, 'group'));
  yield* checkRequiredChoice(spec, 'scope', 'spec', ['Cluster', 'Namespaced']);
  yield* missingSchemaErrors(parted, ratchets.requireSchemas, prunes);
  for (const [i, version] of parted.versions.entries()) {
    const path = `spec.versions[${i}]`;
    yield* versionNameErrors(stringAt(version, 'name'), `${path}.name`);
    yield* deprecationWarningErrors(version, path);
    yield* schemaErrors(
      objectAt(version, 'schema'),
      `${path}.schema`,
      hasStatus(whole[i]),
      checkOf(whole.slice(i, i + 1)),
    );
    yield* subresourceErrors(version, path);
    yield* columnErrors(version, path);
    if (Object.hasOwn(version, 'selectableFields')) yield* selectableFieldErrors(whole[i] ?? {}, path);
  }
  yield* versionsErrors(parted.versions);
  yield* versionNameErrors(stringAt(parted.versions[0], 'name'), 'spec.version', true);
  yield* missingNameErrors(names, 'spec.names');
  yield* nameErrors(names, 'spec.names');
  const anyStatus = whole.some(hasStatus);
  yield* schemaErrors(objectAt(parted.common, 'schema'), 'spec.validation', anyStatus, checkOf(whole));
  yield* subresourceErrors(parted.common, 'spec');
  yield* columnErrors(parted.common, 'spec');
  if (Object.hasOwn(parted.common, 'selectableFields')) yield* selectableFieldErrors(whole[0] ?? {}, 'spec');
  if (!prunes && stringAt(objectAt(spec, 'conversion'), 'strategy') === 'Webhook') {
    yield invalidValue('spec.conversion.strategy', 'Webhook', 'must be None if spec.preserveUnknownFields is true');
  }
  yield* conversionErrors(spec, ratchets);
}

function* groupErrors(group: string): FieldErrors {
  if (group === '') {
    yield required('spec.group');
    return;
  }
  const problems = dns1123Subdomain(group);
  if (problems.length > 0) yield invalidValue('spec.group', group, problems.join(','));
  else if (!group.includes('.')) yield invalidValue('spec.group', group, 'should be a domain with at least one dot');
}

function* missingSchemaErrors({ common, versions }: PartedVersions, all: boolean, prunes: boolean): FieldErrors {
  if (hasSchema(common) || (!all && !prunes)) return;
  for (const [i, version] of versions.entries()) {
    if (hasSchema(version) || (!all && !isTrueAt(version, 'served'))) continue;
    const rule = all ? 'schemas are required' : 'because otherwise all fields are pruned';
    yield required(`spec.versions[${i}].schema.openAPIV3Schema`, rule);
  }
}

function hasSchema(holder: JsonObject): boolean {
  return objectAt(objectAt(holder, 'schema'), 'openAPIV3Schema') !== undefined;
}

function* versionNameErrors(name: string, path: string, mayBeAbsent = false): FieldErrors {
  const problems = mayBeAbsent && name === '' ? [] : dns1035Label(name);
  if (problems.length > 0) yield invalidValue(path, name, problems.join(','));
}

function* versionsErrors(versions: readonly JsonObject[]): FieldErrors {
  const names = new Set(versions.map((version) => stringAt(version, 'name')));
  const stored = versions.filter((version) => isTrueAt(version, 'storage'));
  const say = (rule: string) => invalidValue('spec.versions', new Verbatim(versionsSource(versions)), rule);
  if (names.size < versions.length) yield say('must contain unique version names');
  if (stored.length !== 1) yield say('must have exactly one version marked as storage version');
}
