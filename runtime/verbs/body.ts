/** Reads request bodies: size, media type, and the value that JSON or YAML spells. */
import { type Decoded, decodeJson } from '../codec/json.js';
import { negotiateBody } from '../codec/negotiation.js';
import { strictRemarks, unreadable } from '../codec/undecodable.js';
import { decodeYaml } from '../codec/yaml.js';
import type { JsonValue, Result } from '../contract/index.js';
import type { VerbRequest } from './verb-request.js';

/** A decoded body. */
export interface DecodedBody {
  readonly value: JsonValue;
  /** What is odd about how it is written, such as fields given twice; for warnings. */
  readonly remarks: readonly string[];
  /** The same remarks and the given ones, as a refusal lists them. */
  readonly strictRemarks: (unknownFields: readonly string[]) => readonly string[];
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
  if (bytes.value.length === 0) return { ok: true, value: emptyBody(bytes.value) };
  const repeated = verb.resource.module.decoding === 'typed' ? 'merge' : 'replace';
  const decoded: Decoded =
    mediaType.value === 'application/yaml' ? decodeYaml(bytes.value) : decodeJson(bytes.value, { repeated });
  if (!decoded.ok) {
    return { ok: false, failure: unreadable(verb.resource.module.names.kind, decoded, bytes.value) };
  }
  const { value, remarks } = decoded;
  const strict = (unknownFields: readonly string[]): readonly string[] => strictRemarks(decoded, unknownFields);
  return { ok: true, value: { value, remarks, strictRemarks: strict, bytes: bytes.value } };
}

const emptyBody = (bytes: Uint8Array): DecodedBody => ({
  value: null,
  remarks: [],
  strictRemarks: (unknownFields) => unknownFields,
  bytes,
});
