/** The versions in which objects of a definition are stored, and selectable fields. */

import { type FieldPath, fieldPathIn } from '../../../runtime/cel/index.js';
import type { Schema } from '../../../runtime/contract/index.js';
import { duplicate, invalidValue, required, tooMany, Verbatim } from '../../../runtime/objects/field-error.js';
import { sourceAsJson } from '../../../runtime/objects/printed-source.js';
import { pointerSource, quote } from '../../../runtime/objects/printing.js';
import { PLAIN, readSchema } from '../../../runtime/schema/read-schema.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import type { Definition, Spec, Version } from '../definition-versions.js';

const path = 'status.storedVersions';

/** Adds the current storage version to the list. */
export function addStoredVersion({ spec, status }: Definition): void {
  const version = storageVersion(spec);
  if (version === undefined || status === undefined) return;
  const stored = status.storedVersions ?? [];
  if (!stored.includes(version)) status.storedVersions = [...stored, version];
}

/** Returns the name of the first storage version of a spec. */
export function storageVersion(spec: Spec | undefined): string | undefined {
  const version = spec?.versions?.find(({ storage }) => storage);
  return version && (version.name ?? '');
}

/** A version in which objects are stored must stay in the definition. */
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
      // Later releases print the list.
      const printed = new Verbatim(versionSource(version), JSON.stringify(stored));
      yield invalidValue(path, printed, `must have the storage version ${name}`);
    }
  }
  for (const [name, i] of unknown)
    yield invalidValue(`${path}[${i}]`, name, 'must appear in spec.versions', laterRuleOf(name));
}

/** Prints a list of versions. */
export function printedVersions(versions: readonly Version[]): Verbatim {
  const print = (source: (version: Version) => string): string =>
    `[]apiextensions.CustomResourceDefinitionVersion{${versions.map(source).join(', ')}}`;
  return new Verbatim(print(versionSource), sourceAsJson(print(laterSource)));
}

/** Prints one version without the shared parts. */
const versionSource = (version: Version): string =>
  structOf(version, pointerSource('string', version.deprecationWarning !== undefined));

/** Prints one version with the field that later releases have. They print the values of pointers. */
function laterSource(version: Version): string {
  const { deprecationWarning: warning, selectableFields: fields = [] } = version;
  const paths = fields.map(({ jsonPath = '' }) => `apiextensions.SelectableField{JSONPath:${quote(jsonPath)}}`);
  const list = fields.length === 0 ? '(nil)' : `{${paths.join(', ')}}`;
  const deprecation = warning === undefined ? pointerSource('string', false) : quote(warning);
  return structOf(version, deprecation, `SelectableFields:[]apiextensions.SelectableField${list}`);
}

function structOf(version: Version, deprecation: string, ...more: readonly string[]): string {
  const { name = '', served = false, storage = false, deprecated = false } = version;
  const fields = [
    `Name:${quote(name)}`,
    `Served:${served}`,
    `Storage:${storage}`,
    `Deprecated:${deprecated}`,
    `DeprecationWarning:${deprecation}`,
    `Schema:${pointerSource('apiextensions.CustomResourceValidation', version.schema !== undefined)}`,
    `Subresources:${pointerSource('apiextensions.CustomResourceSubresources', version.subresources !== undefined)}`,
    `AdditionalPrinterColumns:${columnsSource(version)}`,
    ...more,
  ];
  return `apiextensions.CustomResourceDefinitionVersion{${fields.join(', ')}}`;
}

type Column = NonNullable<Version['additionalPrinterColumns']>[number];

function columnsSource({ additionalPrinterColumns: columns = [] }: Version): string {
  const type = '[]apiextensions.CustomResourceColumnDefinition';
  return columns.length === 0 ? `${type}(nil)` : `${type}{${columns.map(columnSource).join(', ')}}`;
}

function columnSource(column: Column): string {
  const { name = '', type = '', format = '', description = '', priority = 0, jsonPath = '' } = column;
  const texts = [`Name:${quote(name)}`, `Type:${quote(type)}`, `Format:${quote(format)}`];
  const fields = [...texts, `Description:${quote(description)}`, `Priority:${priority}`, `JSONPath:${quote(jsonPath)}`];
  return `apiextensions.CustomResourceColumnDefinition{${fields.join(', ')}}`;
}

const maxFields = 8;
const selectable = ['string', 'integer', 'boolean'];

/** Checks the selectable fields of one version, or the shared ones; `path` is the path of their parent. */
export function* selectableFieldErrors(
  { selectableFields: fields = [], schema: holder }: Version,
  path: string,
): FieldErrors {
  if (fields.length === 0) return;
  const root = holder?.openAPIV3Schema;
  if (root === undefined) {
    yield invalidValue(`${path}.selectableFields`, '', 'may only be set where the version has a schema');
    return;
  }
  const schema = readSchema(root, PLAIN);
  const seen = new Set<string>();
  for (const [i, { jsonPath = '' }] of fields.entries()) {
    yield* oneErrors(jsonPath, schema, `${path}.selectableFields[${i}].jsonPath`, seen);
  }
  if (seen.size > maxFields) yield tooMany(`${path}.selectableFields`, seen.size, maxFields);
}

function* oneErrors(text: string, schema: Schema, path: string, seen: Set<string>): FieldErrors {
  if (text === '') {
    yield required(path);
    return;
  }
  const found = plainPathIn(schema, text);
  if (!found.ok) {
    yield invalidValue(path, text, `is an invalid path: ${found.problem}`);
    return;
  }
  if (/^metadata(?![^.[])/.test(found.path)) yield invalidValue(path, text, 'must not point to fields in metadata');
  if (!selectable.includes(found.schema.type ?? '')) {
    const rule = 'must point to a field of type string, boolean or integer';
    yield invalidValue(path, text, `${rule}. Enum string fields and strings with formats are allowed.`);
  }
  if (seen.has(found.path)) yield duplicate(path, text);
  seen.add(found.path);
}

/** Reads a path of names, each after a dot. */
function plainPathIn(schema: Schema, text: string): FieldPath {
  return text.includes('[') ? { ok: false, problem: 'array notation is not allowed' } : fieldPathIn(schema, text);
}

/** Returns the rule about a stored version that is not in the spec, as later releases word it. */
const laterRuleOf = (name: string): string =>
  `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a ` +
  `storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
