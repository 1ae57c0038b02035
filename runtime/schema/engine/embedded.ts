/** Whole objects inside other objects (`x-kubernetes-embedded-resource`). */
import type { FieldError, JsonObject, TypeMismatch } from '../../contract/index.js';
import { invalidValue, required } from '../../objects/field-error.js';
import { isObject, isStringArray, isStringMap } from '../../objects/guards.js';
import { validateAnnotations, validateFinalizers, validateLabels } from '../../objects/names/metadata-rules.js';
import { dns1035Label, dns1123Label, type NameCheck } from '../../objects/names/name-checks.js';
import { generateNameStem, groupVersionProblem, parseGroupVersion, pathSegment } from '../../objects/names/names.js';
import { below } from './fields.js';
import type { Findings, Path } from './findings.js';
import type { Value } from './value.js';

const empty = 'must not be empty';

/** Reports an error at a field of an embedded object; `names` is the path inside the object. */
type Report = (error: FieldError, ...names: string[]) => void;

/** Checks that an embedded object has an apiVersion, a kind, and valid metadata. */
export function checkEmbedded(value: Value, at: Path, errors: Findings): void {
  if (!isObject(value)) return;
  const report: Report = (error, ...names) => errors.push(error, [...at.place(), ...names]);
  const path = at.toString();
  const { apiVersion, kind, metadata } = value;
  if (apiVersion === undefined) report(required(below(path, 'apiVersion'), empty, ''), 'apiVersion');
  if (kind === undefined) report(required(below(path, 'kind'), empty, ''), 'kind');
  if (typeof apiVersion === 'string') checkApiVersion(apiVersion, below(path, 'apiVersion'), report);
  if (typeof kind === 'string') checkKind(kind, below(path, 'kind'), report);
  if (isObject(metadata)) checkMetadata(metadata, below(path, 'metadata'), report);
}

function checkApiVersion(apiVersion: string, path: string, report: Report): void {
  const problem = apiVersion === '' ? empty : parseGroupVersion(apiVersion) ? '' : groupVersionProblem(apiVersion);
  if (problem !== '') report(invalidValue(path, apiVersion, problem), 'apiVersion');
}

function checkKind(kind: string, path: string, report: Report): void {
  if (kind === '') report(invalidValue(path, kind, empty), 'kind');
  const problems = kind === '' ? [] : dns1035Label(kind.toLowerCase());
  if (problems.length === 0) return;
  const detail = `may have mixed case, but should otherwise match: ${problems.join(',')}`;
  report(invalidValue(path, kind, detail), 'kind');
}

function checkMetadata(metadata: JsonObject, path: string, report: Report): void {
  const { name, generateName, namespace, labels, annotations, finalizers } = metadata;
  const names: [field: string, value: Value, check: NameCheck][] = [
    ['generateName', generateName, (text) => pathSegment(generateNameStem(text))],
    ['name', name, pathSegment],
    ['namespace', namespace, dns1123Label],
  ];
  const reportAll = (field: string, errors: readonly FieldError[]): void => {
    for (const error of errors) report(error, 'metadata', field);
  };
  for (const [field, value, check] of names) {
    if (typeof value !== 'string' || value === '') continue;
    const at = `${path}.${field}`;
    reportAll(
      field,
      check(value).map((problem) => invalidValue(at, value, problem)),
    );
  }
  if (isStringMap(labels)) reportAll('labels', validateLabels(labels, `${path}.labels`));
  if (isStringMap(annotations)) reportAll('annotations', validateAnnotations(annotations, `${path}.annotations`));
  if (isStringArray(finalizers)) reportAll('finalizers', validateFinalizers(finalizers, `${path}.finalizers`));
}

/** Reads the metadata of an object in place. */
type MetadataReader = (metadata: JsonObject) => TypeMismatch | undefined;

/**
 * Brings the head of an embedded object into canonical form. Returns a mismatch if apiVersion or kind is not a string,
 * or if metadata has the wrong type.
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
