/** The fields by which objects of a definition can be selected. */
import { type FieldPath, fieldPathIn } from '../../../runtime/cel/index.js';
import type { Schema } from '../../../runtime/contract/index.js';
import { duplicate, invalidValue, required, tooMany } from '../../../runtime/objects/field-error.js';
import { PLAIN, readSchema } from '../../../runtime/schema/read-schema.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import type { Version } from './definition.js';

const maxFields = 8;
const selectable = ['string', 'integer', 'boolean'];

/** Errors of the selectable fields of a version, or of all versions; `path` is that of their parent. */
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

/** A path of names after dots. */
function plainPathIn(schema: Schema, text: string): FieldPath {
  return text.includes('[') ? { ok: false, problem: 'array notation is not allowed' } : fieldPathIn(schema, text);
}
