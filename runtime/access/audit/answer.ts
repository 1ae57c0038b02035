/** Reads answers for the audit log: their Status, their bytes, and the moment at which the last piece is sent. */
import type { JsonObject } from '../../contract/index.js';
import type { ApiResponse, StreamedBody, StreamSink } from '../../request/api-request.js';

const statusFields = ['status', 'message', 'reason', 'details'] as const;

/** Returns the code of an answer, with the fields of its Status if it has one. */
export function statusOf({ code, document, status = document }: ApiResponse): JsonObject {
  const told: JsonObject = { metadata: {} };
  if (status?.kind === 'Status') {
    for (const name of statusFields) if (status[name] !== undefined) told[name] = status[name];
  }
  told.code = code;
  return told;
}

/** Returns the bytes of an answer that is not a stream; else `undefined`. */
export function wholeBody({ body }: ApiResponse): Uint8Array | undefined {
  if (body instanceof Uint8Array) return body;
  return 'stream' in body ? undefined : Buffer.concat(body);
}

/** Wraps a stream to report its end, with all its bytes if they are collected. */
export function followStream(
  { stream, ...rest }: StreamedBody,
  collects: boolean,
  ended: (bytes: Uint8Array | undefined) => void,
): StreamedBody {
  let chunks: Uint8Array[] | undefined = collects ? [] : undefined;
  let told = false;
  const end = (whole: boolean): void => {
    if (told) return;
    told = true;
    ended(whole && chunks ? Buffer.concat(chunks) : undefined);
    chunks = undefined;
  };
  return {
    ...rest,
    stream(sink) {
      const stop = stream(followSink(sink, (chunk) => chunks?.push(Buffer.from(chunk)), end));
      return () => {
        stop();
        end(false);
      };
    },
    abandoned: () => end(false),
  };
}

function followSink(sink: StreamSink, wrote: (chunk: Uint8Array) => void, end: (whole: boolean) => void): StreamSink {
  return {
    get buffered() {
      return sink.buffered;
    },
    write(chunk) {
      wrote(chunk);
      sink.write(chunk);
    },
    taken: () => sink.taken(),
    end() {
      sink.end();
      end(true);
    },
    destroy() {
      sink.destroy();
      end(false);
    },
  };
}
