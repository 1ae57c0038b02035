/** The faults in the stream of a watch. */
import type { ApiResponse, AskedThing, StreamSink } from '../../runtime/server/index.js';
import type { WatchFault } from './rule.js';
import { statusOf } from './status-answer.js';

/** Returns the answer with a faulty stream. Answers that are not streams stay as they are. */
export function faultyWatch(answer: ApiResponse, fault: WatchFault, asked: AskedThing): ApiResponse {
  const { body } = answer;
  if (body instanceof Uint8Array || !('stream' in body)) return answer;
  // Only lines of JSON can take the event of this fault. Other streams break off, and clients then list again, too.
  if (fault.watch === 'expire' && !answer.contentType.startsWith('application/json')) {
    return faultyWatch(answer, { ...fault, watch: 'drop' }, asked);
  }
  return { ...answer, body: { ...body, stream: (sink) => startFaulty(body.stream, sink, fault, asked) } };
}

type Start = (sink: StreamSink) => () => void;

function startFaulty(start: Start, sink: StreamSink, fault: WatchFault, asked: AskedThing): () => void {
  let left = fault.afterEvents ?? 0;
  let isOver = false;
  let stop = (): void => {};
  const strike = (): void => {
    isOver = true;
    // For the server, a half-open watch still has its client.
    if (fault.watch === 'half-open') return;
    if (fault.watch === 'expire') {
      sink.write(Buffer.from(`${JSON.stringify({ type: 'ERROR', object: statusOf({ status: 410 }, asked) })}\n`));
      sink.end();
    } else {
      // Written bytes are sent at the end of the turn.
      setImmediate(() => sink.destroy());
    }
    stop();
  };
  if (fault.watch === 'no-bookmarks') {
    return start(passing(sink, (chunk) => (isBookmark(chunk) ? undefined : sink.write(chunk))));
  }
  const write = (chunk: Uint8Array): void => {
    if (isOver) return;
    if (left === 0) {
      strike();
      return;
    }
    left--;
    sink.write(chunk);
    if (left === 0) strike();
  };
  if (left === 0) strike();
  if (isOver && fault.watch !== 'half-open') return () => {};
  stop = start({ ...passing(sink, write), end: () => isOver || sink.end(), destroy: () => isOver || sink.destroy() });
  if (isOver && fault.watch !== 'half-open') stop();
  return () => stop();
}

const passing = (sink: StreamSink, write: (chunk: Uint8Array) => void): StreamSink => ({
  get buffered() {
    return sink.buffered;
  },
  write,
  taken: () => sink.taken(),
  end: () => sink.end(),
  destroy: () => sink.destroy(),
});

/**
 * Returns whether a chunk of a watch is a bookmark: a line of JSON, an event of an event stream, or a frame of
 * Protobuf.
 */
function isBookmark(chunk: Uint8Array): boolean {
  const start = Buffer.from(chunk.subarray(0, 256)).toString('latin1');
  return /^[^{]*\{"type":"BOOKMARK"/.test(start) || start.slice(4).startsWith('\n\bBOOKMARK');
}
