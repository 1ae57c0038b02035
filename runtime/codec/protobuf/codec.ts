/** The protobuf form of one kind: objects, lists and watch events. Compiled once per resource version. */
import type { JsonObject, ProtobufSchema, Result } from '../../contract/index.js';
import { compileMessage, type MessageCodec } from './compile.js';
import { open, seal } from './envelope.js';
import { ProtobufError, ProtobufReader } from './reader.js';
import { ProtobufWriter } from './writer.js';

export interface ProtobufCodec {
  /** An object in its envelope. */
  readonly encode: (object: JsonObject) => Uint8Array;
  /** The object's message alone, as it stands in lists. */
  readonly encodeItem: (object: JsonObject) => Uint8Array;
  /**
   * A body as JSON would have it, its kind from the envelope; not yet normalized. Linear in the body's size. Zeros of
   * the kind's own fields are there, since only its schema tells those that were set from those that were not.
   */
  readonly decode: (body: Uint8Array) => Result<JsonObject>;
}

const envelope: ReadonlySet<string> = new Set(['apiVersion', 'kind']);

/** Compiles a kind. Costs little; fields are compiled when they are first met. */
export function compileProtobuf(schema: ProtobufSchema): ProtobufCodec {
  const message = compileMessage(schema.message, schema.messages);
  return {
    encode: (object) =>
      seal(textOf(object.apiVersion), textOf(object.kind), (out) => message.write(out, object, envelope)),
    encodeItem: (object) => {
      const out = new ProtobufWriter();
      message.write(out, object, envelope);
      return out.finish();
    },
    decode: (body) => decode(body, message),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function decode(body: Uint8Array, message: MessageCodec): Result<JsonObject> {
  try {
    const { apiVersion, kind, raw } = open(body);
    const object: JsonObject = {};
    if (kind !== '') object.kind = kind;
    if (apiVersion !== '') object.apiVersion = apiVersion;
    message.readInto(new ProtobufReader(raw), object, 0);
    return { ok: true, value: object };
  } catch (problem) {
    if (!(problem instanceof ProtobufError)) throw problem;
    return { ok: false, failure: { reason: 'BadRequest', message: problem.message } };
  }
}

const listMeta = compileMessage('meta/v1#/ListMeta', {});

/** A list in its envelope: items as `encodeItem` yields them, so that an item is encoded once for all lists. */
export function encodeProtobufList(
  list: { readonly apiVersion: string; readonly kind: string; readonly metadata: JsonObject },
  items: readonly Uint8Array[],
): Uint8Array {
  return seal(list.apiVersion, list.kind, (out) => {
    for (let i = items.length - 1; i >= 0; i--) {
      const item = items[i];
      if (item !== undefined) out.bytes(2, item);
    }
    out.message(1, () => listMeta.write(out, list.metadata));
  });
}

/** A frame of a watch: four bytes of length, then the event with the object in its envelope. */
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
