/** Reads request bodies: checks size and media type, and decodes JSON, YAML or protobuf. */
import { fieldRemarks, unknownRemarks } from '../codec/field-remarks.js';
import { type Decoded, decodeJson, type WrittenNumber } from '../codec/json.js';
import { negotiateBody } from '../codec/negotiation.js';
import { openEnvelope, type ProtobufCodec } from '../codec/protobuf/codec.js';
import { deleteOptionsCodec } from '../codec/protobuf/meta-kinds.js';
import { mismatched, strictRemarks, unreadable, unrecognized } from '../codec/undecodable.js';
import type { JsonObject, JsonValue, Result } from '../contract/index.js';
import { parseGroupVersion } from '../objects/names/names.js';
import { nextTurn } from '../objects/turns.js';
import { headerOf } from './api-request.js';
import type { VerbRequest } from './verb-request.js';

export interface DecodedBody {
  readonly value: JsonValue;
  /** Returns remarks on duplicate and unknown fields, for warnings. Takes the paths of the unknown ones. */
  remarks(unknownFields: readonly string[]): readonly string[];
  /** Returns the same remarks in the words of a refusal. */
  strictRemarks(unknownFields: readonly string[]): readonly string[];
  /** Numbers in another form than the server prints. */
  readonly decimals: readonly WrittenNumber[];
  /** The bytes of the body, for messages. */
  readonly bytes: Uint8Array;
  /** Decodes the value again, for callers that change it. */
  readonly again: () => JsonValue;
}

/** Media types that every body may have, the default first. */
const textTypes: readonly string[] = ['application/json', 'application/yaml'];

/** Reads the body of a create or replace: JSON by default, or YAML or protobuf. */
export function readObjectBody(verb: VerbRequest): Promise<Result<DecodedBody>> {
  const { apiVersion, module, protobuf } = verb.resource;
  const { kind } = module.names;
  return readBody(verb, kind, () => protobuf && { kind, apiVersion, codec: protobuf });
}

const deleteOptions: Expected = { kind: 'DeleteOptions', apiVersion: '', codec: deleteOptionsCodec };

/** Reads the body of a delete, which may be protobuf for all kinds. An empty body has no media type. */
export async function readDeleteBody(verb: VerbRequest): Promise<Result<DecodedBody>> {
  const bytes = await verb.request.readBody(verb.services.maxBodyBytes);
  if (!bytes.ok) return bytes;
  if (bytes.value.length > 0) return readBody(verb, undefined, () => deleteOptions);
  countBody(verb, bytes.value);
  return { ok: true, value: plainBody(() => null, bytes.value) };
}

/** Reports the size of a body to the observer. */
export const countBody = ({ request, resource, services }: VerbRequest, { length }: Uint8Array): void =>
  services.observer?.bodyRead?.(resource.module, request.method, length);

/** Decoding a larger body takes so long that other requests get a turn afterwards. */
export const largeBytes = 64 * 1024;

/**
 * Reads a body. `kind` is the kind that errors name, if any. `protobuf` returns what a body in protobuf may contain, or
 * `undefined`; it is rarely called.
 */
async function readBody(
  verb: VerbRequest,
  kind: string | undefined,
  protobuf: () => Expected | undefined,
): Promise<Result<DecodedBody>> {
  const contentType = headerOf(verb.request, 'content-type');
  const plain = contentType === undefined || contentType === 'application/json';
  const expected = plain ? undefined : protobuf();
  const { protobufMediaType } = verb.services;
  const types = expected === undefined ? textTypes : [...textTypes, protobufMediaType];
  // The refusal of a custom resource has the same words as any other, unless the client sent protobuf.
  const told = contentType?.startsWith(protobufMediaType) ? types : [...textTypes, protobufMediaType];
  const mediaType = negotiateBody(contentType, types, told);
  if (!mediaType.ok) return mediaType;
  const bytes = await verb.request.readBody(verb.services.maxBodyBytes);
  if (!bytes.ok) return bytes;
  countBody(verb, bytes.value);
  if (expected !== undefined && mediaType.value === protobufMediaType) return fromProtobuf(expected, bytes.value, kind);
  if (bytes.value.length === 0) {
    return { ok: true, value: plainBody(() => nothing(verb, mediaType.value), bytes.value) };
  }
  const isYaml = mediaType.value === 'application/yaml';
  const typed = verb.resource.module.decoding === 'typed';
  const fromJson = (): Decoded => decodeJson(bytes.value, { repeated: typed ? 'merge' : 'replace' });
  const decoded = isYaml ? await decodeYamlBody(bytes.value) : fromJson();
  if (bytes.value.length > largeBytes) await nextTurn();
  if (!decoded.ok) {
    return { ok: false, failure: unreadable(kind, decoded, bytes.value) };
  }
  const again = (): JsonValue => readable(isYaml ? decodeYamlAgain(bytes.value) : fromJson());
  return { ok: true, value: new TextBody(decoded, bytes.value, verb.resource.module.decoding, again) };
}

