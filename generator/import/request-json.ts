/** Requests a document from a server, and explains failures and their cures. */
import { isConnectionError, type Transport, type TransportResponse } from '../../client/index.js';
import { mayRepeat } from '../../client/retry.js';
import { MAX_DOCUMENT_BYTES } from './index.js';

/** The request failed, or got another answer. The message says what to do. */
export class RequestError extends Error {
  /** HTTP status; undefined without an answer. */
  readonly code: number | undefined;

  constructor(message: string, code?: number) {
    super(message);
    this.code = code;
  }
}

/** Maximum milliseconds to wait for an answer. */
const TIMEOUT = 60_000;

/** Maximum number of requests for a document if the connection drops. */
const ATTEMPTS = 3;

/**
 * Fetches the bytes of a JSON or YAML document at a path, again if the connection drops. Throws a `RequestError` that
 * names the document `url`.
 */
export async function requestDocument(transport: Transport, path: string, url: string): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(TIMEOUT);
  const request = { method: 'GET', path, headers: { accept: 'application/json' }, signal };
  for (let attempt = 1; ; attempt++) {
    try {
      return await readDocument(await transport.send(request), url);
    } catch (error) {
      if (signal.aborted) throw new RequestError(`${url} did not answer within ${TIMEOUT / 1000} seconds`);
      if (!isConnectionError(error)) throw error;
      if (attempt < ATTEMPTS && mayRepeat(request, error)) continue;
      throw new RequestError(`${error.message}; is the server running, and is this its address?`);
    }
  }
}

async function readDocument(response: TransportResponse, url: string): Promise<Uint8Array> {
  const bytes = await readBounded(response, url);
  if (response.status !== 200) throw refusal(response.status, url);
  if (!isHtml(response, bytes)) return bytes;
  throw new RequestError(`${url} is a web page; name the address of the document, as in https://host/openapi/v2`);
}

async function readBounded(response: TransportResponse, url: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.chunks()) {
    length += chunk.length;
    if (length > MAX_DOCUMENT_BYTES) {
      throw new RequestError(`the answer of ${url} must be at most ${MAX_DOCUMENT_BYTES / 1024 / 1024} MiB`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isHtml(response: TransportResponse, bytes: Uint8Array): boolean {
  return (
    /\bhtml\b/.test(response.header('content-type')) ||
    Buffer.from(bytes.subarray(0, 100)).toString().trimStart().startsWith('<')
  );
}

function refusal(code: number, url: string): RequestError {
  if (code === 401 || code === 403) {
    const what = code === 401 ? 'the server needs credentials' : 'the server does not allow it';
    const cure =
      'name a --kubeconfig with a user that may read it, or save it with `kubectl get --raw <path> > openapi.json` and import that file';
    return new RequestError(`${url} answers ${code}: ${what}; ${cure}`, code);
  }
  const cure = code === 404 ? '; servers have their documents at /openapi/v3 and /openapi/v2' : '';
  return new RequestError(`${url} answers ${code}${cure}`, code);
}
