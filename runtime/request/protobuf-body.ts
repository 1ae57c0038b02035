/** Reads bodies in protobuf. */
import { openEnvelope, type ProtobufCodec } from '../codec/protobuf/codec.js';
import { mismatched, unrecognized } from '../codec/undecodable.js';
import type { JsonObject, Result } from '../contract/index.js';
import { parseGroupVersion } from '../objects/gvk.js';

/** The kind that a body may be of. */
export interface Expected {
  readonly kind: string;
  /** As in `storage.platform.io/v1`; empty where any will do. */
  readonly apiVersion: string;
  readonly codec: ProtobufCodec;
}

/**
 * The object in an envelope. Of another kind than the expected one there is no more than what it says it is: its fields
 * would mean nothing.
 */
export function decodeProtobufBody(expected: Expected, bytes: Uint8Array): Result<JsonObject> {
  const opened = openEnvelope(bytes);
  if (!opened.ok) return { ok: false, failure: unrecognized(expected.kind, opened.problem, bytes) };
  const kind = opened.value.kind || expected.kind;
  const apiVersion = opened.value.apiVersion || expected.apiVersion;
  const foreign = kind !== expected.kind || (expected.apiVersion !== '' && apiVersion !== expected.apiVersion);
  if (foreign) return { ok: true, value: { kind, apiVersion } };
  const read = expected.codec.decodeMessage(opened.value.raw);
  if (read.ok) return { ok: true, value: Object.assign(read.value, { kind, apiVersion }) };
  const version = parseGroupVersion(apiVersion)?.version ?? '';
  return { ok: false, failure: mismatched({ kind, version }, expected.kind, read.problem) };
}
