/**
 * Forwards requests to the programs behind objects, and returns their answers, also as streams or in other protocols.
 */
import { lookup } from 'node:dns/promises';
import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { type Duplex, pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Failure, ForwardTarget, Result } from '../contract/index.js';
import { certificateProblem } from '../objects/certificate-problem.js';
import { type IpNumber, ipNumber, ipText, isInRange, parseIpRange } from '../objects/ip-address.js';
import { badRequest, serviceUnavailable, timeout } from '../objects/status.js';
import { type ApiRequest, type ApiResponse, headerOf, type StreamStart } from '../request/api-request.js';
import type { Forwarder, ForwardPath, ForwardPeer } from '../request/verb-request.js';
import { headersFor, headersOf, type LocationPlace, upgradeOf } from './forwarded-headers.js';
import { isPage, PageLinks } from './links.js';

interface ForwarderOptions {
  /** Whether to allow programs at loopback, link-local and unspecified addresses. */
  readonly loopback: boolean;
  /** Returns whether a header names users to this server; takes its lower-case name. */
  readonly isHidden: (name: string) => boolean;
  /** The largest body that is not streamed, in bytes. */
  readonly maxBodyBytes: number;
  /** The time for a connection, TLS included, in milliseconds. Default: 30 seconds, as in the reference. */
  readonly connectMs?: number;
  /** The longest time in which neither side sends anything, in milliseconds. Default: 10 minutes. */
  readonly idleMs?: number;
}

/** The largest head of an answer, in bytes. */
const maxHeaderSize = 1024 * 1024;

/**
 * Makes a forwarder. Each request has its own connection, except reads of peers: a program may close a kept connection
 * at any time, and a lost request that is not a read could not be sent again.
 */
export function defineForwarder(options: ForwarderOptions): Forwarder {
  const { loopback, isHidden, maxBodyBytes, connectMs = 30_000, idleMs = 600_000 } = options;
  const open = new Set<Destroyable>();
  const keep = (one: Destroyable): void => {
    open.add(one);
    one.once('close', () => open.delete(one));
  };
  return {
    async forward(request, target, path, peer) {
      const address = await addressOf(target.host, loopback);
      if (!address.ok) return address;
      const upgrade = request.passOn?.()?.upgradable ? upgradeOf(request) : '';
      if (path.rest === '' && upgrade === '' && isRead(request)) return { ok: true, value: withSlash(request, path) };
      const passed = request.passOn?.();
      const body = passed ? { ok: true as const, value: passed.body } : await request.readBody(maxBodyBytes);
      if (!body.ok) return body;
      const shown = hostAndPort(address.value, target.port);
      const asked = path.rest === '' ? '/' : path.rest;
      const chunked = isReadable(body.value) && headerOf(request, 'content-length') === undefined;
      const headers = headersFor(request, {
        uri: `${path.before}${asked}`,
        isHidden,
        upgrade,
        chunked,
        length: lengthOf(body.value, request),
        ...(peer && { host: hostAndPort(target.host, target.port), added: peer.headers }),
      });
      const { request: connect } = target.scheme === 'https' ? await import('node:https') : { request: plainRequest };
      if (request.isGone?.()) return unreachable('the client has gone');
      const place = { prefix: path.before, hosts: [shown, headerOf(request, 'host') ?? ''] };
      const isKept = peer !== undefined && upgrade === '' && isRead(request) && !isReadable(body.value);
      const ask = (on: ForwardPeer['agent'] | undefined, resolve: (answer: Result<ApiResponse>) => void): void => {
        const call = connect({
          host: address.value,
          port: target.port,
          method: request.method,
          path: `${asked}${request.search === '' ? '' : `?${request.search}`}`,
          headers,
          maxHeaderSize,
          ...(on ? { agent: on } : unverified),
        });
        keep(call);
        let isOver = false;
        const settle = (answer: Result<ApiResponse>): void => {
          isOver = true;
          forget?.();
          resolve(answer);
        };
        const forget = passed?.onGone(() => {
          isOver = true;
          call.destroy();
        });
        limitTimes(call, target.scheme, connectMs, idleMs, on !== undefined && on === peer?.keptAgent);
        if (peer?.answerMs !== undefined) limitAnswer(call, peer.answerMs, () => settle(overdue));
        call.on('error', (error) => {
          const isLost = !isOver && isKept && call.reusedSocket && codeOf(error) === 'ECONNRESET';
          if (!isLost) return settle(unreachable(problemOf(error, shown)));
          forget?.();
          ask(peer.agent, resolve);
        });
        call.once('response', (message) => settle({ ok: true, value: toAnswer(call, message, place) }));
        call.once('upgrade', (message, socket: Duplex, head) => {
          keep(socket);
          socket.on('error', () => socket.destroy());
          if (upgrade === '') {
            socket.destroy();
            return settle(unreachable('the program switched protocols without a request to do so'));
          }
          if (head.length > 0) socket.unshift(head);
          settle({ ok: true, value: switched(message, socket, place) });
        });
        send(call, body.value);
      };
      return new Promise((resolve) => ask(isKept ? peer.keptAgent : peer?.agent, resolve));
    },
    close() {
      for (const one of open) one.destroy();
    },
  };
}

