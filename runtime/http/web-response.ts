/** Turns answers into responses of the Fetch standard, and back. */
import type { ApiResponse, RequestTags, StreamSink, StreamStart } from '../verbs/api-request.js';
import { headerLines } from './response-headers.js';

/** Codes of responses that have no body. */
const withoutBody = new Set([204, 205, 304]);

/** The answer as the Fetch standard has it. */
export function toWebResponse(answer: ApiResponse, tags?: RequestTags): Response {
  const { body, code } = answer;
  const bytes = 'stream' in body ? undefined : body instanceof Uint8Array ? body : Buffer.concat(body);
  const headers = new Headers();
  const lines = headerLines(answer, tags, bytes?.length);
  for (let i = 0; i < lines.length; i += 2) {
    for (const value of [lines[i + 1] ?? []].flat()) headers.append(String(lines[i]), value);
  }
  const sent = 'stream' in body ? readableOf(body.stream) : withoutBody.has(code) ? null : new Uint8Array(bytes ?? []);
  return new Response(sent, { status: code, headers });
}

/** A stream whose bytes wait here until they are taken. */
function readableOf(start: StreamStart): ReadableStream<Uint8Array> {
  let stop: (() => void) | undefined;
  let open = true;
  let onTaken: (() => void)[] = [];
  const wake = (): void => {
    const waiting = onTaken;
    onTaken = [];
    for (const resolve of waiting) resolve();
  };
  /** Nothing more goes out; the stream hears of it once, and not in the middle of what it does. */
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
  return new ReadableStream(
    {
      start(controller) {
        // No bytes, by which the head is sent before there is anything else to send.
        controller.enqueue(new Uint8Array(0));
        stop = start(sinkOf(controller));
      },
      pull: wake,
      cancel: finish,
    },
    { highWaterMark: 0, size: (chunk) => chunk?.length ?? 0 },
  );
}

/** Headers about one connection (RFC 9110, section 7.6.1), which HTTP/2 forbids. */
const ofConnection = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

/** The response as an answer; its body goes at the pace of the client. */
export function fromWebResponse(response: Response): ApiResponse {
  // Responses of h3 have the headers that follow from their body once that has been asked for.
  const { body } = response;
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of response.headers) {
    if (!ofConnection.has(name) && name !== 'content-type') headers[name] = value;
  }
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  return {
    code: response.status,
    contentType: response.headers.get('content-type') ?? '',
    headers,
    body: body ? { stream: streamOf(body) } : new Uint8Array(0),
  };
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
