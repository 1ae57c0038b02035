/** The keywords that the root of a schema may have where there is a status subresource. */
import { invalidValue, Verbatim } from '../../../../runtime/objects/field-error.js';
import { stringAt } from '../../../../runtime/objects/guards.js';
import { says, schemaAt, valueAt, type WrittenSchema } from '../../../../runtime/schema/structural/index.js';
import type { FieldErrors } from '../../../shared/field-checks.js';

/** Keywords by the names under which they are told. */
const allowed: readonly (readonly [key: string, told: string])[] = [
  ['description', 'Description'],
  ['type', 'Type'],
  ['format', 'Format'],
  ['title', 'Title'],
  ['maximum', 'Maximum'],
  ['exclusiveMaximum', 'ExclusiveMaximum'],
  ['minimum', 'Minimum'],
  ['exclusiveMinimum', 'ExclusiveMinimum'],
  ['maxLength', 'MaxLength'],
  ['minLength', 'MinLength'],
  ['pattern', 'Pattern'],
  ['maxItems', 'MaxItems'],
  ['minItems', 'MinItems'],
  ['uniqueItems', 'UniqueItems'],
  ['multipleOf', 'MultipleOf'],
  ['required', 'Required'],
  ['items', 'Items'],
  ['properties', 'Properties'],
  ['externalDocs', 'ExternalDocs'],
  ['example', 'Example'],
  ['x-kubernetes-preserve-unknown-fields', 'XPreserveUnknownFields'],
  ['x-kubernetes-validations', 'XValidations'],
];

const allowedKeys = new Set(allowed.map(([key]) => key));

/** Keywords that are looked at before the type is. */
const first = ['id', '$schema', '$ref'];

/** The first thing that the root of a schema may not say. */
export function* rootWithStatusErrors(root: WrittenSchema, path: string): FieldErrors {
  const type = stringAt(root, 'type');
  const isOdd = first.some((key) => says(root, key));
  if (!isOdd && type !== '' && type !== 'object') {
    const rule = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    yield invalidValue(`${path}.type`, type, rule);
    return;
  }
  const extra = Object.keys(root).filter((key) => !allowedKeys.has(key) && isSaid(root, key));
  if (extra.length === 0) return;
  const names = allowed.map(([, told]) => told).join(' ');
  const rule = `only [${names}] fields are allowed at the root of the schema if the status subresource is enabled`;
  yield invalidValue(path, new Verbatim(`apiextensions.JSONSchemaProps{${extra.join(', ')}}`), rule);
}

function isSaid(root: WrittenSchema, key: string): boolean {
  const members = schemaAt(root, key);
  if (members !== undefined && ['patternProperties', 'definitions'].includes(key))
    return Object.keys(members).length > 0;
  return valueAt(root, key) !== undefined && says(root, key);
}
