/** The envelope of protobuf bodies: four magic bytes, then the kind, the bytes of the object and their encoding. */
import { ProtobufError, ProtobufReader } from './reader.js';
import { ProtobufWriter } from './writer.js';

const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/** The content of an envelope. */
export interface Enveloped {
  readonly apiVersion: string;
  readonly kind: string;
  /** The object's message; a view of the body. */
  readonly raw: Uint8Array;
}

/** Makes an envelope. `write` writes the object's fields, which take about `capacity` bytes. */
export function seal(
  apiVersion: string,
  kind: string,
  write: (out: ProtobufWriter) => void,
  capacity?: number,
): Uint8Array {
  const out = new ProtobufWriter(capacity);
  writeEnd(out);
  out.message(2, () => write(out));
  writeBeginning(out, apiVersion, kind);
  return out.finish();
}

/** Makes the parts of an envelope before and after bytes of a known length. */
export function sealAround(
  apiVersion: string,
  kind: string,
  length: number,
): { readonly before: Uint8Array; readonly after: Uint8Array } {
  const before = new ProtobufWriter();
  before.front(2, length);
  writeBeginning(before, apiVersion, kind);
  const after = new ProtobufWriter();
  writeEnd(after);
  return { before: before.finish(), after: after.finish() };
}

function writeBeginning(out: ProtobufWriter, apiVersion: string, kind: string): void {
  out.message(1, () => {
    out.string(2, kind);
    out.string(1, apiVersion);
  });
  out.raw(magic);
}

function writeEnd(out: ProtobufWriter): void {
  out.string(4, '');
  out.string(3, '');
}

/**
 * Opens an envelope. Throws ProtobufError for other bytes. As the reference does, ignores the declared encoding,
 * because only one exists.
 */
export function open(body: Uint8Array): Enveloped {
  if (body.length === 0) throw new ProtobufError('empty data');
  if (body.length < magic.length || !magic.equals(body.subarray(0, magic.length))) {
    throw new ProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${[...magic].join(' ')}]`,
    );
  }
  if (body.length === magic.length) throw new ProtobufError('empty body');
  const reader = new ProtobufReader(body, magic.length);
  let apiVersion = '';
  let kind = '';
  let raw: Uint8Array = Buffer.alloc(0);
  while (reader.next()) {
    if (reader.field > 2) {
      reader.skip();
      continue;
    }
    reader.expect(2);
    if (reader.field === 1) ({ apiVersion, kind } = readTypeMeta(reader.message()));
    else raw = reader.bytes();
  }
  return { apiVersion, kind, raw };
}

function readTypeMeta(reader: ProtobufReader): { readonly apiVersion: string; readonly kind: string } {
  let apiVersion = '';
  let kind = '';
  while (reader.next()) {
    if (reader.field > 2) reader.skip();
    else {
      reader.expect(2);
      if (reader.field === 1) apiVersion = reader.string();
      else kind = reader.string();
    }
  }
  return { apiVersion, kind };
}
