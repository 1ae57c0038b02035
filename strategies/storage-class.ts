/** StorageClass: bounds of its parameters, places, and what cannot be changed. */
import type { ApiObject, FieldError, JsonObject, Strategy } from '../runtime/contract/index.js';
import { equal } from '../runtime/objects/equality.js';
import { duplicate, forbidden, invalidValue, required, tooLong } from '../runtime/objects/field-error.js';
import { getOwn, isString, objectAt, stringAt } from '../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../runtime/objects/key-names.js';
import { byteLength } from '../runtime/objects/printing.js';
import { checkText, type FieldErrors, firstErrors, objectsAt, textsAt } from './parts/field-checks.js';

const maxParameters = 512;
const maxParameterBytes = 256 * 1024;
/** Fields that say how volumes that exist have been made; in the order in which a change of them is refused. */
const fixed = ['parameters', 'provisioner', 'reclaimPolicy'] as const;

export function defineStorageClassStrategy(): Strategy {
  return {
    kind: 'storage.platform.io/StorageClass',
    validate: (object) => [
      ...provisionerErrors(object),
      ...parameterErrors(object),
      ...firstErrors(checkTopologies(object)),
    ],
    validateUpdate: (object, old) =>
      fixed
        .filter((field) => !equal(getOwn(object, field), getOwn(old, field)))
        .map((field) => forbidden(field, `updates to ${field} are forbidden.`)),
    cell: (object, column) => (column === 'AllowVolumeExpansion' ? object.allowVolumeExpansion === true : undefined),
  };
}

/** A mistaken name is told in lower case, in which names are compared. */
function provisionerErrors(object: ApiObject): readonly FieldError[] {
  const name = stringAt(object, 'provisioner').toLowerCase();
  return name === '' ? [] : firstErrors(checkText('provisioner', name, qualifiedNameCheck));
}

function parameterErrors(object: ApiObject): FieldError[] {
  const entries = Object.entries(objectAt(object, 'parameters') ?? {});
  if (entries.length > maxParameters) return [tooLong('parameters', maxParameters)];
  const bytes = entries.reduce(
    (sum, [key, value]) => sum + byteLength(key) + (isString(value) ? byteLength(value) : 0),
    0,
  );
  return [
    ...entries.flatMap(([key]) => (key === '' ? [invalidValue('parameters', key, 'field can not be empty.')] : [])),
    ...(bytes > maxParameterBytes ? [tooLong('parameters', maxParameterBytes)] : []),
  ];
}

function* checkTopologies(object: ApiObject): FieldErrors {
  const seen = new Set<string>();
  for (const [i, term] of objectsAt(object, 'allowedTopologies').entries()) {
    const path = `allowedTopologies[${i}].matchLabelExpressions`;
    yield* checkTerm(term, path);
    const same = canonicalTerm(term);
    if (seen.has(same)) yield duplicate(path, '');
    seen.add(same);
  }
}

function* checkTerm(term: JsonObject, path: string): FieldErrors {
  const keys = new Set<string>();
  for (const [i, label] of objectsAt(term, 'matchLabelExpressions').entries()) {
    const key = stringAt(label, 'key');
    const values = textsAt(label, 'values');
    if (values.length === 0) yield required(`${path}[${i}].values`);
    for (const [at, value] of values.entries()) {
      if (values.indexOf(value) < at) yield duplicate(`${path}[${i}].values[${at}]`, value);
    }
    yield* checkText(`${path}[${i}].key`, key, qualifiedNameCheck);
    if (keys.has(key)) yield duplicate(`${path}[${i}].key`, key);
    keys.add(key);
  }
}

/** The same text for terms that mean the same. */
function canonicalTerm(term: JsonObject): string {
  const labels = objectsAt(term, 'matchLabelExpressions').map((label) => [
    stringAt(label, 'key'),
    ...[...new Set(textsAt(label, 'values'))].sort(),
  ]);
  return JSON.stringify(labels.map((label) => JSON.stringify(label)).sort());
}
