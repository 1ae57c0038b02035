/** Finishes answers: gives them the ids of their requests and warnings, and compresses large ones. */
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { drained } from '../http/node-messages.js';
import { memoizeByObject } from '../objects/memoize.js';
import { listMembers } from '../objects/scan/media-types.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import {
  type ApiRequest,
  type ApiResponse,
  type Handle,
  isStreamed,
  type StreamedBody,
  type StreamStart,
} from '../request/api-request.js';

export const auditId = 'audit-id';

/**
 * Adds the id of each request to its answer. A client may choose the id, and so find it in its own records. Clients in
 * the same process need no ids.
 */
export const withAuditIds =
  (handle: Handle, idOf = newId): Handle =>
  (request) => {
    if (request.tags) request.tags.auditId = idOf(request);
    return handle(request);
  };

function newId({ headers }: ApiRequest): string {
  const said = headers[auditId];
  return typeof said === 'string' && printable.test(said) ? said : randomUUID();
}

/** Returns a function that gives each request one id. Later calls return the same id. */
export function defineRequestIds(): (request: ApiRequest) => string {
  const idInProcess = memoizeByObject(newId);
  return (request) => request.tags?.auditId ?? (request.tags ? newId(request) : idInProcess(request));
}

/** The characters that a header may contain. */
const printable = /^[\x21-\x7e]+$/;

const warning =
  '299 - "the provided Authorization header contains extra space before the bearer token, and is ignored"';

/**
 * Adds a warning to the answer if two blanks precede the token, because the request then counts as one without
 * credentials.
 */
export const withBlankTokenWarnings =
  (handle: Handle): Handle =>
  (request) =>
    hasBlankToken(request) ? thenSync(handle(request), withWarning) : handle(request);

/** Checks whether two blanks follow the scheme. */
function hasBlankToken({ headers: { authorization } }: ApiRequest): boolean {
  if (typeof authorization !== 'string' || !authorization.includes('  ')) return false;
  return /^bearer {2}/i.test(authorization.trim());
}

function withWarning(answer: ApiResponse): ApiResponse {
  const before = answer.headers?.warning ?? [];
  return { ...answer, headers: { ...answer.headers, warning: [warning, ...[before].flat()] } };
}

/** Answers up to this size, in bytes, are sent uncompressed, because compression would take longer than sending. */
const threshold = 128 * 1024;

/** Returns the answer, or a promise of it with a body in gzip. For small answers and streams, only reads their size. */
export function compressed(request: ApiRequest, answer: ApiResponse): MaybePromise<ApiResponse> {
  const { body } = answer;
  if (isStreamed(body)) return body.ends && takesGzip(request) ? zipStream(answer, body) : answer;
  if (sizeOf(body) <= threshold || !takesGzip(request)) return answer;
  return zip(answer, body);
}

const sizeOf = (body: Uint8Array | readonly Uint8Array[]): number =>
  body instanceof Uint8Array ? body.length : body.reduce((sum, chunk) => sum + chunk.length, 0);

async function zip(answer: ApiResponse, body: Uint8Array | readonly Uint8Array[]): Promise<ApiResponse> {
  const whole = body instanceof Uint8Array ? body : Buffer.concat(body);
  const { constants, gzip } = await import('node:zlib');
  return zipped(answer, await promisify(gzip)(whole, { level: constants.Z_BEST_SPEED }));
}

/** Compresses an answer while it is made and sent, at its client's pace. */
async function zipStream(answer: ApiResponse, { stream: start, ...rest }: StreamedBody): Promise<ApiResponse> {
  const { constants, createGzip } = await import('node:zlib');
  const stream: StreamStart = (sink) => {
    const gzip = createGzip({ level: constants.Z_BEST_SPEED });
    gzip.on('data', (chunk: Buffer) => sink.write(chunk));
    gzip.on('end', () => sink.end());
    const stop = start({
      get buffered() {
        return gzip.writableLength + sink.buffered;
      },
      write: (chunk) => void gzip.write(chunk),
      async taken() {
        if (gzip.writableNeedDrain) await drained(gzip);
        await sink.taken();
      },
      end: () => void gzip.end(),
      destroy() {
        gzip.destroy();
        sink.destroy();
      },
    });
    return () => {
      stop();
      gzip.destroy();
    };
  };
  return zipped(answer, { ...rest, stream });
}

const zipped = (answer: ApiResponse, body: ApiResponse['body']): ApiResponse => ({
  ...answer,
  headers: { ...answer.headers, 'content-encoding': 'gzip', vary: varyOf(answer) },
  body,
});

function varyOf({ headers }: ApiResponse): string[] {
  const vary = headers?.vary ?? [];
  return [...(typeof vary === 'string' ? [vary] : vary), 'Accept-Encoding'];
}

/** Checks whether the client accepts gzip. As in the reference, `gzip` with a weight does not count. */
function takesGzip({ headers }: ApiRequest): boolean {
  const encodings = headers['accept-encoding'];
  if (encodings === undefined) return false;
  const text = typeof encodings === 'string' ? encodings : encodings.join(',');
  return listMembers(text).includes('gzip');
}
