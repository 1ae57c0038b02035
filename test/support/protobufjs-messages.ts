/** Messages of kinds for protobufjs. It reads and writes them without our code. */
import protobuf from 'protobufjs';
import { splitType } from '../../runtime/codec/protobuf/fields.js';
import { metaMessages } from '../../runtime/codec/protobuf/meta-messages.js';
import type { ProtobufMessage, ProtobufSchema } from '../../runtime/contract/index.js';

const scalars: ReadonlySet<string> = new Set(['string', 'bytes', 'bool', 'int32', 'int64', 'double']);

/**
 * Makes the type of a kind's own message. Fields are named after their numbers, because protobufjs refuses names such
 * as `$ref`. Maps are lists of entries, because a map of protobufjs has no order.
 */
export function protobufjsType({ message, messages, libraries = [] }: ProtobufSchema): protobuf.Type {
  const all = [messages, ...libraries, metaMessages];
  const root = new protobuf.Root();
  const types = new Map<string, protobuf.Type>();
  const newType = (): protobuf.Type => {
    const type = new protobuf.Type(`T${root.nestedArray.length}`);
    root.add(type);
    return type;
  };
  const typeName = (of: string): string => {
    if (scalars.has(of)) return of;
    return of === 'json' ? 'bytes' : typeOf(of).name;
  };
  const entryName = (of: string): string => {
    const entry = newType();
    entry.add(new protobuf.Field('key', 1, 'string')).add(new protobuf.Field('value', 2, typeName(of)));
    return entry.name;
  };
  const typeOf = (id: string): protobuf.Type => {
    const known = types.get(id);
    if (known !== undefined) return known;
    const type = newType();
    types.set(id, type);
    const fields: ProtobufMessage = all.find((some) => Object.hasOwn(some, id))?.[id] ?? {};
    for (const [number, of] of Object.values(fields)) {
      const { label, of: item } = splitType(of);
      const isList = label === 'repeated' || label === 'map';
      const name = label === 'map' ? entryName(item) : typeName(item);
      type.add(new protobuf.Field(`f${number}`, number, name, isList ? 'repeated' : undefined));
    }
    return type;
  };
  const type = typeOf(message);
  root.resolveAll();
  return type;
}

/**
 * Reads a message and writes it again. Throws if the bytes are not a message. Loses fields that the type does not have.
 */
export const rewritten = (type: protobuf.Type, bytes: Uint8Array): Buffer =>
  Buffer.from(type.encode(type.decode(bytes)).finish());
