/** Yields the events of a watch. Each event is one line of JSON. */
export async function* eventsOf<T>(
  body?: AsyncIterable<Uint8Array> | null,
): AsyncGenerator<{ type: string; object: T }> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}
