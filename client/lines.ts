/** Splits a stream of bytes into lines of text. */

/** Lines without their ends; a last one without an end counts when it is not empty. Cost is linear in the bytes. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const pending: string[] = [];
  for await (const chunk of chunks) {
    const parts = decoder.decode(chunk, { stream: true }).split('\n');
    for (let i = 0; i < parts.length - 1; i++) {
      pending.push(parts[i] ?? '');
      yield pending.join('');
      pending.length = 0;
    }
    pending.push(parts.at(-1) ?? '');
  }
  const last = pending.join('') + decoder.decode();
  if (last !== '') yield last;
}
