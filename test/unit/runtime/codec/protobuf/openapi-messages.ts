/** Reads the protobuf of OpenAPI documents by field numbers, as the JSON that it represents. */
import { expect } from 'vitest';
import { ProtobufReader } from '../../../../../runtime/codec/protobuf/reader.js';

/**
 * The fields of each message: a number, and `name:kind`. A kind with `[]` repeats, one with `{}` is a map by name. Fields
 * with `=kind` are the content of the message itself.
 */
export type Messages = Readonly<Record<string, string>>;

type Field = readonly [name: string, kind: string];

/** Returns a function that reads a document. It expects the fields of each message in the order of their numbers. */
export function documentReader(messages: Messages): (bytes: Uint8Array) => unknown {
  const layouts = new Map(Object.entries(messages).map(([message, line]) => [message, fieldsIn(line)]));

  function readValue(reader: ProtobufReader, kind: string): unknown {
    if (kind === 'text') return reader.string();
    if (kind === 'json') return JSON.parse(reader.string());
    if (kind === 'bool') return reader.bool();
    if (kind === 'int') return reader.int64();
    if (kind === 'double') return reader.double();
    return readMessage(reader.message(), kind);
  }

  function readMessage(reader: ProtobufReader, message: string): unknown {
    const result: Record<string, unknown> = {};
    let previous = 0;
    while (reader.next()) {
      const [name, kind] = layouts.get(message)?.get(reader.field) ?? [];
      if (name === undefined || kind === undefined) throw new Error(`field ${reader.field} in ${message}`);
      expect(reader.field).toBeGreaterThanOrEqual(previous);
      previous = reader.field;
      const plain = kind.replace(/\[\]$|\{\}$/, '');
      if (kind.endsWith('[]')) {
        const list = result[name] ?? [];
        if (Array.isArray(list)) result[name] = [...list, readValue(reader, plain)];
      } else if (kind.endsWith('{}')) {
        const entry = reader.message();
        entry.next();
        const key = entry.string();
        entry.next();
        result[key] = readValue(entry, plain);
      } else if (name === '=') return readValue(reader, plain);
      else result[name] = readValue(reader, kind);
    }
    // An empty list is not written.
    return message === 'Texts' ? (result['='] ?? []) : result;
  }

  return (bytes) => readMessage(new ProtobufReader(bytes), 'Document');
}

function fieldsIn(line: string): Map<number, Field> {
  const words = line.split(' ');
  const fields = new Map<number, Field>();
  for (let i = 0; i < words.length; i += 2) {
    const [name = '', kind] = (words[i + 1] ?? '').split(':');
    fields.set(Number(words[i]), kind === undefined ? ['=', name.slice(1)] : [name, kind]);
  }
  return fields;
}
