/** Splits a stream of bytes into lines of text. */

/**
 * Lines without their ends, those together that end in one chunk; a last one without an end counts when it is not empty.
 * Cost is linear in the bytes.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  const pending: string[] = [];
  for await (const chunk of chunks) {
    const lines = decoder.decode(chunk, { stream: true }).split('\n');
    const rest = lines.pop() ?? '';
    if (lines.length > 0) {
      lines[0] = pending.splice(0).join('') + lines[0];
      yield lines;
    }
    pending.push(rest);
  }
  const last = pending.join('') + decoder.decode();
  if (last !== '') yield [last];
}
