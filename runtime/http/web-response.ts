/** Turns answers into responses of the Fetch standard, and back. */
import {
  type ApiResponse,
  isStreamed,
  type RequestTags,
  type StreamedBody,
  type StreamSink,
  type StreamStart,
} from '../request/api-request.js';
import { headerLines } from './node-messages.js';

/** Returns the headers of an answer as the Fetch standard has them. */
export function headersOf(answer: ApiResponse, tags: RequestTags | undefined): Headers {
  const { body } = answer;
  const headers = new Headers();
  const lines = headerLines(answer, tags, isStreamed(body) ? undefined : lengthOf(body));
  for (let i = 0; i < lines.length; i += 2) {
    for (const value of [lines[i + 1] ?? []].flat()) headers.append(String(lines[i]), value);
  }
  return headers;
}

const lengthOf = (body: Uint8Array | readonly Uint8Array[]): number =>
  body instanceof Uint8Array ? body.length : body.reduce((sum, { length }) => sum + length, 0);

/** Returns a body as the Fetch standard takes it. Does not join or start anything before the first read. */
export function webBody(body: ApiResponse['body']): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  if (isStreamed(body)) return readableOf(body);
  if (body instanceof Uint8Array) return isOfFetch(body) ? body : new Uint8Array(body);
  return readableOf({ stream: streamOfChunks(body) });
}

/** Checks whether the Fetch standard takes the bytes. It refuses memory that threads share. */
const isOfFetch = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> => bytes.buffer instanceof ArrayBuffer;

const streamOfChunks =
  (chunks: readonly Uint8Array[]): StreamStart =>
  (sink) => {
    let stopped = false;
    const send = async (): Promise<void> => {
      for (const chunk of chunks) {
        if (stopped) return;
        sink.write(chunk);
        if (sink.buffered > 0) await sink.taken();
      }
      sink.end();
    };
    send().catch(() => sink.destroy());
    return () => {
      stopped = true;
    };
  };

/** Makes a stream that starts at its first read. Holds its bytes until the reader takes them. */
function readableOf({ stream: start, abandoned }: StreamedBody): ReadableStream<Uint8Array> {
  let stop: (() => void) | undefined;
  let open = true;
  let onTaken: (() => void)[] = [];
  const wake = (): void => {
    const waiting = onTaken;
    onTaken = [];
    for (const resolve of waiting) resolve();
  };
  /** Ends the output. Stops the stream only once, and not in the middle of its work. */
  const finish = (): void => {
    if (!open) return;
    open = false;
    wake();
    setImmediate(() => stop?.());
  };
  const sinkOf = (controller: ReadableStreamDefaultController<Uint8Array>): StreamSink => ({
    get buffered() {
      return open ? -(controller.desiredSize ?? 0) : 0;
    },
    write(chunk) {
      if (open) controller.enqueue(chunk);
    },
    taken: () =>
      new Promise((resolve) => {
        if (open && (controller.desiredSize ?? 0) < 0) onTaken.push(resolve);
        else setImmediate(resolve);
      }),
    end() {
      if (open) controller.close();
      finish();
    },
    destroy() {
      if (open) controller.error(new Error('the answer is broken off'));
      finish();
    },
  });
  let started = false;
  return new ReadableStream(
    {
      pull(controller) {
        if (started) return wake();
        started = true;
        // An empty chunk sends the head before there is a body.
        controller.enqueue(new Uint8Array(0));
        stop = start(sinkOf(controller));
      },
      cancel: () => (started ? finish() : abandoned?.()),
    },
    { highWaterMark: 0, size: (chunk) => chunk?.length ?? 0 },
  );
}

/** The headers about one connection (RFC 9110, section 7.6.1), which HTTP/2 forbids. */
const ofConnection = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

/** Returns the response as an answer. It sends the body at the pace of the client. */
export function fromWebResponse(response: Response): ApiResponse {
  // Responses of h3 only set the headers of a body when code reads `body`, so this reads it first.
  const { body, headers, status } = response;
  const { 'content-length': length, ...fields } = fieldsOf(headers);
  return {
    code: status,
    contentType: headers.get('content-type') ?? '',
    headers: body && length !== undefined ? { ...fields, 'content-length': length } : fields,
    body: body ? { stream: streamOf(body) } : new Uint8Array(0),
  };
}

/** Returns the answer with the headers of middleware. They replace its own headers of the same names. */
export function withAdded(answer: ApiResponse, headers: Headers): ApiResponse {
  const { 'content-length': _length, ...added } = fieldsOf(headers);
  const contentType = headers.get('content-type');
  if (contentType === null && Object.keys(added).length === 0) return answer;
  return {
    ...answer,
    contentType: contentType ?? answer.contentType,
    headers: { ...answer.headers, ...added },
    added: { ...answer.added, ...added },
  };
}

/** Returns the headers except the type of the body, and headers about the connection. */
function fieldsOf(headers: Headers): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = {};
  for (const [name, value] of headers) {
    if (!ofConnection.has(name) && name !== 'content-type') fields[name] = value;
  }
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) fields['set-cookie'] = cookies;
  return fields;
}

const streamOf =
  (body: ReadableStream<Uint8Array>): StreamStart =>
  (sink) => {
    const reader = body.getReader();
    const send = async (): Promise<void> => {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return sink.end();
        sink.write(value);
        if (sink.buffered > 0) await sink.taken();
      }
    };
    send().catch(() => sink.destroy());
    return () => {
      reader.cancel().catch(() => {});
    };
  };
