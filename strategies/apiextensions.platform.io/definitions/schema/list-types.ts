/** How lists and maps may be merged, and by which keys items of lists are told apart, in the words of field errors. */
import type { FieldError } from '../../../../runtime/contract/index.js';
import {
  forbidden,
  invalidValue,
  notSupported,
  required,
  stringList,
} from '../../../../runtime/objects/field-error.js';
import {
  type Finding,
  fieldPath,
  keyFindings,
  keysOf,
  type ListRule,
  listFindings,
  listType,
  mapKeys,
  type WrittenSchema,
} from '../../../../runtime/schema/structural/index.js';
import type { FieldErrors } from '../../../shared/field-checks.js';
import type { SchemaNode } from './node.js';

const isKey = `this property is in ${mapKeys}, so it`;
const ofKeyed = `if parent array's ${listType} is map`;

/** The rule in words, for rules whose error depends on whether there is a value. */
const words: Readonly<Partial<Record<ListRule, string>>> = {
  'map-type-elsewhere': 'must be object if x-kubernetes-map-type is specified',
  'list-type-elsewhere': `must be array if ${listType} is specified`,
  'keys-elsewhere': `must be map if ${mapKeys} is non-empty`,
  'keys-missing': `must not be empty if ${listType} is map`,
  'keyed-item-type': `must be object ${ofKeyed}`,
  'key-optional': `${isKey} must have a default or be a required property`,
};

/** Errors of how a value is merged. */
export function* listTypeErrors({ schema, path, ratchets }: SchemaNode): FieldErrors {
  for (const finding of listFindings(schema)) {
    if (finding.rule !== 'set-item-not-atomic' || ratchets.requireAtomicSets) yield errorOf(finding, schema, path);
  }
  if (!ratchets.requireListKeys) return;
  for (const finding of keyFindings(schema)) yield errorOf(finding, schema, path);
}

function errorOf(finding: Finding<ListRule>, schema: WrittenSchema, path: string): FieldError {
  const { rule, at, value } = finding;
  const field = fieldPath(path, at);
  switch (rule) {
    case 'map-type-unknown':
      return notSupported(field, value, ['atomic', 'granular']);
    case 'list-type-unknown':
      return notSupported(field, value, ['atomic', 'set', 'map']);
    case 'set-item-not-atomic':
      return invalidValue(field, value, `must be atomic as item of a list with ${listType}=set`);
    case 'keyed-without-items':
      return value === undefined
        ? required(field, `must have a schema if ${listType} is map`)
        : invalidValue(field, value, `must only have a single schema if ${listType} is map`);
    case 'key-not-scalar':
      // The API server prints the type of the items here.
      return invalidValue(field, 'object', `must be a scalar type ${ofKeyed}`);
    case 'key-unknown':
      return invalidValue(field, stringList(keysOf(schema)), 'entries must all be names of item properties');
    case 'key-twice':
      return invalidValue(field, stringList(keysOf(schema)), 'must not contain duplicate entries');
    case 'items-nullable':
      return forbidden(field, `cannot be nullable when ${listType} is ${value}`);
    case 'key-nullable':
      return forbidden(field, `${isKey} cannot be nullable`);
    default:
      return value === undefined ? required(field, words[rule]) : invalidValue(field, value, words[rule] ?? '');
  }
}