/** Returns the value of a body that has been read before. */
function readable(decoded: Decoded): JsonValue {
  if (decoded.ok) return decoded.value;
  throw new Error(`a body reads differently the second time: ${decoded.problem}`);
}

/** A body in JSON or YAML. */
class TextBody implements DecodedBody {
  readonly value: JsonValue;
  readonly decimals: readonly WrittenNumber[];
  #found: { readonly unknown: readonly string[]; readonly remarks: readonly string[] } | undefined;
  readonly #decoded: Decoded & { readonly ok: true };
  readonly #decoding: 'typed' | 'structural';

  constructor(
    decoded: Decoded & { readonly ok: true },
    readonly bytes: Uint8Array,
    decoding: 'typed' | 'structural',
    readonly again: () => JsonValue,
  ) {
    this.value = decoded.value;
    this.decimals = decoded.decimals;
    this.#decoded = decoded;
    this.#decoding = decoding;
  }

  /** Keeps the last remarks, because a refusal needs the same again, and the search for many takes long. */
  remarks(unknown: readonly string[]): readonly string[] {
    if (this.#found?.unknown !== unknown) {
      const text = unknown.length > 0 ? Buffer.from(this.bytes).toString() : '';
      this.#found = { unknown, remarks: fieldRemarks(this.#decoded, unknown, text, this.#decoding) };
    }
    return this.#found.remarks;
  }

  strictRemarks(unknown: readonly string[]): readonly string[] {
    return this.#decoded.syntax === 'json'
      ? this.remarks(unknown)
      : strictRemarks(this.#decoded, unknownRemarks(unknown, this.#decoding));
  }
}

/** Returns the value of an empty body: `{}` for YAML of typed kinds, else null. */
const nothing = ({ resource }: VerbRequest, mediaType: string): JsonValue =>
  mediaType === 'application/yaml' && resource.module.decoding === 'typed' ? {} : null;

function fromProtobuf(expected: Expected, bytes: Uint8Array, kind: string | undefined): Result<DecodedBody> {
  const object = decodeProtobufBody(expected, bytes, kind);
  if (!object.ok) return object;
  const again = (): JsonValue => {
    const read = decodeProtobufBody(expected, bytes, kind);
    return read.ok ? read.value : null;
  };
  return { ok: true, value: plainBody(again, bytes, object.value) };
}

/** Makes a body without remarks, because unknown fields in protobuf are ignored. */
const plainBody = (again: () => JsonValue, bytes: Uint8Array, value = again()): DecodedBody => ({
  value,
  remarks: (unknown) => unknownRemarks(unknown, 'typed'),
  strictRemarks: (unknown) => unknownRemarks(unknown, 'typed'),
  decimals: [],
  bytes,
  again,
});

/** The kind that a body may have. */
interface Expected {
  readonly kind: string;
  /** Such as `storage.platform.io/v1`; empty for any. */
  readonly apiVersion: string;
  readonly codec: ProtobufCodec;
}

/**
 * Returns the object in an envelope. If its kind is not the expected one, only returns its kind and version, because
 * its fields then have no meaning.
 */
function decodeProtobufBody(expected: Expected, bytes: Uint8Array, named: string | undefined): Result<JsonObject> {
  const opened = openEnvelope(bytes);
  if (!opened.ok) return { ok: false, failure: unrecognized(named, opened.problem, bytes) };
  const kind = opened.value.kind || expected.kind;
  const apiVersion = opened.value.apiVersion || expected.apiVersion;
  const foreign = kind !== expected.kind || (expected.apiVersion !== '' && apiVersion !== expected.apiVersion);
  if (foreign) return { ok: true, value: { kind, apiVersion } };
  const read = expected.codec.decodeMessage(opened.value.raw);
  if (read.ok) return { ok: true, value: Object.assign(read.value, { kind, apiVersion }) };
  const version = parseGroupVersion(apiVersion)?.version ?? '';
  return { ok: false, failure: mismatched({ kind, version }, expected.kind, read.problem) };
}

// The YAML decoder is loaded with the first YAML body, because most clients send none.

type Decode = (body: Uint8Array) => Decoded;

let loading: Promise<Decode> | undefined;
let loaded: Decode | undefined;

/** Decodes a body as `decodeYaml` does. */
export async function decodeYamlBody(body: Uint8Array): Promise<Decoded> {
  loading ??= import('../codec/yaml/yaml.js').then(({ decodeYaml }) => decodeYaml);
  loaded = await loading;
  return loaded(body);
}

/** Decodes a body again, synchronously, after `decodeYamlBody` has read it. */
export function decodeYamlAgain(body: Uint8Array): Decoded {
  if (!loaded) throw new Error('nothing has been read as YAML yet');
  return loaded(body);
}
