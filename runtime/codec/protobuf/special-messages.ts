/** Messages with another form in JSON: times, quantities, integers or strings, objects of any kind. */
import type { JsonValue } from '../../contract/index.js';
import { isObject } from '../../objects/guards.js';
import { formatDuration, parseDuration } from '../../objects/scan/duration.js';
import { formatTime } from '../../objects/scan/time.js';
import { encodeJson } from '../json.js';
import { ProtobufError, type ProtobufReader } from './reader.js';
import { readJson, text, type ValueCodec } from './scalars.js';
import type { ProtobufWriter } from './writer.js';

/** Reads the fields of a small message. The last field with a number counts. */
function readFields(reader: ProtobufReader, read: (field: number) => boolean): void {
  while (reader.next()) if (!read(reader.field)) reader.skip();
}

function message(
  fits: (value: JsonValue) => boolean,
  write: (out: ProtobufWriter, value: JsonValue) => void,
  read: (reader: ProtobufReader) => JsonValue | undefined,
  writeZero: (out: ProtobufWriter) => void = () => {},
): ValueCodec {
  return {
    wireType: 2,
    fits,
    write: (out, field, value) => out.message(field, () => write(out, value)),
    read: (reader) => read(reader.message()),
    zero: undefined,
    writeZero: (out, field) => out.message(field, () => writeZero(out)),
  };
}

const firstSecond = -62135596800;
const lastSecond = 253402300799;

/** Makes the codec of RFC 3339 times with `digits` in the fraction of a second. An empty message means no time. */
function time(digits: 0 | 6): ValueCodec {
  const pattern = digits === 0 ? /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ : /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
  const secondsOf = (written: string): number => Date.parse(`${written.slice(0, 19)}Z`) / 1000;
  const print = (seconds: number, nanos: number): string => {
    const fraction = digits === 0 ? '' : `.${String(Math.floor(nanos / 1000)).padStart(6, '0')}`;
    return `${formatTime(seconds * 1000).slice(0, 19)}${fraction}Z`;
  };
  return message(
    (value) => {
      if (typeof value !== 'string' || !pattern.test(value)) return false;
      const seconds = secondsOf(value);
      // `Date.parse` reads a day such as February 30 as another day, so the text would change.
      return seconds >= firstSecond && new Date(seconds * 1000).getUTCDate() === Number(value.slice(8, 10));
    },
    (out, value) => {
      const written = String(value);
      out.int(2, digits === 0 ? 0 : Number(written.slice(20, 26)) * 1000);
      out.int(1, secondsOf(written));
    },
    (reader) => {
      let seconds: number | bigint | undefined;
      let nanos = 0;
      readFields(reader, (field) => {
        if (field > 2) return false;
        reader.expect(0);
        if (field === 1) seconds = reader.int64();
        else nanos = reader.int32();
        return true;
      });
      if (seconds === undefined && nanos === 0) return undefined;
      const whole = Number(seconds ?? 0);
      const isDate = whole >= firstSecond && whole <= lastSecond && nanos >= 0 && nanos < 1e9;
      if (!isDate) throw new ProtobufError('a time is out of range');
      return print(whole, nanos);
    },
  );
}

/** Makes the codec of a message with one field, the value. */
function wrapped(
  fits: (value: JsonValue) => boolean,
  write: (out: ProtobufWriter, value: JsonValue) => void,
  read: (reader: ProtobufReader) => JsonValue,
  writeZero?: (out: ProtobufWriter) => void,
): ValueCodec {
  const readFirst = (reader: ProtobufReader): JsonValue | undefined => {
    let value: JsonValue | undefined;
    readFields(reader, (field) => {
      if (field !== 1) return false;
      reader.expect(2);
      value = read(reader);
      return true;
    });
    return value;
  };
  return message(fits, write, readFirst, writeZero);
}

const quantity = wrapped(
  text.fits,
  (out, value) => out.string(1, String(value)),
  (reader) => reader.string(),
  (out) => out.string(1, '0'),
);

/** Nanoseconds on the wire, text such as `1m30s` in JSON. */
const duration = message(
  (value) => typeof value === 'string' && formatDuration(parseDuration(value) ?? 0n) === value,
  (out, value) => out.int(1, parseDuration(String(value)) ?? 0n),
  (reader) => {
    let nanoseconds: number | bigint = 0;
    readFields(reader, (field) => {
      if (field !== 1) return false;
      reader.expect(0);
      nanoseconds = reader.int64();
      return true;
    });
    return formatDuration(BigInt(nanoseconds));
  },
  (out) => out.int(1, 0),
);

const anyJson = (fits: (value: JsonValue) => boolean): ValueCodec =>
  wrapped(
    fits,
    (out, value) => out.bytes(1, Buffer.from(encodeJson(value))),
    (reader) => readJson(reader.bytes()),
  );

const intOrString = message(
  (value) => text.fits(value) || (Number.isSafeInteger(value) && !Object.is(value, -0)),
  writeIntOrString,
  (reader) => {
    let kind: number | bigint = 0;
    let number: number | bigint = 0;
    let string = '';
    readFields(reader, (field) => {
      if (field > 3) return false;
      reader.expect(field === 3 ? 2 : 0);
      if (field === 1) kind = reader.int64();
      // The message declares 32 bits. This reads 64, because custom resources may have larger numbers.
      else if (field === 2) number = reader.int64();
      else string = reader.string();
      return true;
    });
    return kind === 0 ? number : string;
  },
  (out) => writeIntOrString(out, 0),
);

function writeIntOrString(out: ProtobufWriter, value: JsonValue): void {
  const isText = typeof value === 'string';
  out.string(3, isText ? value : '');
  out.int(2, isText ? 0 : Number(value));
  out.int(1, isText ? 1 : 0);
}

/** The codecs by message id. */
export const specialMessages: ReadonlyMap<string, ValueCodec> = new Map([
  ['meta/v1#/Time', time(0)],
  ['meta/v1#/MicroTime', time(6)],
  ['meta/v1#/Duration', duration],
  ['meta/v1#/Quantity', quantity],
  ['meta/v1#/IntOrString', intOrString],
  ['meta/v1#/RawExtension', anyJson(isObject)],
  ['meta/v1#/FieldsV1', anyJson(isObject)],
  ['apiextensions/v1#/JSON', anyJson(() => true)],
]);
