/** Reads requests of Node servers, over HTTP/1.1 and HTTP/2. */
import type { Authenticated, ClientCertificate, Result } from '../contract/index.js';
import { badRequest, requestEntityTooLarge } from '../objects/status.js';
import type {
  ApiRequest,
  ClientConnection,
  PassedRequest,
  Passing,
  RequestPath,
  RequestTags,
} from '../request/api-request.js';
import { type Pace, usualLimits } from './limits.js';
import {
  clientCertificateOf,
  hasBody,
  hasGone,
  http2SessionOf,
  isTakenBack,
  type NodeRequest,
  onGone,
  watchPace,
} from './node-messages.js';

/** The settings for reading a request. */
export interface Reading {
  /** The path and query. Default: the request's own. */
  readonly target?: string | undefined;
  /** The path under which an app mounts the server. */
  readonly basePath?: string;
  readonly bodyPace?: Pace;
  /** Whether the connection can switch to another protocol. Default: false. */
  readonly upgradable?: boolean;
}

/** Returns the request for verbs. */
export const readRequest = (req: NodeRequest, reading: Reading = {}): ApiRequest => new ReadRequest(req, reading);

class Tags implements RequestTags {
  path?: RequestPath;
  auditId?: string;
  flow?: readonly string[];
  sharing?: readonly string[];
  onEnd?: Authenticated['onEnd'];
}

class ReadRequest implements ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly basePath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly throughProxy: boolean;
  readonly clientCertificate: ClientCertificate | undefined;
  readonly tags: RequestTags = new Tags();
  passing: Passing | undefined = undefined;
  readonly #req: NodeRequest;
  readonly #bodyPace: Pace;
  readonly #upgradable: boolean;
  #body: Promise<Result<Uint8Array>> | undefined;

  constructor(req: NodeRequest, reading: Reading) {
    const { target = req.url ?? '/', basePath = '', bodyPace = usualLimits.bodyPace, upgradable = false } = reading;
    const { path: place, host } = readTarget(target);
    const mark = place.indexOf('?');
    const headers = firstValues(req.rawHeaders);
    this.method = req.method ?? 'GET';
    this.path = mark < 0 ? place : place.slice(0, mark);
    this.search = mark < 0 ? '' : place.slice(mark + 1);
    this.basePath = basePath;
    this.headers = host === undefined ? headers : { ...headers, host };
    this.throughProxy = host !== undefined;
    this.clientCertificate = clientCertificateOf(req);
    this.#req = req;
    this.#bodyPace = bodyPace;
    this.#upgradable = upgradable;
  }

  remoteAddress(): string | undefined {
    return this.#req.socket?.remoteAddress;
  }

  isGone(): boolean {
    return hasGone(this.#req);
  }

  connection(): ClientConnection | undefined {
    // A closed connection does not report its end again, so callers would count it for ever.
    return hasGone(this.#req) ? undefined : (http2SessionOf(this.#req) ?? this.#req.socket);
  }

  valuesOf(name: string): readonly string[] {
    return valuesOf(this.#req.rawHeaders, name);
  }

  readBody(limit: number): Promise<Result<Uint8Array>> {
    this.#body ??= readBody(this.#req, limit, this.#bodyPace);
    return this.#body;
  }

  passOn(): PassedRequest | undefined {
    // Middleware has read the body.
    if (this.#body || this.#req.readableDidRead) return undefined;
    return {
      body: !this.#upgradable && hasBody(this.#req) ? this.#req : undefined,
      upgradable: this.#upgradable,
      onGone: (gone) => onGone(this.#req, gone),
    };
  }
}

/** Reads a body up to a limit. Refuses a larger body as soon as its size is known. */
function readBody(req: NodeRequest, limit: number, pace: Pace): Promise<Result<Uint8Array>> {
  const announced = Number(req.headers['content-length'] ?? 0);
  if (announced > limit) return Promise.resolve(tooLarge(limit));
  // The event `end` is over and does not come again.
  if (req.readableEnded) return Promise.resolve(readBefore);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const end = watchPace(
      pace,
      () => length,
      () => resolve(stopped),
    );
    req.once('close', end);
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) resolve(tooLarge(limit));
      else chunks.push(chunk);
    });
    req.on('end', () => {
      end();
      if (isTakenBack(req)) return resolve(brokenOff);
      const [only] = chunks;
      resolve({ ok: true, value: chunks.length === 1 && only ? only : Buffer.concat(chunks, length) });
    });
    req.on('error', () => resolve(brokenOff));
  });
}

/** The failure of a body that the client did not complete before it disconnected. */
export const brokenOff: Result<never> = {
  ok: false,
  failure: badRequest('the body of the request broke off'),
};

/** The failure of a body that stopped before it was complete. */
export const stopped: Result<never> = {
  ok: false,
  failure: { reason: 'Timeout', code: 408, message: 'the body of the request stopped coming' },
};

/** The failure of a body that middleware has already read. */
export const readBefore: Result<never> = {
  ok: false,
  failure: badRequest('the body of the request was read before the server could; mount it before parsers of bodies'),
};

/** Returns the failure of a body longer than the limit, in bytes. */
export const tooLarge = (limit: number): Result<never> => ({
  ok: false,
  failure: requestEntityTooLarge(`limit is ${limit}`),
});

// Headers as the client sent them. Node joins some repeated ones, and leaves out others.

/** Alternating names and values, as in Node. */
type RawHeaders = readonly string[];

/**
 * Returns the first value of each header by its lower-case name, as the reference does for single headers. A header
 * called `__proto__` is a header like any other.
 */
export function firstValues(rawHeaders: RawHeaders): Readonly<Record<string, string>> {
  const headers = new FirstValues();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? '';
    headers[name] ??= text(rawHeaders[i + 1] ?? '');
  }
  return headers;
}

/** Headers by name. A class, so that requests with the same headers share a shape, which makes reads fast. */
class FirstValues {
  [name: string]: string;
}
// The class inherits nothing, because a header may have any name, such as `constructor`.
Object.setPrototypeOf(FirstValues.prototype, null);
Reflect.deleteProperty(FirstValues.prototype, 'constructor');

/** Returns all values of a header, by its lower-case name, in order. */
export function valuesOf(rawHeaders: RawHeaders, name: string): readonly string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === name) values.push(text(rawHeaders[i + 1] ?? ''));
  }
  return values;
}

const beyondAscii = /[\u0080-\uffff]/;
const beyondBytes = /[\u0100-\uffff]/;

/** Decodes a value. Node reads its bytes as Latin-1, but if they are valid UTF-8, the client means UTF-8. */
function text(value: string): string {
  if (!beyondAscii.test(value) || beyondBytes.test(value)) return value;
  const decoded = Buffer.from(value, 'latin1').toString('utf8');
  return decoded.includes('\ufffd') ? value : decoded;
}

/** The target of a request line (RFC 9112, section 3.2): a path with its query, a whole URL, or an asterisk. */
interface RequestTarget {
  /** The path and query; `*` if the request is about the whole server. */
  readonly path: string;
  /** The host of a whole URL, which replaces the header `Host` (section 3.2.2); absent for other targets. */
  readonly host?: string;
}

const wholeUrl = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/** Reads a target. Keeps the path and query of a whole URL unchanged, including percent-encoding. */
export function readTarget(target: string): RequestTarget {
  if (target.startsWith('/')) return { path: target };
  const [start = '', host = ''] = wholeUrl.exec(target) ?? [];
  if (start === '') return { path: target };
  const rest = target.slice(start.length);
  return { path: rest.startsWith('/') ? rest : `/${rest}`, host };
}
