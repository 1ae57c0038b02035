/** Frames the chunks of HTTP/1.1 bodies (RFC 9112, section 7.1), once for all responses that send the same bytes. */

const crlf = Buffer.from('\r\n');

/** What ends a body. */
export const lastChunk = Buffer.from('0\r\n\r\n');

let latest: { readonly parts: readonly Uint8Array[]; readonly chunk: Buffer } | undefined;

/**
 * One chunk around some parts, which must not change nor all be empty. The latest one is kept: what happens in a turn is
 * handed to all its watchers one after the other.
 */
export function chunkOf(parts: readonly Uint8Array[]): Buffer {
  if (latest && areSame(latest.parts, parts)) return latest.chunk;
  let length = 0;
  for (const part of parts) length += part.length;
  const chunk = Buffer.concat([Buffer.from(`${length.toString(16)}\r\n`), ...parts, crlf]);
  latest = { parts, chunk };
  return chunk;
}

function areSame(some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  if (some.length !== others.length) return false;
  for (let i = 0; i < some.length; i++) if (some[i] !== others[i]) return false;
  return true;
}
