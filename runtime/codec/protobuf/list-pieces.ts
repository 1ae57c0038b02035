/** Long lists in protobuf, piece by piece. */
import { sealAround } from './envelope.js';

/** A list as a message: its own fields, then one field for each item. */
export interface ListMessage {
  readonly apiVersion: string;
  readonly kind: string;
  /** The fields before the items. */
  readonly head: Uint8Array;
  readonly count: number;
  /** Returns an item with its tag and length. Must return the same bytes each time. */
  readonly field: (index: number) => Uint8Array;
}

/** A piece ends after this many bytes. */
const pieceBytes = 64 * 1024;

/** The bytes of items to measure before other requests get a turn. */
const measuredAtOnce = 1024 * 1024;

/**
 * Yields the bytes of a list in its envelope. The length of all items comes before the first item, so each item is
 * encoded twice: to measure it, and to send it. Empty pieces give other requests a turn.
 */
export function* listPieces({ apiVersion, kind, head, count, field }: ListMessage): Generator<Uint8Array> {
  let length = head.length;
  for (let i = 0, turn = measuredAtOnce; i < count; i++) {
    length += field(i).length;
    if (length < turn) continue;
    turn = length + measuredAtOnce;
    yield new Uint8Array(0);
  }
  const { before, after } = sealAround(apiVersion, kind, length);
  let parts: Uint8Array[] = [before, head];
  let bytes = 0;
  for (let i = 0; i < count; i++) {
    const part = field(i);
    parts.push(part);
    length -= part.length;
    bytes += part.length;
    if (bytes < pieceBytes) continue;
    yield Buffer.concat(parts);
    parts = [];
    bytes = 0;
  }
  if (length !== head.length) throw new Error(`the items of ${kind} changed after they were measured`);
  yield Buffer.concat([...parts, after]);
}
