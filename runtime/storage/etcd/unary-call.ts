/** One call that has one answer, over an open HTTP/2 connection. */
import { type ClientHttp2Session, type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2';
import { status as Code } from '@grpc/grpc-js';
import { CallError, unsent, wordsOf } from './errors.js';

export interface UnaryCall {
  /** As in `/etcdserverpb.KV/Range`. */
  readonly path: string;
  readonly message: Buffer;
  /** Header fields of the request, besides the fields of every call. */
  readonly fields: Readonly<Record<string, string>>;
  /** The time limit of the call, in milliseconds. */
  readonly withinMs: number;
}

/** Resolves to the message of the answer. Rejects with a `CallError`. Calls `late` once the time has run out. */
export function callOver(session: ClientHttp2Session, call: UnaryCall, late: () => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let stream: ClientHttp2Stream;
    try {
      stream = session.request(headersOf(call));
    } catch (error) {
      return reject(unsent(error instanceof Error ? wordsOf(error) : String(error)));
    }
    const pieces: Buffer[] = [];
    let httpStatus: number | undefined;
    let status: Status | undefined;
    let problem = 'the connection was closed before the answer';
    let isSettled = false;
    const timer = setTimeout(() => {
      isSettled = true;
      reject(new CallError(Code.DEADLINE_EXCEEDED, `no answer within ${Math.round(call.withinMs)} ms`));
      stream.close(constants.NGHTTP2_CANCEL);
      late();
    }, call.withinMs);
    const settle = (): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      const answer = status ? answerOf(status, pieces) : endedWithout(stream, httpStatus, problem);
      if (answer instanceof CallError) reject(answer);
      else resolve(answer);
    };
    stream.on('response', (headers) => {
      httpStatus = headers[':status'];
      status = statusOf(headers);
    });
    stream.on('trailers', (trailers: IncomingHttpHeaders) => {
      status = statusOf(trailers);
    });
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    // This comes sooner than the end of the stream, which takes another turn of the event loop.
    stream.on('end', () => {
      if (status) settle();
    });
    stream.on('error', (error) => {
      problem = wordsOf(error);
    });
    stream.on('close', settle);
    stream.end(framed(call.message));
  });
}

const headersOf = ({ path, fields, withinMs }: UnaryCall): Record<string, string> => ({
  ':method': 'POST',
  ':path': path,
  te: 'trailers',
  'content-type': 'application/grpc',
  'grpc-timeout': `${Math.max(1, Math.ceil(withinMs))}m`,
  ...fields,
});

interface Status {
  readonly code: Code;
  readonly details: string;
}

/** Returns the status in header fields; undefined if they have none. Its message is percent-encoded. */
function statusOf(fields: IncomingHttpHeaders): Status | undefined {
  const { 'grpc-status': status, 'grpc-message': text } = fields;
  if (status === undefined) return undefined;
  const code = Number(status);
  return { code: code in Code ? code : Code.UNKNOWN, details: typeof text === 'string' ? decoded(text) : '' };
}

function answerOf({ code, details }: Status, pieces: readonly Buffer[]): Buffer | CallError {
  if (code !== Code.OK) return new CallError(code, details);
  return unframed(pieces) ?? new CallError(Code.INTERNAL, 'the answer is not one whole message');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns the error of a stream that has ended without a status. If the server refuses a stream, it has not started the
 * call.
 */
function endedWithout(stream: ClientHttp2Stream, httpStatus: number | undefined, problem: string): CallError {
  if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) return unsent('the server takes no more calls');
  if (httpStatus === undefined || httpStatus === 200) return new CallError(Code.UNAVAILABLE, problem);
  return new CallError(CODES.get(httpStatus) ?? Code.UNKNOWN, `HTTP status ${httpStatus} without a gRPC status`);
}

/** The gRPC codes for answers from a server that does not speak gRPC, by HTTP status. */
const CODES: ReadonlyMap<number, Code> = new Map([
  [400, Code.INTERNAL],
  [401, Code.UNAUTHENTICATED],
  [403, Code.PERMISSION_DENIED],
  [404, Code.UNIMPLEMENTED],
  [429, Code.UNAVAILABLE],
  [502, Code.UNAVAILABLE],
  [503, Code.UNAVAILABLE],
  [504, Code.UNAVAILABLE],
]);

// The frames of gRPC messages: a byte that marks compression, the length in four bytes, and the bytes of the message.

const HEADER_BYTES = 5;

/** Frames one message without compression. */
export function framed(message: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  message.copy(frame, HEADER_BYTES);
  return frame;
}

/**
 * Returns the message of an answer that arrived in pieces. Returns undefined if the pieces are not one whole message,
 * or the message is compressed.
 */
export function unframed(pieces: readonly Buffer[]): Buffer | undefined {
  const [first] = pieces;
  const frame = pieces.length === 1 && first ? first : Buffer.concat(pieces);
  if (frame.length < HEADER_BYTES || frame[0] !== 0) return undefined;
  return frame.readUInt32BE(1) === frame.length - HEADER_BYTES ? frame.subarray(HEADER_BYTES) : undefined;
}
