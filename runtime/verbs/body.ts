/** Reads request bodies: size, media type, and the value that JSON or YAML spells. */
import type { JsonValue, Result } from '../contract/index.js';
import { decodeJson } from '../codec/json.js';
import { decodeYaml } from '../codec/yaml.js';
import { badRequest, unsupportedMediaType } from '../objects/status.js';
import type { VerbRequest } from './verb-request.js';

/** A decoded body with the fields that it gives twice, each as `duplicate field "spec.x"`. */
export interface DecodedBody {
  readonly value: JsonValue;
  readonly duplicateFields: readonly string[];
  /** Whether the request has no body at all; then the value is null. */
  readonly empty: boolean;
}

/** The media type of a request's body without its parameters, in lower case; empty where the client names none. */
export function mediaTypeOf({ request }: VerbRequest): string {
  const header = request.headers['content-type'];
  const value = typeof header === 'string' ? header : '';
  return (value.split(';')[0] ?? '').trim().toLowerCase();
}

/** Reads the body of a create, replace or delete: JSON, or YAML where the client says so. */
export async function readObjectBody(verb: VerbRequest): Promise<Result<DecodedBody>> {
  const mediaType = mediaTypeOf(verb) || 'application/json';
  const decode = decoders[mediaType];
  if (!decode) return { ok: false, failure: unsupportedMediaType(objectMediaTypes(verb)) };
  const bytes = await verb.request.readBody(verb.services.maxBodyBytes);
  if (!bytes.ok) return bytes;
  if (bytes.value.length === 0) return { ok: true, value: { value: null, duplicateFields: [], empty: true } };
  const decoded = decode(bytes.value);
  if (!decoded.ok) return { ok: false, failure: badRequest(decoded.message) };
  const duplicateFields = decoded.duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`);
  return { ok: true, value: { value: decoded.value, duplicateFields, empty: false } };
}

const decoders: Readonly<Record<string, typeof decodeJson | typeof decodeYaml | undefined>> = {
  'application/json': decodeJson,
  'application/yaml': decodeYaml,
};

/** Media types that bodies of objects may have, as error messages list them. */
export const objectMediaTypes = (verb: VerbRequest): readonly string[] => [
  'application/json',
  'application/yaml',
  verb.services.protobufMediaType,
];
