/** Lines of JSON as WebSocket text messages (RFC 6455, section 5.2), made once for all who get the same line. */

const finalText = 0x81;

/** Lengths from these on take two and eight bytes of their own. */
const twoByteLength = 126;
const eightByteLength = 65_536;

/** Messages by line. All watchers of a format share their lines, and servers mask nothing. */
const framed = new WeakMap<Uint8Array, Uint8Array>();

/** The bytes of one text message. */
export function textMessage(line: Uint8Array): Uint8Array {
  let message = framed.get(line);
  if (!message) {
    message = Buffer.concat([head(line.length), line]);
    framed.set(line, message);
  }
  return message;
}

function head(length: number): Buffer {
  if (length < twoByteLength) return Buffer.from([finalText, length]);
  if (length < eightByteLength) return Buffer.from([finalText, 126, length >> 8, length & 0xff]);
  const bytes = Buffer.alloc(10);
  bytes.set([finalText, 127]);
  bytes.writeBigUInt64BE(BigInt(length), 2);
  return bytes;
}
