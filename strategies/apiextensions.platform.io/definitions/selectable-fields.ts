/** By which fields a definition may have its objects selected. */
import { type FieldPath, fieldPathIn } from '../../../runtime/cel/index.js';
import type { JsonObject, Schema } from '../../../runtime/contract/index.js';
import { duplicate, invalidValue, required, tooMany } from '../../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { PLAIN, readSchema } from '../../../runtime/schema/reading/read-schema.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import { objectsAt } from '../../shared/reading.js';

const maxFields = 8;
const selectable = ['string', 'integer', 'boolean'];

/** What is wrong with the selectable fields of a version; `path` is that of what they are told as a part of. */
export function* selectableFieldErrors(version: JsonObject, path: string): FieldErrors {
  const fields = objectsAt(version, 'selectableFields');
  if (fields.length === 0) return;
  const root = objectAt(objectAt(version, 'schema'), 'openAPIV3Schema');
  if (root === undefined) {
    yield invalidValue(`${path}.selectableFields`, '', 'may only be set where the version has a schema');
    return;
  }
  const schema = readSchema(root, PLAIN);
  const seen = new Set<string>();
  for (const [i, field] of fields.entries()) {
    yield* oneErrors(stringAt(field, 'jsonPath'), schema, `${path}.selectableFields[${i}].jsonPath`, seen);
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

/** A path of names after dots. */
function plainPathIn(schema: Schema, text: string): FieldPath {
  return text.includes('[') ? { ok: false, problem: 'array notation is not allowed' } : fieldPathIn(schema, text);
}
