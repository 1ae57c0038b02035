/** The stream of a response whose head was sent. */
import type { StreamSink } from '../verbs/api-request.js';
import { breakOff, drained, isWritable, type NodeResponse, needsDrain } from './node-messages.js';

/** Streams to a response. What is written once nobody can get it any more is dropped. */
export function responseStream(res: NodeResponse): StreamSink {
  return {
    get buffered() {
      return res.writableLength;
    },
    write(bytes) {
      if (isWritable(res)) res.write(bytes);
    },
    taken: () => (needsDrain(res) ? drained(res) : new Promise((resolve) => setImmediate(resolve))),
    end: () => void res.end(),
    destroy: () => breakOff(res),
  };
}
