/** The server: puts registry, store, plugins and transport together from what it is handed. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AdmissionPlugin, Authenticator, ResourceModule, Store, Strategy, UserInfo } from '../contract/index.js';
import type { Naming } from '../objects/naming.js';
import { kubernetesNaming, platformNaming } from '../schema/openapi/index.js';
import { defineContinueTokens } from '../verbs/continue-token.js';
import type { ApiRequest } from '../verbs/exchange.js';
import type { VerbServices } from '../verbs/verb-request.js';
import { byName } from './by-name.js';
import { defineDocuments } from './documents.js';
import { enabledByDefault } from './feature-gates.js';
import { defineHandler, type Handle } from './handler.js';
import { ping, storageCheck } from './health.js';
import { defineApp, listenerOf } from './http.js';
import { underNaming } from './named-modules.js';
import { OpenApiDocuments } from './openapi.js';
import { buildRegistry, type Registry } from './registry.js';

export { attributeReader } from './attribute-reader.js';
export { readFeatureGates } from './feature-gates.js';
export type { Registry } from './registry.js';

/** What a server is made of. All names in modules are platform names; `naming` says how they are served. */
export interface ServerOptions {
  readonly modules: readonly ResourceModule[];
  readonly naming: Naming;
  readonly store: Store;
  readonly strategies?: readonly Strategy[];
  readonly plugins?: readonly AdmissionPlugin[];
  readonly authenticators?: readonly Authenticator[];
  /** Who requests without credentials come from; absent to refuse them. */
  readonly anonymous?: UserInfo;
  /** Which optional parts of the API are on; those that are by default where absent. */
  readonly featureEnabled?: (gate: string) => boolean;
  readonly productVersion: string;
  /** Told of defects: errors that no failure describes, each answered with a 500. */
  readonly onDefect?: (error: unknown, request: ApiRequest) => void;
}

/** A server that answers requests, in process or over HTTP. */
export interface ApiServer {
  readonly registry: Registry;
  readonly handle: Handle;
  /** Starts to listen; port 0 takes a free one. */
  listen(options: { readonly host: string; readonly port: number }): Promise<Listening>;
}

/** A server that listens. */
export interface Listening {
  /** As in `http://127.0.0.1:8080`. */
  readonly url: string;
  /**
   * Stops listening. `settle` brings what is under way to its end, such as by closing the store, which ends watches and
   * refuses further writes. What is then still open after two seconds is broken off.
   */
  close(settle?: () => Promise<void>): Promise<void>;
}

/** Largest request body, as the reference has it. */
const maxBodyBytes = 3 * 1024 * 1024;

/**
 * Puts a server together. The caller keeps the store and closes it after the server. Throws where two resources,
 * strategies, plugins or authenticators go by the same name.
 */
export function createServer(options: ServerOptions): ApiServer {
  const featureEnabled = options.featureEnabled ?? enabledByDefault;
  const registry = buildRegistry({
    modules: options.modules.map((module) => underNaming(module, options.naming)),
    strategies: options.strategies ?? [],
    plugins: options.plugins ?? [],
    featureEnabled,
  });
  byName('authenticators called', options.authenticators ?? [], ({ name }) => name);
  const services = defineServices(options, registry, featureEnabled);
  let address = '';
  const discoveryGroup = options.naming.rename('apidiscovery.platform.io');
  const handle = defineHandler({
    registry,
    services,
    openApi: new OpenApiDocuments(registry, {
      title: 'Kindforge',
      version: `v${options.productVersion}`,
      naming: options.naming.id === 'kubernetes' ? kubernetesNaming : platformNaming,
    }),
    authenticators: options.authenticators ?? [],
    anonymous: options.anonymous,
    healthChecks: [ping, storageCheck(options.store)],
    documents: defineDocuments(services.protobufMediaType, discoveryGroup),
    discoveryGroup,
    productVersion: options.productVersion,
    serverAddress: () => address,
    onDefect: options.onDefect ?? (() => {}),
  });
  return {
    registry,
    handle,
    async listen({ host, port }) {
      const server = createHttpServer({ keepAliveTimeout: 90_000, requestTimeout: 0 }, listenerOf(defineApp(handle)));
      address = await bind(server, host, port);
      return { url: `http://${address}`, close: (settle) => closeServer(server, settle) };
    },
  };
}

function defineServices(
  { store, naming }: ServerOptions,
  registry: Registry,
  featureEnabled: (gate: string) => boolean,
): VerbServices {
  return {
    store,
    resource: registry.stored,
    authorize: () => true,
    featureEnabled,
    newUid: randomUUID,
    nameSuffix,
    metaGroup: naming.rename('meta.platform.io'),
    protobufMediaType: naming.mediaTypes.protobuf,
    endOfInitialEvents: naming.wellKnown.initialEventsEnd,
    clientSideApply: { manager: 'kubectl', annotation: naming.wellKnown.lastAppliedAnnotation },
    maxBodyBytes,
    continueTokens: defineContinueTokens(store.secret ?? randomBytes(32)),
    clock: Date.now,
    knowsKind: registry.knowsKind,
  };
}

/** Characters of generated names: no vowels, and nothing that is easily mistaken for something else. */
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

function nameSuffix(): string {
  let suffix = '';
  for (let i = 0; i < 5; i++) suffix += suffixAlphabet.charAt(randomInt(suffixAlphabet.length));
  return suffix;
}

function bind(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(`${host.includes(':') ? `[${host}]` : host}:${portOf(server.address())}`);
    });
  });
}

const portOf = (address: AddressInfo | string | null): number =>
  address !== null && typeof address === 'object' ? address.port : 0;

/** How long answers that are under way when the server closes may take to be sent, milliseconds. */
const closingMs = 2000;

/** How often connections whose answers have been sent are looked for meanwhile, milliseconds. */
const sweepMs = 10;

async function closeServer(server: Server, settle: (() => Promise<void>) | undefined): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  try {
    await settle?.();
  } finally {
    const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
    const deadline = setTimeout(() => server.closeAllConnections(), closingMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(deadline);
  }
}
