/**
 * Listens to requests of Node servers: reads each, gets its answer, writes it, and knows which requests are in flight.
 */
import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { withoutTrailing } from '../objects/scan/numbers.js';
import type { MaybePromise } from '../objects/turns.js';
import type { ApiRequest, ApiResponse, RequestTags, Turns } from '../request/api-request.js';
import type { Respond } from './app.js';
import { type SizeLimits, type TimeLimits, usualLimits } from './limits.js';
import { breakOff, closeUnlessRead, type NodeRequest, type NodeResponse } from './node-messages.js';
import { readRequest, readTarget } from './node-request.js';
import { writeResponse } from './node-response.js';
import { type Connections, pageNotFound, refuseUnreadable, tooManyConnections } from './refusals.js';

/** A listener for requests of `node:http`, `node:https` and `node:http2`. */
export type NodeListener = (req: NodeRequest, res: NodeResponse) => void;

/** The limits and observers of a listener. */
export interface ListenerParts {
  readonly limits?: TimeLimits;
  readonly sizes?: SizeLimits;
  readonly connections?: Connections;
  readonly turns?: Turns;
  /** Receives unexpected errors from making or writing an answer. The connection then ends. */
  readonly onDefect?: (error: unknown, request: ApiRequest) => void;
}

/** Makes the listener for all paths of a server, or, as in Express, for all paths below the `baseUrl` of requests. */
export function nodeListener(respond: Respond, parts: ListenerParts = {}): NodeListener {
  const { limits = usualLimits } = parts;
  const answer = batched(respond, limits, parts);
  return (req, res) => {
    const basePath = 'baseUrl' in req && typeof req.baseUrl === 'string' ? req.baseUrl : '';
    const known = answerWithout(req, parts);
    if (known) refuse(req, res, known, limits);
    else answer(readRequest(req, { basePath, bodyPace: limits.bodyPace }), req, res);
  };
}

/** Makes the listener for the paths below one, such as `/kindforge`. */
export function nodeListenerUnder(basePath: string, respond: Respond, parts: ListenerParts = {}): NodeListener {
  const { limits = usualLimits } = parts;
  const base = withoutTrailing(basePath, '/');
  const answer = batched(respond, limits, parts);
  return (req, res) => {
    const target = targetBelow(base, req.url ?? '/');
    const known = answerWithout(req, parts) ?? (target === undefined ? pageNotFound : undefined);
    if (known) refuse(req, res, known, limits);
    else answer(readRequest(req, { target, basePath: base, bodyPace: limits.bodyPace }), req, res);
  };
}

/** Answers a request without the app: a surplus or unreadable request, or one that only checks that the server runs. */
function answerWithout(req: NodeRequest, { sizes, connections }: ListenerParts): ApiResponse | undefined {
  if (connections?.isSurplus(req.socket)) return tooManyConnections;
  return refuseUnreadable(req, sizes) ?? (req.url === '*' && req.method === 'OPTIONS' ? present : undefined);
}

/** The answer to `OPTIONS *`, which is about the whole server (RFC 9110, section 9.3.7). */
const present: ApiResponse = { code: 200, contentType: '', body: Buffer.alloc(0) };

/** Returns the rest of a target below a path, with a leading slash; `undefined` if it is not below the path. */
function targetBelow(base: string, target: string): string | undefined {
  const { path, host } = readTarget(target);
  if (!path.startsWith(base)) return undefined;
  const rest = path.slice(base.length);
  const below = rest === '' || rest.startsWith('?') ? `/${rest}` : rest;
  if (!below.startsWith('/')) return undefined;
  return host === undefined ? below : `http://${host}${below}`;
}

/**
 * Answers the requests of one turn of the event loop together at its end: handles all of them, then writes the answers
 * that are ready. This takes a quarter less CPU time per get, because the code of each step stays in the processor's
 * caches. A single request does not wait.
 */
function batched(
  respond: Respond,
  limits: TimeLimits,
  { turns, onDefect = () => {} }: ListenerParts,
): (request: ApiRequest, req: NodeRequest, res: NodeResponse) => void {
  let waiting: Arrived[] = [];
  /** Ends a request that fails here. The other requests of its turn must continue. */
  const fail = ({ request, res }: Arrived, error: unknown): void => {
    onDefect(error, request);
    breakOff(res);
  };
  const answerOf = (arrived: Arrived): MaybePromise<ApiResponse> | undefined => {
    try {
      return respond(arrived.request, arrived.req, arrived.res);
    } catch (error) {
      fail(arrived, error);
      return undefined;
    }
  };
  const send = (arrived: Arrived, answer: ApiResponse): void => {
    const { request, req, res } = arrived;
    try {
      const written = write(req, res, answer, request.tags, limits);
      if (written instanceof Promise) written.catch((error: unknown) => fail(arrived, error));
    } catch (error) {
      fail(arrived, error);
    }
  };
  const answerAll = (): void => {
    const batch = waiting;
    waiting = [];
    turns?.begin(batch.length);
    const responses = batch.map((arrived) => answerOf(arrived));
    for (let i = 0; i < batch.length; i++) {
      const [arrived, response] = [batch[i], responses[i]];
      if (!arrived || !response) continue;
      if (response instanceof Promise) {
        response.then(
          (late) => send(arrived, late),
          (error: unknown) => fail(arrived, error),
        );
      } else send(arrived, response);
    }
    turns?.end();
  };
  const arrive = (arrived: Arrived): void => {
    if (waiting.push(arrived) > 1) return;
    turns?.announce();
    setImmediate(answerAll);
  };
  return (request, req, res) => {
    const arrived = new Arrived(request, req, res);
    if (isBehind(res)) beginInTurn(req, res, () => arrive(arrived));
    else arrive(arrived);
  };
}

