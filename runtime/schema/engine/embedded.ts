/** Whole objects inside other objects (`x-kubernetes-embedded-resource`). */
import type { FieldError, JsonObject, TypeMismatch } from '../../contract/index.js';
import { invalidValue, required } from '../../objects/field-error.js';
import { isObject, isStringArray, isStringMap } from '../../objects/guards.js';
import { groupVersionProblem, parseGroupVersion } from '../../objects/gvk.js';
import { validateAnnotations, validateFinalizers, validateLabels } from '../../objects/metadata-rules.js';
import { dns1035Label, dns1123Label } from '../../objects/names/dns-names.js';
import type { NameCheck } from '../../objects/names/name-patterns.js';
import { generateNameStem, pathSegment } from '../../objects/names/names.js';
import type { Findings } from './findings.js';
import { below } from './unknown-fields.js';
import type { Value } from './value.js';

const empty = 'must not be empty';

/** Checks what an embedded object must have: apiVersion, kind, and metadata that could be an object's. */
export function checkEmbedded(value: Value, path: string, errors: Findings): void {
  if (!isObject(value)) return;
  const { apiVersion, kind, metadata } = value;
  if (apiVersion === undefined) errors.push(required(below(path, 'apiVersion'), empty));
  if (kind === undefined) errors.push(required(below(path, 'kind'), empty));
  if (typeof apiVersion === 'string') checkApiVersion(apiVersion, below(path, 'apiVersion'), errors);
  if (typeof kind === 'string') checkKind(kind, below(path, 'kind'), errors);
  if (isObject(metadata)) checkMetadata(metadata, below(path, 'metadata'), errors);
}

function checkApiVersion(apiVersion: string, path: string, errors: Findings): void {
  if (apiVersion === '') errors.push(invalidValue(path, apiVersion, empty));
  else if (!parseGroupVersion(apiVersion)) errors.push(invalidValue(path, apiVersion, groupVersionProblem(apiVersion)));
}

function checkKind(kind: string, path: string, errors: Findings): void {
  if (kind === '') errors.push(invalidValue(path, kind, empty));
  const problems = kind === '' ? [] : dns1035Label(kind.toLowerCase());
  if (problems.length === 0) return;
  const detail = `may have mixed case, but should otherwise match: ${problems.join(',')}`;
  errors.push(invalidValue(path, kind, detail));
}

function checkMetadata(metadata: JsonObject, path: string, errors: Findings): void {
  const { name, generateName, namespace, labels, annotations, finalizers } = metadata;
  const names: [field: string, value: Value, check: NameCheck][] = [
    ['generateName', generateName, (text) => pathSegment(generateNameStem(text))],
    ['name', name, pathSegment],
    ['namespace', namespace, dns1123Label],
  ];
  for (const [field, value, check] of names) {
    if (typeof value !== 'string' || value === '') continue;
    for (const problem of check(value)) errors.push(invalidValue(`${path}.${field}`, value, problem));
  }
  const maps: FieldError[] = [];
  if (isStringMap(labels)) maps.push(...validateLabels(labels, `${path}.labels`));
  if (isStringMap(annotations)) maps.push(...validateAnnotations(annotations, `${path}.annotations`));
  if (isStringArray(finalizers)) maps.push(...validateFinalizers(finalizers, `${path}.finalizers`));
  for (const error of maps) errors.push(error);
}

/** Reads the metadata of an object in place. */
type MetadataReader = (metadata: JsonObject) => TypeMismatch | undefined;

/**
 * Brings the head of an embedded object into canonical form. Answers what cannot be read: an apiVersion or kind that
 * is no text, metadata of the wrong type.
 */
export function readEmbedded(value: Value, path: string, readMetadata: MetadataReader): TypeMismatch | undefined {
  if (!isObject(value)) return undefined;
  for (const field of ['apiVersion', 'kind'] as const) {
    const found = value[field];
    if (found === undefined || typeof found === 'string') continue;
    return invalidHead(`${path}.${field}`, found, 'must be a string');
  }
  const { metadata } = value;
  if (metadata === undefined) return undefined;
  if (metadata === null) value.metadata = {};
  else if (!isObject(metadata)) return invalidHead(`${path}.metadata`, metadata, wholeMismatch(metadata));
  else return metadataMismatch(metadata, path, readMetadata);
  return undefined;
}

function metadataMismatch(metadata: JsonObject, path: string, read: MetadataReader): TypeMismatch | undefined {
  const wrong = read(metadata);
  return wrong === undefined ? undefined : invalidHead(`${path}.metadata`, metadata, wrong.message);
}

function wholeMismatch(value: Value): string {
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${found === 'bigint' ? 'number' : found} into Go value of type v1.ObjectMeta`;
}

function invalidHead(field: string, value: Value, detail: string): TypeMismatch {
  const { message } = invalidValue(field, value, detail);
  return { field, found: typeof value, wanted: 'string', message: `${field}: ${message}` };
}
