/** Compiles messages to codecs, once per kind, so a request only visits fields. */
import type { JsonObject, JsonValue, ProtobufMessage, ProtobufMessages } from '../../contract/index.js';
import { getOwn, isObject, setOwn } from '../../objects/guards.js';
import { encodeJson } from '../json.js';
import { createField, type Field, splitType, unionCodec } from './fields.js';
import { keepsZero, metaMessages } from './meta-messages.js';
import { ProtobufError, type ProtobufReader } from './reader.js';
import { maxDepth, readJson, scalars, type ValueCodec } from './scalars.js';
import { specialMessages } from './special-messages.js';
import type { ProtobufWriter } from './writer.js';

/**
 * The number of a field for values that no other field of a message can hold, as a JSON object: nulls, empty lists,
 * unknown fields.
 */
const restField = 2 ** 29 - 1;

/** A message without the envelope around it. */
export interface MessageCodec {
  /** Writes the fields of an object, without keys in `envelope` that the message does not have. */
  write(out: ProtobufWriter, object: JsonObject, envelope?: ReadonlySet<string>): void;
  /** Reads fields into an object. Skips unknown fields. Throws ProtobufError. */
  readInto(reader: ProtobufReader, object: JsonObject, depth: number): void;
}

/** How to compile messages. */
export interface CompileOptions {
  /**
   * Whether to write and read values that no field can hold, for objects that must stay as clients sent them. Otherwise
   * the codec leaves out these values, and writes zeros for absent fields that must be present.
   */
  readonly lossless: boolean;
}

/** A message with known fields. */
interface Layout extends CompileOptions {
  /** From the highest number to the lowest, as the writer requires. */
  readonly members: readonly (Field | Inlined)[];
  readonly byNumber: ReadonlyMap<number, Field | Inlined>;
  /** All fields of the object in JSON, including fields of inlined messages. */
  readonly byName: ReadonlyMap<string, Field>;
}

/** A message with fields that belong to the object itself in JSON. */
interface Inlined {
  readonly number: number;
  readonly layout: Layout;
}

/** Compiles the codec of a message in `messages`. Messages may refer to each other in cycles. */
export function compileMessage(
  id: string,
  messages: readonly ProtobufMessages[],
  options: CompileOptions,
): MessageCodec {
  return codecOf(createLayouts([...messages, metaMessages], options)(id));
}

/** Creates a layout at the first use of its message, because some messages contain themselves. */
function createLayouts(messages: readonly ProtobufMessages[], options: CompileOptions): (id: string) => () => Layout {
  const layouts = new Map<string, Layout>();
  const values = new Map<string, ValueCodec>();
  const layoutOf = (id: string): Layout => {
    const known = layouts.get(id) ?? { ...layOut(id, lookUp(messages, id), valueCodec, layoutOf), ...options };
    layouts.set(id, known);
    return known;
  };
  const valueCodec = (of: string): ValueCodec => {
    const known = scalars.get(of) ?? specialMessages.get(of) ?? values.get(of);
    if (known !== undefined) return known;
    const message = lookUp(messages, of);
    const whole = message[''];
    const fields = whole === undefined ? messageValue(() => layoutOf(of)) : wholeValue(() => layoutOf(of), whole[1]);
    const made = unionCodec(of, fields) ?? fields;
    values.set(of, made);
    return made;
  };
  return (id) => () => layoutOf(id);
}

function lookUp(messages: readonly ProtobufMessages[], id: string): ProtobufMessage {
  return messages.find((some) => Object.hasOwn(some, id))?.[id] ?? {};
}

function layOut(
  id: string,
  message: ProtobufMessage,
  valueCodec: (of: string) => ValueCodec,
  layoutOf: (id: string) => Layout,
): Omit<Layout, keyof CompileOptions> {
  const byName = new Map<string, Field>();
  const members = Object.entries(message).map(([name, entry]): Field | Inlined => {
    const { label, of } = splitType(entry[1]);
    if (label === 'inline') {
      const layout = layoutOf(of);
      for (const [innerName, field] of layout.byName) byName.set(innerName, field);
      return { number: entry[0], layout };
    }
    const field = createField(name, entry, valueCodec(of), keepsZero(id, name));
    byName.set(name, field);
    return field;
  });
  members.sort((left, right) => right.number - left.number);
  return { members, byNumber: new Map(members.map((member) => [member.number, member])), byName };
}

