/** Messages as gRPC frames them: a byte that says whether one is compressed, its length in four bytes, and its bytes. */

const HEADER_BYTES = 5;

/** The frame of one message that is not compressed. */
export function framed(message: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  message.copy(frame, HEADER_BYTES);
  return frame;
}

/** The message of an answer that came in pieces; undefined where they are not one whole message, or a compressed one. */
export function unframed(pieces: readonly Buffer[]): Buffer | undefined {
  const [first] = pieces;
  const frame = pieces.length === 1 && first ? first : Buffer.concat(pieces);
  if (frame.length < HEADER_BYTES || frame[0] !== 0) return undefined;
  return frame.readUInt32BE(1) === frame.length - HEADER_BYTES ? frame.subarray(HEADER_BYTES) : undefined;
}
