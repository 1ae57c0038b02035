/** Reads request bodies: size, media type, and the value that JSON or YAML spells. */
import { type Decoded, decodeJson } from '../codec/json.js';
import { negotiateBody } from '../codec/negotiation.js';
import { duplicateFieldRemark, syntaxProblem, unrecognized } from '../codec/undecodable.js';
import { decodeYaml } from '../codec/yaml.js';
import type { JsonValue, Result } from '../contract/index.js';
import type { VerbRequest } from './verb-request.js';

/** A decoded body. */
export interface DecodedBody {
  readonly value: JsonValue;
  /** Fields that it gives twice, each as `duplicate field "spec.x"`. */
  readonly duplicateFields: readonly string[];
  /** The bytes, for messages. */
  readonly bytes: Uint8Array;
}

/** Media types that bodies of objects may have, the default first. */
export const bodyMediaTypes: readonly string[] = ['application/json', 'application/yaml'];

/** The value of a header that is sent once. */
export function headerOf({ request }: VerbRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** Reads the body of a create, replace or delete: JSON, or YAML where the client says so. */
export async function readObjectBody(verb: VerbRequest): Promise<Result<DecodedBody>> {
  const mediaType = negotiateBody(headerOf(verb, 'content-type'), bodyMediaTypes);
  if (!mediaType.ok) return mediaType;
  const bytes = await verb.request.readBody(verb.services.maxBodyBytes);
  if (!bytes.ok) return bytes;
  if (bytes.value.length === 0) return { ok: true, value: { value: null, duplicateFields: [], bytes: bytes.value } };
  const repeated = verb.resource.module.decoding === 'typed' ? 'merge' : 'replace';
  const decoded: Decoded =
    mediaType.value === 'application/yaml' ? decodeYaml(bytes.value) : decodeJson(bytes.value, { repeated });
  if (!decoded.ok) {
    const { kind } = verb.resource.module.names;
    return { ok: false, failure: unrecognized(kind, syntaxProblem(decoded.problem), bytes.value) };
  }
  const duplicateFields = decoded.duplicates.map(duplicateFieldRemark);
  return { ok: true, value: { value: decoded.value, duplicateFields, bytes: bytes.value } };
}
