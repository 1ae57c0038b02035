/** Frames the chunks of HTTP/1.1 bodies (RFC 9112, section 7.1). */

const lineEnd = Buffer.from('\r\n');

/** One chunk around parts that are not all empty: an empty one would end the body. */
export function chunkOf(parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.from(`${length.toString(16)}\r\n`), ...parts, lineEnd]);
}