function codecOf(layout: () => Layout): MessageCodec {
  return {
    write(out, object, envelope) {
      writeMessage(out, object, layout(), envelope);
    },
    readInto(reader, object, depth) {
      readMessage(reader, object, layout(), depth);
    },
  };
}

function writeMessage(out: ProtobufWriter, object: JsonObject, layout: Layout, envelope?: ReadonlySet<string>): void {
  if (!layout.lossless) {
    writeFitting(out, object, layout);
    return;
  }
  const rest = restOf(object, layout, envelope);
  if (rest !== undefined) out.bytes(restField, Buffer.from(encodeJson(rest)));
  writeMembers(out, object, layout, rest);
}

/** Returns the values that no field can hold; usually none. Visits each value once. */
function restOf(object: JsonObject, { byName }: Layout, envelope?: ReadonlySet<string>): JsonObject | undefined {
  let rest: JsonObject | undefined;
  for (const key of Object.keys(object)) {
    const value = getOwn(object, key);
    if (value === undefined || byName.get(key)?.fits(value) === true) continue;
    if (envelope?.has(key) === true && !byName.has(key)) continue;
    rest ??= {};
    setOwn(rest, key, value);
  }
  return rest;
}

function writeMembers(out: ProtobufWriter, object: JsonObject, { members }: Layout, rest?: JsonObject): void {
  for (const member of members) {
    if ('layout' in member) {
      out.message(member.number, () => writeMembers(out, object, member.layout, rest));
      continue;
    }
    const value = getOwn(object, member.name);
    if (value === undefined || (rest !== undefined && Object.hasOwn(rest, member.name))) continue;
    member.write(out, value);
  }
}

/** Writes the values that fields can hold, and zeros for absent fields that are always present. */
function writeFitting(out: ProtobufWriter, object: JsonObject, { members }: Layout): void {
  for (const member of members) {
    if ('layout' in member) {
      out.message(member.number, () => writeFitting(out, object, member.layout));
      continue;
    }
    const value = getOwn(object, member.name);
    if (value !== undefined && member.fits(value)) member.write(out, value);
    else member.writeZero?.(out);
  }
}

function readMessage(reader: ProtobufReader, object: JsonObject, layout: Layout, depth: number): void {
  if (depth > maxDepth) throw new ProtobufError('messages are nested too deeply');
  while (reader.next()) {
    const member = layout.byNumber.get(reader.field);
    if (member === undefined) {
      if (reader.field === restField && layout.lossless) readRest(reader, object);
      else reader.skip();
    } else if ('layout' in member) {
      reader.expect(2);
      readMessage(reader.message(), object, member.layout, depth + 1);
    } else member.read(reader, object, depth);
  }
}

function readRest(reader: ProtobufReader, object: JsonObject): void {
  reader.expect(2);
  const rest = readJson(reader.bytes());
  if (!isObject(rest)) throw new ProtobufError(`field ${restField} is not an object`);
  for (const [key, value] of Object.entries(rest)) if (value !== undefined) setOwn(object, key, value);
}

/** Makes the codec of a message within a message. */
function messageValue(layout: () => Layout): ValueCodec {
  return {
    wireType: 2,
    fits: isObject,
    write: (out, field, value) => {
      if (isObject(value)) out.message(field, () => writeMessage(out, value, layout()));
    },
    read: (reader, depth, before) => {
      const object = isObject(before) ? before : {};
      readMessage(reader.message(), object, layout(), depth + 1);
      return object;
    },
    zero: undefined,
    writeZero: (out, field) => out.message(field, () => writeMessage(out, {}, layout())),
  };
}

/** Makes the codec of a message with one field that is the whole value: a list or map inside another. */
function wholeValue(layout: () => Layout, type: string): ValueCodec {
  const field = (): Field | undefined => layout().byName.get('');
  const isMap = splitType(type).label === 'map';
  const isEmpty = (value: JsonValue): boolean =>
    isMap ? isObject(value) && Object.keys(value).length === 0 : Array.isArray(value) && value.length === 0;
  return {
    wireType: 2,
    fits: (value) => field()?.fits(value) === true || isEmpty(value),
    write: (out, number, value) => out.message(number, () => field()?.write(out, value)),
    read: (reader, depth) => {
      const holder: JsonObject = {};
      readMessage(reader.message(), holder, layout(), depth + 1);
      return getOwn(holder, '') ?? (isMap ? {} : []);
    },
    zero: undefined,
  };
}
