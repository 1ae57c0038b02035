/** Objects survive protobuf unchanged, whatever is in them, and invalid bodies are refused. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compileProtobuf,
  encodeProtobufEvent,
  encodeProtobufList,
  encodeProtobufObject,
} from '../../../../../runtime/codec/protobuf/codec.js';
import { open } from '../../../../../runtime/codec/protobuf/envelope.js';
import { ProtobufReader } from '../../../../../runtime/codec/protobuf/reader.js';
import { ProtobufWriter } from '../../../../../runtime/codec/protobuf/writer.js';
import type { JsonObject, JsonValue, ProtobufMessage } from '../../../../../runtime/contract/index.js';

const messages: Record<string, ProtobufMessage> = {
  'a/v1#/Thing': {
    metadata: [1, 'meta/v1#/ObjectMeta'],
    text: [2, 'string'],
    flag: [3, 'bool'],
    int: [4, 'int64'],
    small: [5, 'int32'],
    number: [6, 'double'],
    bytes: [7, 'bytes'],
    open: [8, 'json'],
    time: [9, 'meta/v1#/Time'],
    micro: [10, 'meta/v1#/MicroTime'],
    either: [11, 'meta/v1#/IntOrString'],
    quantity: [12, 'meta/v1#/Quantity'],
    raw: [13, 'meta/v1#/RawExtension'],
    texts: [20, 'repeated string'],
    ints: [21, 'repeated int64'],
    parts: [22, 'repeated a/v1#/Part'],
    grid: [23, 'repeated a/v1#/Thing.grid[]'],
    labels: [24, 'map string'],
    counts: [25, 'map int32'],
    byName: [26, 'map a/v1#/Part'],
    lists: [27, 'map a/v1#/Thing.grid[]'],
    maps: [29, 'repeated a/v1#/Thing.maps[]'],
    self: [28, 'a/v1#/Thing'],
    source: [30, 'inline a/v1#/Source'],
  },
  'a/v1#/Part': { name: [1, 'string'], size: [2, 'int64'] },
  'a/v1#/Source': { path: [1, 'string'], port: [2, 'int32'] },
  'a/v1#/Thing.grid[]': { '': [1, 'repeated int64'] },
  'a/v1#/Thing.maps[]': { '': [1, 'map int64'] },
};

const codec = compileProtobuf({ message: 'a/v1#/Thing', messages }, { lossless: true });

function roundTrip(object: JsonObject): JsonValue {
  const decoded = codec.decode(codec.encode(object));
  if (!decoded.ok) throw new Error(decoded.problem);
  return decoded.value;
}

const kind = { apiVersion: 'a/v1', kind: 'Thing' };

describe('a codec', () => {
  it('writes fields in the order of their numbers', () => {
    const { raw } = open(codec.encode({ ...kind, small: -1, text: 'x', labels: { b: '2', a: '1' }, path: '/' }));
    const fields: number[] = [];
    const reader = new ProtobufReader(raw);
    while (reader.next()) {
      fields.push(reader.field);
      reader.skip();
    }
    expect(fields).toEqual([2, 5, 24, 24, 30]);
    expect(Buffer.from(raw).toString('latin1')).toMatch(/a.*1.*b.*2/s);
  });

  it.each<[string, JsonObject]>([
    ['numbers to the last digit', { int: 9223372036854775807n, ints: [-9223372036854775808n, 0, -1], number: 1.5 }],
    ['zeros and empty texts', { text: '', flag: false, int: 0, small: 0, number: 0, bytes: '' }],
    ['nulls and empty things', { text: null, texts: [], labels: {}, parts: [null], metadata: {}, self: {} }],
    ['numbers beyond their type', { small: 2147483648, int: 1.5, ints: [1, 'a'], number: 9007199254740993n }],
    ['fields nobody knows', { unknown: { a: [1, null] }, self: { unknown: 1 } }],
    ['values of other types', { text: 5, flag: 'true', labels: { a: 1 }, parts: {}, self: [] }],
    ['lists and maps within others', { grid: [[1, 2], [], [3]], lists: { a: [], b: [1] }, maps: [{ a: 1 }, {}] }],
    ['a map for a list', { grid: [{}], maps: [[]] }],
    ['times', { time: '2023-04-05T06:07:08Z', micro: '2023-04-05T06:07:08.000001Z' }],
    ['times in other words', { time: '2023-04-05T06:07:08.5+02:00', micro: 'yesterday' }],
    ['days that are not', { time: '2023-02-30T00:00:00Z' }],
    ['the first and last times', { time: '0001-01-01T00:00:00Z', micro: '9999-12-31T23:59:59.999999Z' }],
    ['integers or strings', { either: 0, self: { either: '' } }],
    ['large integers or strings', { either: 4294967296, self: { either: '80%' } }],
    ['base64 that is not canonical', { bytes: 'QR==', self: { bytes: 'QQ==' } }],
    [
      'keys that mean something to JavaScript',
      JSON.parse('{"labels":{"__proto__":"a"},"byName":{"constructor":{}},"__proto__":1}'),
    ],
    ['inlined fields', { path: '/', port: 80 }],
  ])('keeps %s', (_name, object) => {
    expect(roundTrip({ ...kind, ...object })).toEqual({ ...kind, ...object });
  });

  it('keeps any object', () => {
    const leaf = fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true }),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('2023-04-05T06:07:08Z', 'QQ==', '5Gi'),
    );
    const { value } = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
      object: fc.dictionary(
        fc.oneof(fc.constantFrom(...Object.keys(messages['a/v1#/Thing'] ?? {}), 'name', 'size'), fc.string()),
        tie('value'),
        { maxKeys: 5 },
      ),
    }));
    const names = Object.keys(messages['a/v1#/Thing'] ?? {}).filter((name) => name !== 'metadata' && name !== 'source');
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names, 'more', '__proto__'), value), (object) => {
        expect(roundTrip({ ...kind, ...object })).toEqual({ ...kind, ...object });
      }),
      { numRuns: 500 },
    );
  });

  it('ignores zeros in metadata, except meaningful ones', () => {
    const out = new ProtobufWriter();
    out.message(1, () => {
      out.message(13, () => {
        out.bool(6, false);
        out.string(1, '');
      });
      out.int(10, 0);
      out.message(8, () => undefined);
      out.int(7, 0);
      out.string(1, '');
    });
    const decoded = codec.decode(wrap(out.finish()));
    expect(decoded).toEqual({
      ok: true,
      value: { ...kind, metadata: { deletionGracePeriodSeconds: 0, ownerReferences: [{ controller: false }] } },
    });
  });

  it('reads packed numbers and repeated fields, and skips unknown fields', () => {
    const out = new ProtobufWriter();
    out.string(99, 'new');
    out.message(28, () => out.string(2, 'b'));
    out.message(28, () => {
      out.int(4, 5);
      out.string(2, 'a');
    });
    out.bytes(21, Buffer.from([1, 2, 0x96, 1]));
    out.int(21, 7);
    expect(codec.decode(wrap(out.finish()))).toEqual({
      ok: true,
      value: { ...kind, ints: [7, 1, 2, 150], self: { text: 'b', int: 5 } },
    });
  });
});

describe('a codec of a kind that only has its fields', () => {
  const kinds: Record<string, ProtobufMessage> = {
    'a/v1#/Thing': {
      metadata: [1, 'meta/v1#/ObjectMeta', 'always'],
      text: [2, 'string', 'always'],
      pointer: [3, 'string'],
      flag: [4, 'bool', 'always'],
      time: [5, 'meta/v1#/Time', 'always'],
      either: [6, 'meta/v1#/IntOrString', 'always'],
      quantity: [7, 'meta/v1#/Quantity', 'always'],
      part: [8, 'a/v1#/Part', 'always'],
      texts: [9, 'repeated string'],
      lasting: [10, 'meta/v1#/Duration'],
    },
  };
  const parts: Record<string, ProtobufMessage> = {
    'a/v1#/Part': { size: [1, 'int64', 'always'], name: [2, 'string'] },
  };
  const typed = compileProtobuf({ message: 'a/v1#/Thing', messages: kinds, libraries: [parts] });
  const hex = (object: JsonObject): string => Buffer.from(typed.encodeItem(object)).toString('hex');

  it('writes zeros for fields that always exist, and nothing for the rest', () => {
    const metadata = '0a0012001a0022002a00320038004200';
    const either = '3206080010001a00';
    const quantity = '3a030a0130';
    const part = '42020800';
    expect(hex({})).toBe(`0a10${metadata}120020002a00${either}${quantity}${part}`);
    expect(hex({ time: null, texts: [], part: null, unknown: 1 })).toBe(hex({}));
  });

  it('skips the field in which others keep such values', () => {
    const lossless = compileProtobuf({ message: 'a/v1#/Thing', messages: kinds }, { lossless: true });
    const body = lossless.encode({ ...kind, text: 'a', unknown: 1 });
    const decoded = typed.decode(body);
    expect(decoded).toEqual({ ok: true, value: { ...kind, text: 'a' } });
  });

  it('keeps durations', () => {
    const object = { ...kind, text: '', flag: false, lasting: '1m30s' };
    expect(typed.decode(typed.encode(object))).toMatchObject({ ok: true, value: { lasting: '1m30s' } });
  });
});

function wrap(raw: Uint8Array): Uint8Array {
  const out = new ProtobufWriter();
  out.bytes(2, raw);
  out.message(1, () => {
    out.string(2, kind.kind);
    out.string(1, kind.apiVersion);
  });
  out.raw(Buffer.from('k8s\0', 'latin1'));
  return out.finish();
}

describe('bodies that are refused', () => {
  const failure = (body: Uint8Array): string => {
    const decoded = codec.decode(body);
    return decoded.ok ? 'none' : decoded.problem;
  };
  const fields = (write: (out: ProtobufWriter) => void): Uint8Array => {
    const out = new ProtobufWriter();
    write(out);
    return wrap(out.finish());
  };

  it('have no envelope', () => {
    const message = 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]';
    expect(failure(Buffer.from('{}'))).toBe(message);
    expect(failure(Buffer.from('k8s'))).toBe(message);
    expect(failure(Buffer.alloc(0))).toBe('empty data');
    expect(failure(Buffer.from('k8s\0'))).toBe('empty body');
  });

  it.each<[string, (out: ProtobufWriter) => void, string]>([
    ['a field of another type', (out) => out.int(2, 1), 'wrong wire type 0 for field 2, expected 2'],
    ['text that is no UTF-8', (out) => out.bytes(2, Buffer.from([0xc3, 0x28])), 'invalid UTF-8'],
    ['JSON that is none', (out) => out.bytes(8, Buffer.from('{')), 'unexpected end'],
    ['a time out of range', (out) => out.message(9, () => out.int(1, 2n ** 62n)), 'a time is out of range'],
    ['a number that JSON has not', (out) => out.double(6, Number.NaN), 'the number NaN'],
    ['a map without a value', (out) => out.message(26, () => out.string(1, 'a')), 'a key without a value'],
  ])('have %s', (_name, write, message) => {
    expect(failure(fields(write))).toContain(message);
  });

  it('are nested too deeply', () => {
    const nest = (out: ProtobufWriter, depth: number): void => {
      if (depth > 0) out.message(28, () => nest(out, depth - 1));
    };
    expect(failure(fields((out) => nest(out, 2000)))).toBe('messages are nested too deeply');
    expect(failure(fields((out) => nest(out, 400)))).toBe('none');
  });

  it('never throw, whatever the bytes', () => {
    const good = codec.encode({ ...kind, text: 'x', parts: [{ name: 'a' }], open: [1], grid: [[1]] });
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const broken = Buffer.from(good);
        broken[at] = byte;
        expect(() => codec.decode(broken)).not.toThrow();
        expect(() => codec.decode(broken.subarray(0, at))).not.toThrow();
      }),
    );
  });
});

describe('lists and events', () => {
  it('hold objects that were encoded before', () => {
    const items = [{ text: 'a' }, { text: 'b' }].map((item) => codec.encodeItem({ ...kind, ...item }));
    const list = encodeProtobufList(
      { apiVersion: 'a/v1', kind: 'ThingList', metadata: { resourceVersion: '7' } },
      items,
    );
    const listCodec = compileProtobuf({
      message: 'a/v1#/ThingList',
      messages: {
        ...messages,
        'a/v1#/ThingList': { metadata: [1, 'meta/v1#/ListMeta'], items: [2, 'repeated a/v1#/Thing'] },
      },
    });
    expect(listCodec.decode(list)).toEqual({
      ok: true,
      value: {
        apiVersion: 'a/v1',
        kind: 'ThingList',
        metadata: { resourceVersion: '7' },
        items: [{ text: 'a' }, { text: 'b' }],
      },
    });
  });

  it('have objects in their envelopes, made from encoded parts', () => {
    const object = { ...kind, text: 'a'.repeat(1000) };
    const enveloped = encodeProtobufObject(kind.apiVersion, kind.kind, codec.encodeItem(object));
    expect(Buffer.from(enveloped).equals(codec.encode(object))).toBe(true);
  });

  it('are framed by their length', () => {
    const object = codec.encode({ ...kind, text: 'a' });
    const frame = Buffer.from(encodeProtobufEvent('ADDED', object));
    expect(frame.readUInt32BE(0)).toBe(frame.length - 4);
    const reader = new ProtobufReader(frame.subarray(4));
    reader.next();
    expect(reader.string()).toBe('ADDED');
    reader.next();
    const embedded = reader.message();
    embedded.next();
    expect(embedded.bytes().equals(object)).toBe(true);
  });
});
