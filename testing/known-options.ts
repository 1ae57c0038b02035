/** The names of all options of a test server, including options within options. */
import type {
  AdmissionOptions,
  AuditLogOption,
  AuditWebhookOption,
  AuthenticationOptions,
  AuthorizationOptions,
  HistoryOption,
  OidcOption,
  RequestHeaderOption,
  ServiceAccountOptions,
  SigningOption,
  StartOptions,
  TlsOption,
  TokenWebhookOption,
} from '../server/index.js';
import type { TestServerOptions } from './options.js';
import type { UntilObject, UntilOptions } from './until.js';

/** Options by name; null for values that are not checked. */
export interface KnownOptions {
  readonly [name: string]: KnownOptions | null;
}

/** The names of all members of a union. */
type NamesOf<T> = T extends unknown ? keyof T : never;

/** Checks, with its type, that the names exist and that none is missing. */
const named = <T>(options: Readonly<Record<NamesOf<T>, KnownOptions | null>>): KnownOptions => options;

type Given<Name extends keyof StartOptions> = NonNullable<StartOptions[Name]>;

const authentication = named<AuthenticationOptions>({
  anonymous: null,
  administrator: null,
  configFile: null,
  clientCaFile: null,
  tokenFile: null,
  bootstrapTokens: null,
  serviceAccounts: named<ServiceAccountOptions>({
    issuer: null,
    audiences: null,
    signingKeyFile: null,
    signingEndpoint: null,
    keyFiles: null,
    jwksUri: null,
    lookup: null,
    maxSeconds: null,
  }),
  oidc: named<OidcOption>({
    issuerUrl: null,
    clientId: null,
    usernameClaim: null,
    usernamePrefix: null,
    groupsClaim: null,
    groupsPrefix: null,
    requiredClaims: null,
    signingAlgorithms: null,
    caFile: null,
  }),
  tokenWebhook: named<TokenWebhookOption>({ configFile: null, cacheTtlMs: null, version: null }),
  requestHeader: named<RequestHeaderOption>({
    clientCaFile: null,
    usernameHeaders: null,
    groupHeaders: null,
    extraHeadersPrefixes: null,
    allowedNames: null,
  }),
  authenticators: null,
});

const limits = named<Given<'limits'>>({
  fairness: null,
  requests: null,
  mutatingRequests: null,
  requestTimeoutMs: null,
  bodyBytes: null,
  headerBytes: null,
  headers: null,
  urlBytes: null,
  headerTimeoutMs: null,
  idleTimeoutMs: null,
  connections: null,
  connectionsPerUser: null,
  http2Streams: null,
  watchBufferBytes: null,
});

export const testServerOptions = named<TestServerOptions>({
  project: null,
  definitions: null,
  customResources: null,
  kinds: null,
  objects: null,
  controllers: null,
  frozenAt: null,
  faults: named<NonNullable<TestServerOptions['faults']>>({ seed: null, faults: null }),
  naming: null,
  console: null,
  onDamage: null,
  encryption: named<Given<'encryption'>>({ configFile: null }),
  aggregated: named<NonNullable<Given<'aggregated'>>>({ kubeconfig: null, cacheTtlMs: null }),
  history: named<HistoryOption>({ historyWindowMs: null, historyMaxBytes: null }),
  maxObjectBytes: null,
  tls: named<TlsOption>({
    host: null,
    port: null,
    fd: null,
    certificate: null,
    names: null,
    named: null,
    minVersion: null,
    cipherSuites: null,
  }),
  advertiseAddress: null,
  allowedOrigins: null,
  corsAllowedOrigins: null,
  allowedHosts: null,
  routes: null,
  pages: null,
  onStart: null,
  onStop: null,
  authentication,
  authorization: named<AuthorizationOptions>({
    modes: null,
    configFile: null,
    policyFile: null,
    webhook: named<NonNullable<AuthorizationOptions['webhook']>>({
      configFile: null,
      authorizedTtlMs: null,
      unauthorizedTtlMs: null,
      version: null,
    }),
    authorizer: null,
  }),
  aggregation: named<Given<'aggregation'>>({
    proxyCertificate: named<NonNullable<Given<'aggregation'>['proxyCertificate']>>({ certFile: null, keyFile: null }),
    toEndpoints: null,
  }),
  admission: named<AdmissionOptions>({
    plugins: null,
    enable: null,
    disable: null,
    configurationFile: null,
    volumeLabels: null,
    serviceAddresses: null,
  }),
  audit: named<Given<'audit'>>({
    policyFile: null,
    log: named<AuditLogOption>({
      path: null,
      maxAgeDays: null,
      maxBackups: null,
      maxSizeMiB: null,
      compress: null,
      mode: null,
      batch: null,
      truncate: null,
    }),
    webhook: named<AuditWebhookOption>({
      configFile: null,
      mode: null,
      initialBackoffMs: null,
      batch: null,
      truncate: null,
    }),
    sinks: null,
  }),
  limits,
  tracing: named<Given<'tracing'>>({ configFile: null, tracerProvider: null }),
  profiling: null,
  simulatedNodes: null,
  signing: named<SigningOption>({ longestMs: null, authority: null, signers: null }),
  leaderElection: null,
  coordinatedLeadership: named<Given<'coordinatedLeadership'>>({
    durationMs: null,
    renewDeadlineMs: null,
    retryMs: null,
  }),
  proxyLoopback: null,
  featureGates: null,
  runtimeConfig: null,
  emulatedVersion: null,
  projectRelease: null,
  serviceRanges: named<Given<'serviceRanges'>>({ addresses: null, nodePorts: null }),
  tolerations: named<Given<'tolerations'>>({ notReady: null, unreachable: null }),
  shutdownDelayMs: null,
  livezGraceMs: null,
  shownFlags: null,
  productVersion: null,
  onAuditNote: null,
  onDeprecatedUse: null,
  showHiddenMetricsFor: null,
  onRequest: null,
  onLoading: null,
  onDeprecatedMetric: null,
  onProblem: null,
});

export const untilSelector = named<UntilObject>({
  resource: null,
  namespace: null,
  name: null,
  labelSelector: null,
  fieldSelector: null,
});

export const untilOptions = named<UntilOptions>({ timeoutMs: null, signal: null });
