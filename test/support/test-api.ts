/** An API server in the test's own process, with the modules that the test names. */
import { afterAll, expect } from 'vitest';
import type {
  AdmissionPlugin,
  Authenticator,
  Authorizer,
  Backend,
  JsonObject,
  KindHandlers,
  NamedConversion,
  ResourceModule,
  Store,
  VirtualHandler,
} from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { type Naming, platformNaming } from '../../runtime/objects/names/naming.js';
import type { Release } from '../../runtime/objects/release.js';
import type { ApiResponse, StreamSink } from '../../runtime/request/api-request.js';
import {
  type ApiServer,
  attributeReader,
  createServer,
  type ExtendApp,
  type HealthCheck,
  type OnAuditNote,
  type OnDeprecatedUse,
  type RuntimeConfig,
} from '../../runtime/server/index.js';
import { type EmbeddedStore, memoryBackend, openStore } from '../../runtime/storage/index.js';
import { requestOf } from './api-requests.js';

/** Options of a test for its server. */
export interface TestApiOptions {
  readonly handlers?: readonly KindHandlers[];
  readonly plugins?: readonly AdmissionPlugin[];
  readonly virtualHandlers?: readonly VirtualHandler[];
  readonly conversions?: readonly NamedConversion[];
  readonly authenticators?: readonly Authenticator[];
  readonly pages?: string;
  readonly audiences?: readonly string[];
  /** Decides about rights. By default, everyone may do everything. */
  readonly authorizer?: Authorizer;
  readonly featureEnabled?: (gate: string) => boolean;
  readonly release?: Release;
  readonly onDeprecatedUse?: OnDeprecatedUse;
  readonly onAuditNote?: OnAuditNote;
  readonly runtimeConfig?: RuntimeConfig;
  /** The naming to serve; by default the platform's own. */
  readonly naming?: Naming;
  readonly corsAllowedOrigins?: readonly string[];
  readonly healthChecks?: readonly HealthCheck[];
  readonly livezGraceMs?: number;
  /** Whether to proxy requests to programs on this machine; false by default. */
  readonly proxyLoopback?: boolean;
  /** Further routes beside the API. */
  readonly routes?: ExtendApp;
  /** The backend for objects; in memory by default. */
  readonly backend?: Backend;
  /** The store to serve, which the caller closes. By default, the server opens its own store on the backend. */
  readonly store?: Store;
}

/** An answer, read to its end. */
export interface Reply {
  readonly code: number;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly text: string;
  /** The body if it is a JSON object; otherwise empty. */
  readonly body: JsonObject;
}

/** The events that a watcher has received. */
export interface Watched {
  /** The events so far, with errors and bookmarks. */
  readonly events: readonly JsonObject[];
  /** Whether the server has ended the stream. */
  readonly ended: boolean;
  stop(): void;
}

/** The server of a test file. */
export interface TestApi {
  readonly server: ApiServer;
  readonly store: EmbeddedStore;
  /** Defects that led to a 500. Tests expect none. */
  readonly defects: readonly unknown[];
  /** Sends a request. A PATCH is a merge patch unless the headers say otherwise. */
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** Starts a watch. Throws if the server refuses it. */
  watch(path: string, headers?: Readonly<Record<string, string>>): Promise<Watched>;
  /** Listens on a free port of this machine until the server is closed. */
  listen(options?: Omit<ListenOptions, 'host' | 'port'>): Promise<Listening>;
  close(): Promise<void>;
}

type ListenOptions = Parameters<ApiServer['listen']>[0];
type Listening = Awaited<ReturnType<ApiServer['listen']>>;

/** Starts a server for the tests of a file or a `describe`. Closes it after them, and expects no defects. */
export async function suiteApi(modules: readonly ResourceModule[], options: TestApiOptions = {}): Promise<TestApi> {
  const api = await startTestApi(modules, options);
  afterAll(async () => {
    await api.close();
    expect(api.defects).toEqual([]);
  });
  return api;
}

/** Starts a server. Requests do not name a user. */
export async function startTestApi(modules: readonly ResourceModule[], options: TestApiOptions = {}): Promise<TestApi> {
  const { naming = platformNaming } = options;
  const own = await openStore({
    backend: options.backend ?? memoryBackend(),
    readAttributes: attributeReader(modules, naming, options.handlers, options.conversions),
  });
  const defects: unknown[] = [];
  const server = createServer({
    modules,
    ...options,
    naming,
    store: options.store ?? own,
    anonymous: { name: 'tester', uid: '', groups: [], extra: {} },
    productVersion: '0.0.0',
    onDefect: (error) => defects.push(error),
  });
  const ask = (method: string, path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const type = method === 'PATCH' && { 'content-type': 'application/merge-patch+json' };
    const sent = { 'user-agent': 'tester/1.0', ...type, ...headers };
    return server.handle(requestOf({ method, path, headers: sent, body: text }));
  };
  const listening: Listening[] = [];
  return {
    server,
    store: own,
    defects,
    send: async (method, path, body, headers) => toReply(await readToEnd(await ask(method, path, body, headers))),
    watch: async (path, headers) => toWatched(await ask('GET', path, undefined, headers)),
    async listen(more) {
      const one = await server.listen({ host: '127.0.0.1', port: 0, ...more });
      listening.push(one);
      return one;
    },
    async close() {
      for (const one of listening) await one.close();
      await own.close();
    },
  };
}

/** Reads a streamed answer. */
async function readToEnd(answer: ApiResponse): Promise<ApiResponse> {
  const { body } = answer;
  if (!('stream' in body) || !body.ends) return answer;
  const chunks: Uint8Array[] = [];
  await new Promise<void>((resolve, reject) => {
    body.stream({
      buffered: 0,
      write: (chunk) => void chunks.push(chunk),
      taken: () => new Promise((taken) => setImmediate(taken)),
      end: resolve,
      destroy: () => reject(new Error('the answer was broken off')),
    });
  });
  return { ...answer, body: chunks };
}

function toReply({ code, contentType, headers = {}, body }: ApiResponse): Reply {
  if ('stream' in body) throw new Error('the answer is a stream');
  const text = Buffer.concat(body instanceof Uint8Array ? [body] : body).toString();
  return { code, contentType, headers, text, body: text.startsWith('{') ? objectIn(text) : {} };
}

function objectIn(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value : {};
}

function toWatched(answer: ApiResponse): Watched {
  if (!('stream' in answer.body)) throw new Error(`no watch: ${toReply(answer).text}`);
  const events: JsonObject[] = [];
  let ended = false;
  const end = (): void => {
    ended = true;
  };
  const sink: StreamSink = {
    buffered: 0,
    write: (chunk) => events.push(objectIn(Buffer.from(chunk).toString())),
    taken: () => Promise.resolve(),
    end,
    destroy: end,
  };
  const stop = answer.body.stream(sink);
  return {
    events,
    get ended() {
      return ended;
    },
    stop,
  };
}
