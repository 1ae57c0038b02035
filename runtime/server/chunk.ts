/** Frames the chunks of HTTP/1.1 bodies (RFC 9112, section 7.1), once for all responses that send the same bytes. */

const crlf = Buffer.from('\r\n');

/** What ends a body. */
export const lastChunk = Buffer.from('0\r\n\r\n');

let latest: { readonly bytes: Uint8Array; readonly chunk: Buffer } | undefined;

/**
 * The chunk around some bytes, which must not be empty or change. The latest one is kept: an event is handed to its
 * watchers one after the other.
 */
export function chunkOf(bytes: Uint8Array): Buffer {
  if (latest?.bytes === bytes) return latest.chunk;
  const chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, crlf]);
  latest = { bytes, chunk };
  return chunk;
}