/** As in the reference, does not verify the certificate of a program, because it proves nothing about the object. */
const unverified = { agent: false, rejectUnauthorized: false, servername: '' } as const;

/** A request to a program, or a connection after a switch of protocols. */
interface Destroyable {
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

type Body = Readable | Uint8Array | undefined;

const isReadable = (body: Body): body is Readable => body !== undefined && !(body instanceof Uint8Array);

/** Returns the length of a complete body, or `undefined` for a stream. A read has no body, not even an empty one. */
function lengthOf(body: Body, request: ApiRequest): number | undefined {
  if (isReadable(body)) return undefined;
  const { length } = body ?? { length: 0 };
  return length === 0 && isRead(request) ? undefined : length;
}

const isRead = ({ method }: ApiRequest): boolean => method === 'GET' || method === 'HEAD';

/** Redirects a client to the root of a program, so that relative links are right. */
const withSlash = ({ search }: ApiRequest, { before }: ForwardPath): ApiResponse => ({
  code: 301,
  contentType: '',
  headers: { location: `${before}/${search === '' ? '' : `?${search}`}` },
  body: Buffer.alloc(0),
});

/** Sends the body at the pace of the program. If the body breaks off, breaks off the request. */
function send(call: ClientRequest, body: Body): void {
  if (!isReadable(body)) {
    call.end(body);
    return;
  }
  body.once('error', () => call.destroy());
  body.pipe(call);
}

/** Ends a request that gets no answer in time. */
function limitAnswer(call: ClientRequest, ms: number, late: () => void): void {
  const timer = setTimeout(() => {
    late();
    call.destroy();
  }, ms);
  for (const event of ['response', 'upgrade', 'close']) call.once(event, () => clearTimeout(timer));
}

const overdue: Result<ApiResponse> = {
  ok: false,
  failure: timeout('request did not complete within the allotted timeout'),
};

/** Ends a request that gets no connection in time, and an idle connection. */
function limitTimes(
  call: ClientRequest,
  scheme: ForwardTarget['scheme'],
  connectMs: number,
  idleMs: number,
  isKept: boolean,
): void {
  const timer = setTimeout(() => call.destroy(timedOut()), connectMs);
  const clear = (): void => clearTimeout(timer);
  call.once('close', clear);
  call.once('socket', (socket) => {
    if (call.reusedSocket) clear();
    else socket.once(scheme === 'https' ? 'secureConnect' : 'connect', clear);
    const late = (): void => void socket.destroy(timedOut());
    socket.setTimeout(idleMs).once('timeout', late);
    // The next request on a kept connection has its own limit.
    if (isKept) call.once('close', () => socket.off('timeout', late));
  });
}

const codeOf = ({ code }: NodeJS.ErrnoException): string | undefined => code;

const timedOut = (): Error => Object.assign(new Error('i/o timeout'), { code: 'ETIMEDOUT' });

/** Returns the answer of a program as the server's answer. */
function toAnswer(call: ClientRequest, message: IncomingMessage, place: LocationPlace): ApiResponse {
  // If the answer breaks off, its stream fails. Before the stream begins, nobody needs to know.
  message.on('error', () => {});
  const head = answerHead(message, place, false);
  if (call.method === 'HEAD' || !hasLinks(message)) return { ...head, body: bodyOf(message, call) };
  const { 'content-length': _, 'content-encoding': coding, ...headers } = head.headers ?? {};
  const page = coding === undefined ? message : pipeline(message, createGunzip(), () => {});
  return { ...head, headers, body: bodyOf(page, call, new PageLinks(place)) };
}

/** Checks whether to rewrite links in an answer. As in the reference, only in whole HTML pages. */
function hasLinks({ statusCode, headers }: IncomingMessage): boolean {
  const { location, 'content-type': type = '', 'content-encoding': coding } = headers;
  return (
    ![204, 206, 304].includes(statusCode ?? 0) &&
    location === undefined &&
    isPage(type) &&
    (coding === undefined || coding === 'gzip')
  );
}

/** Returns the answer for a program's 101. After it, both sides send any bytes. */
function switched(message: IncomingMessage, socket: Duplex, place: LocationPlace): ApiResponse {
  return {
    ...answerHead(message, place, true),
    body: bodyOf(socket, socket),
    receive: (client) => void client.pipe(socket),
  };
}

function answerHead(
  { statusCode = 502, rawHeaders }: IncomingMessage,
  place: LocationPlace,
  switches: boolean,
): Pick<ApiResponse, 'code' | 'contentType' | 'headers'> {
  const { 'content-type': contentType = '', ...headers } = headersOf(rawHeaders, { ...place, switches });
  return { code: statusCode, contentType: [contentType].flat()[0] ?? '', headers };
}

/** Streams the bytes of a program at the pace of the client. Destroys `source` when the client leaves. */
function bodyOf(
  from: Readable,
  source: Destroyable,
  links?: PageLinks,
): Exclude<ApiResponse['body'], Uint8Array | readonly Uint8Array[]> {
  const stream: StreamStart = (sink) => {
    const pass = async (): Promise<void> => {
      for await (const chunk of from) {
        const ready = links ? links.write(chunk) : chunk;
        if (ready.length > 0) sink.write(ready);
        if (sink.buffered > 0) await sink.taken();
      }
      const rest = links?.end();
      if (rest && rest.length > 0) sink.write(rest);
      sink.end();
    };
    pass().catch(() => sink.destroy());
    return () => void source.destroy();
  };
  return { stream, abandoned: () => void source.destroy() };
}

const unreachable = (why: string): { readonly ok: false; readonly failure: Failure } => ({
  ok: false,
  failure: serviceUnavailable(`error trying to reach service: ${why}`),
});

/** Returns the problem of an error, in the words of the reference if it has some. */
function problemOf({ code, message }: NodeJS.ErrnoException, at: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return `dial tcp ${at}: connect: connection refused`;
    case 'EHOSTUNREACH':
      return `dial tcp ${at}: connect: no route to host`;
    case 'ENETUNREACH':
      return `dial tcp ${at}: connect: network is unreachable`;
    case 'ETIMEDOUT':
      return `dial tcp ${at}: i/o timeout`;
    case 'ECONNRESET':
      return 'EOF';
    default:
      return certificateProblem(code, message) ?? message;
  }
}

const hostAndPort = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

const rangesOf = (blocks: readonly string[]) => blocks.flatMap((block) => parseIpRange(block) ?? []);

/** Unspecified, loopback and link-local addresses (RFC 6890), and IPv4-compatible IPv6 addresses. */
const own = rangesOf(['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '::/96', 'fe80::/10']);

/** Multicast and broadcast addresses. */
const many = rangesOf(['224.0.0.0/4', '255.255.255.255/32', 'ff00::/8']);

const isIn = (ranges: typeof own, address: IpNumber): boolean => ranges.some((range) => isInRange(range, address));

/**
 * Returns the address to connect to. Resolves a name only once, so that the checked address is the address of the
 * connection, even if the name changes in between.
 */
async function addressOf(host: string, loopback: boolean): Promise<Result<string>> {
  let address = ipNumber(host);
  try {
    address ??= ipNumber((await lookup(host)).address);
  } catch {
    return unreachable(`dial tcp: lookup ${host}: no such host`);
  }
  if (!address || isIn(many, address) || (!loopback && isIn(own, address))) {
    return { ok: false, failure: badRequest('address not allowed') };
  }
  return { ok: true, value: ipText(address) };
}
