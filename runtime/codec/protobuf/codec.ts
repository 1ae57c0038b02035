/** The protobuf form of one kind: objects, lists and watch events. Compiled once per resource version. */

import type { JsonObject, ProtobufSchema } from '../../contract/index.js';
import { textOf } from '../../objects/guards.js';
import { type CompileOptions, compileMessage, type MessageCodec } from './compile.js';
import { type Enveloped, open, seal } from './envelope.js';
import { listPieces } from './list-pieces.js';
import { ProtobufError, ProtobufReader } from './reader.js';
import { ProtobufWriter } from './writer.js';

/** The value, or the problem in the decoder's words. */
export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

export interface ProtobufCodec {
  /** An object in its envelope. */
  readonly encode: (object: JsonObject) => Uint8Array;
  /** Returns only the object's message, as in lists. */
  readonly encodeItem: (object: JsonObject) => Uint8Array;
  /** Decodes an envelope to JSON like `decodeMessage`, with the kind. */
  readonly decode: (body: Uint8Array) => Read<JsonObject>;
  /**
   * Decodes an object's message to JSON without its kind, in linear time. Does not normalize it. Keeps zeros of the
   * kind's own fields, because only its schema can decide which of them were set.
   */
  readonly decodeMessage: (raw: Uint8Array) => Read<JsonObject>;
}

const envelope: ReadonlySet<string> = new Set(['apiVersion', 'kind']);

/** Compiles a kind. Costs little, because it compiles fields at their first use. */
export function compileProtobuf(schema: ProtobufSchema, options: CompileOptions = { lossless: false }): ProtobufCodec {
  const message = compileMessage(schema.message, [schema.messages, ...(schema.libraries ?? [])], options);
  return {
    encode: (object) =>
      seal(textOf(object.apiVersion), textOf(object.kind), (out) => message.write(out, object, envelope)),
    encodeItem: (object) => {
      const out = new ProtobufWriter();
      message.write(out, object, envelope);
      return out.finish();
    },
    decode: (body) => {
      const opened = openEnvelope(body);
      return opened.ok ? readInto(typeOf(opened.value), opened.value.raw, message) : opened;
    },
    decodeMessage: (raw) => readInto({}, raw, message),
  };
}

/** Opens an envelope, or returns its problem. */
export function openEnvelope(body: Uint8Array): Read<Enveloped> {
  return attempt(() => open(body));
}

function typeOf({ apiVersion, kind }: Enveloped): JsonObject {
  return { ...(kind === '' ? {} : { kind }), ...(apiVersion === '' ? {} : { apiVersion }) };
}

function readInto(object: JsonObject, raw: Uint8Array, message: MessageCodec): Read<JsonObject> {
  return attempt(() => {
    message.readInto(new ProtobufReader(raw), object, 0);
    return object;
  });
}

function attempt<T>(read: () => T): Read<T> {
  try {
    return { ok: true, value: read() };
  } catch (problem) {
    if (!(problem instanceof ProtobufError)) throw problem;
    return { ok: false, problem: problem.message };
  }
}

/** Bytes reserved for an envelope without its object; enough unless names are very long. */
const envelopeOverhead = 256;

/** Encodes an object in its envelope, from the message that `encodeItem` returns. */
export function encodeProtobufObject(apiVersion: string, kind: string, item: Uint8Array): Uint8Array {
  return seal(apiVersion, kind, (out) => out.raw(item), item.length + envelopeOverhead);
}

const listMeta = compileMessage('meta/v1#/ListMeta', [], { lossless: false });

/** Bytes reserved for a list without its items, and for an item without its message. */
const listOverhead = 4096;
const itemOverhead = 6;

/** Encodes a list in its envelope, from messages of `encodeItem`. So an item is encoded once for all lists. */
export function encodeProtobufList(
  list: { readonly apiVersion: string; readonly kind: string; readonly metadata: JsonObject },
  items: readonly Uint8Array[],
): Uint8Array {
  const capacity = items.reduce((sum, item) => sum + item.length + itemOverhead, listOverhead);
  const write = (out: ProtobufWriter): void => {
    for (let i = items.length - 1; i >= 0; i--) {
      const item = items[i];
      if (item !== undefined) out.bytes(2, item);
    }
    out.message(1, () => listMeta.write(out, list.metadata));
  };
  return seal(list.apiVersion, list.kind, write, capacity);
}

/** Encodes a list piece by piece. `item` returns the message of an item by its index. */
export function protobufListPieces(
  { apiVersion, kind, metadata }: Parameters<typeof encodeProtobufList>[0],
  count: number,
  item: (index: number) => Uint8Array,
): Generator<Uint8Array> {
  const head = new ProtobufWriter();
  head.message(1, () => listMeta.write(head, metadata));
  return listPieces({ apiVersion, kind, head: head.finish(), count, field: (index) => asField(2, item(index)) });
}

function asField(field: number, message: Uint8Array): Uint8Array {
  const out = new ProtobufWriter(message.length + itemOverhead);
  out.bytes(field, message);
  return out.finish();
}

/** Encodes a frame of a watch: four bytes of length, then the event with the object in its envelope. */
export function encodeProtobufEvent(type: string, object: Uint8Array): Uint8Array {
  const out = new ProtobufWriter(object.length + 64);
  out.message(2, () => out.bytes(1, object));
  out.string(1, type);
  const event = out.finish();
  const frame = Buffer.allocUnsafe(event.length + 4);
  frame.writeUInt32BE(event.length, 0);
  frame.set(event, 4);
  return frame;
}
