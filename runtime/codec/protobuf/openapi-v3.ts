/** Encodes an OpenAPI 3.0 document as the message `openapi.v3.Document` of the gnostic project. */
import { isObject } from '../../objects/guards.js';
import { encodeOpenApiJson, type OpenApiV3Document } from '../../schema/openapi/index.js';
import { backwards } from './openapi-v2.js';
import { type FieldForm, type MessageLayout, openApiV3Messages } from './openapi-v3-messages.js';
import { ProtobufWriter } from './writer.js';

/** The media type of the encoding in requests of older clients. */
export const openApiV3ProtobufType = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';

/** Encodes a document. Writes fields from last to first, as the writer requires. */
export function encodeOpenApiV3Protobuf(document: OpenApiV3Document): Uint8Array {
  const out = new ProtobufWriter(1 << 20);
  messageOf(out, 'Document', document);
  return out.finish();
}

/** A field to write: its number, form and value, and a name if it is an entry of a map. */
interface Written {
  readonly field: number;
  readonly form: FieldForm;
  readonly value: unknown;
  readonly name?: string;
}

function messageOf(out: ProtobufWriter, name: string, value: unknown): void {
  const layout = openApiV3Messages[name];
  if (name === 'StringArray') texts(out, 1, value);
  else if (name === 'Items') out.message(1, () => eitherOf(out, 'Schema', value));
  else if (name === 'Additional') additionalOf(out, value);
  else if (layout && typeof value === 'object' && value !== null) fieldsOf(out, layout, value);
}

function fieldsOf(out: ProtobufWriter, layout: MessageLayout, value: object): void {
  const fields = Object.entries(value).flatMap(([key, child]) => writtenAs(layout, key, child));
  fields.sort((a, b) => a.field - b.field);
  backwards(fields, (field) => {
    if (field.name === undefined) fieldOf(out, field);
    else named(out, field.field, field.name, () => contentOf(out, field.form, field.value));
  });
}

/** Returns the field of a key, or nothing if the message does not have one. */
function writtenAs({ fields, extensions, others }: MessageLayout, key: string, value: unknown): Written | readonly [] {
  if (value === undefined) return [];
  const known = Object.hasOwn(fields, key) ? fields[key] : undefined;
  if (known) return { field: known[0], form: known[1], value };
  if (key.startsWith('x-')) return extensions === undefined ? [] : { field: extensions, form: 'any', value, name: key };
  return others ? { field: others[0], form: others[1], value, name: key } : [];
}

/** Writes a field. Zeros, empty texts and `false` are the same as an absent field. */
function fieldOf(out: ProtobufWriter, { field, form, value }: Written): void {
  switch (form) {
    case 'text':
      if (typeof value === 'string' && value !== '') out.string(field, value);
      break;
    case 'texts':
      texts(out, field, value);
      break;
    case 'bool':
      if (value === true) out.bool(field, true);
      break;
    case 'int':
      if ((typeof value === 'number' || typeof value === 'bigint') && value !== 0) out.int(field, value);
      break;
    case 'double':
      if (Number(value) !== 0) out.double(field, Number(value));
      break;
    case 'anys':
      eachBackwards(value, (one) => out.message(field, () => contentOf(out, 'any', one)));
      break;
    case 'default':
      out.message(field, () => defaultOf(out, value));
      break;
    default:
      if (form.endsWith('[]')) {
        eachBackwards(value, (one) => out.message(field, () => contentOf(out, form.slice(0, -2), one)));
      } else out.message(field, () => contentOf(out, form, value));
  }
}

/** Writes the value of a field or an entry: a message, a message or reference, a map, or a value of any kind. */
function contentOf(out: ProtobufWriter, form: FieldForm, value: unknown): void {
  if (form === 'any') out.string(2, encodeOpenApiJson(value));
  else if (form.startsWith('{')) mapOf(out, form.slice(1, -1), value);
  else if (form.endsWith('|ref')) eitherOf(out, form.slice(0, -'|ref'.length), value);
  else messageOf(out, form, value);
}

function mapOf(out: ProtobufWriter, form: FieldForm, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  backwards(Object.entries(value), ([name, one]) => named(out, 1, name, () => contentOf(out, form, one)));
}

/** Writes a message to field 1, or a reference to field 2. */
function eitherOf(out: ProtobufWriter, name: string, value: unknown): void {
  const isReference = isObject(value) && typeof value.$ref === 'string';
  out.message(isReference ? 2 : 1, () => messageOf(out, isReference ? 'Reference' : name, value));
}

function additionalOf(out: ProtobufWriter, value: unknown): void {
  if (typeof value === 'boolean') out.bool(2, value);
  else out.message(1, () => eitherOf(out, 'Schema', value));
}

/** Writes a default. Only numbers, booleans and texts have a field. The message of any other default is empty. */
function defaultOf(out: ProtobufWriter, value: unknown): void {
  if (typeof value === 'number' || typeof value === 'bigint') out.double(1, Number(value));
  else if (typeof value === 'boolean') out.bool(2, value);
  else if (typeof value === 'string') out.string(3, value);
}

function named(out: ProtobufWriter, field: number, name: string, write: () => void): void {
  out.message(field, () => {
    out.message(2, write);
    out.string(1, name);
  });
}

function texts(out: ProtobufWriter, field: number, values: unknown): void {
  eachBackwards(values, (value) => {
    if (typeof value === 'string') out.string(field, value);
  });
}

function eachBackwards(values: unknown, write: (item: unknown) => void): void {
  if (Array.isArray(values)) backwards(values, write);
}