class Arrived {
  constructor(
    readonly request: ApiRequest,
    readonly req: NodeRequest,
    readonly res: NodeResponse,
  ) {}
}

/** Writes the answer to a request that does not reach the app. */
function refuse(req: NodeRequest, res: NodeResponse, answer: ApiResponse, limits: TimeLimits): void {
  const written = write(req, res, answer, undefined, limits);
  if (written instanceof Promise) written.catch(() => breakOff(res));
}

/** Writes an answer. The rest of an unread body does not keep the connection open for ever. */
function write(
  req: NodeRequest,
  res: NodeResponse,
  answer: ApiResponse,
  tags: RequestTags | undefined,
  { restMs }: TimeLimits,
): MaybePromise<void> {
  if (!req.complete) res.once('finish', () => closeUnlessRead(req, restMs));
  return writeResponse(res, answer, tags);
}

// Takes the requests of one HTTP/1.1 connection one at a time, although clients may pipeline them.

/** The number of requests that wait for earlier answers, by connection. */
const waiting = new WeakMap<Socket, number>();

/** Returns whether an earlier request of the connection has no answer yet. */
const isBehind = (res: NodeResponse): res is ServerResponse =>
  res instanceof ServerResponse && res.socket === null && !res.destroyed;

/**
 * Begins a request once all earlier ones have their answers, because answers that cannot be sent yet would fill the
 * memory. Pauses the socket in the meantime, so that only the requests of one read wait.
 */
function beginInTurn({ socket }: NodeRequest, res: ServerResponse, begin: () => void): void {
  waiting.set(socket, (waiting.get(socket) ?? 0) + 1);
  socket.pause();
  res.once('socket', () => {
    const left = (waiting.get(socket) ?? 1) - 1;
    waiting.set(socket, left);
    begin();
    if (left === 0) socket.resume();
  });
}

/** Knows which requests are in progress, so that a closing server can answer them first. */
export interface InProgress<Rest extends readonly unknown[] = []> {
  /** Answers requests. After `beginClosing`, asks clients to use another connection. */
  readonly handle: Answering<Rest>;
  beginClosing(): void;
  /**
   * Resolves when all waiting requests have answers, but not before `atLeastMs`, and at the latest after `atMostMs`.
   */
  settled(atLeastMs: number, atMostMs: number): Promise<void>;
}

/** Answers a request. Never throws or rejects. */
type Answering<Rest extends readonly unknown[]> = (request: ApiRequest, ...rest: Rest) => MaybePromise<ApiResponse>;

/** The interval of checks for requests in progress, in milliseconds. */
const lookMs = 5;

export function defineInProgress<Rest extends readonly unknown[]>(handle: Answering<Rest>): InProgress<Rest> {
  let waiting = 0;
  let isClosing = false;
  const last = (request: ApiRequest, answer: ApiResponse): ApiResponse =>
    isClosing ? lastOf(request, answer) : answer;
  const answerLater = async (request: ApiRequest, answer: Promise<ApiResponse>): Promise<ApiResponse> => {
    waiting++;
    try {
      return last(request, await answer);
    } finally {
      waiting--;
    }
  };
  return {
    handle(request, ...rest): MaybePromise<ApiResponse> {
      const answer = handle(request, ...rest);
      return answer instanceof Promise ? answerLater(request, answer) : last(request, answer);
    },
    beginClosing() {
      isClosing = true;
    },
    async settled(atLeastMs, atMostMs) {
      const began = performance.now();
      for (;;) {
        const passed = performance.now() - began;
        if (passed >= atMostMs || (passed >= atLeastMs && waiting === 0)) return;
        await new Promise((resolve) => setTimeout(resolve, lookMs));
      }
    },
  };
}

/** Marks the last answer of a connection. HTTP/2 announces the end of a connection itself, without a header. */
const lastOf = (request: ApiRequest, answer: ApiResponse): ApiResponse =>
  ':method' in request.headers ? answer : { ...answer, headers: { ...answer.headers, connection: 'close' } };
