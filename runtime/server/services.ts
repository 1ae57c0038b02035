/** Creates the services that verbs and stages share, and the audit log. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { type Audit, defineAudit } from '../access/audit.js';
import { defineAuditNotes } from '../access/audit-event.js';
import { authenticateToken } from '../access/authentication.js';
import type { Authorizer, Follow, Observer } from '../contract/index.js';
import { defineForwarder } from '../http/forward.js';
import { type Metrics, metricTable } from '../metrics/index.js';
import { lastAppliedAnnotation } from '../objects/names/naming.js';
import { emulate, type Release } from '../objects/release.js';
import { gateStages } from '../registry/feature-gates.js';
import type { Registry } from '../registry/registry.js';
import { defineRelationTable } from '../registry/relation-table.js';
import { deprecatedUse } from '../registry/route.js';
import type { ApiRequest } from '../request/api-request.js';
import { defineContinueTokens } from '../request/continue-token.js';
import { ListsInMaking } from '../request/pour.js';
import type { BodyRecorder, VerbServices } from '../request/verb-request.js';
import { defineConversion, defineDecoding, defineMerging } from './admission.js';
import { defineRequestIds } from './finish-answers.js';
import { readDeadline } from './handler.js';
import { usualRequestLimits } from './limit-requests.js';
import type { ServerOptions } from './server-options.js';

/** Largest request body in bytes, as the reference has it. */
const usualBodyBytes = 3 * 1024 * 1024;

/** The default number of bytes of changes that a watcher may fall behind. */
const usualWatchBufferBytes = 16 * 1024 * 1024;

const everyone: Authorizer = { name: 'everyone', decide: () => ({ decision: 'allow' }) };

export function defineServices(
  {
    store,
    naming,
    onAuditNote,
    onDeprecatedUse,
    clock,
    authorizer = everyone,
    authenticators = [],
    audiences = [],
    onDefect = () => {},
    requestLimits = usualRequestLimits,
    release = emulate(),
    proxyLoopback: loopback = false,
    isHiddenHeader: isHidden = () => false,
    requestSizes: { bodyBytes = usualBodyBytes, watchBufferBytes = usualWatchBufferBytes } = {},
  }: ServerOptions,
  follow: Follow,
  registry: Registry,
  featureEnabled: (gate: string) => boolean,
  observer: Observer,
  recorder?: BodyRecorder,
): VerbServices {
  const services: VerbServices = {
    store,
    follow,
    resource: registry.stored,
    relations: defineRelationTable(registry),
    authorizer,
    authorize: async (attributes) => (await authorizer.decide(attributes)).decision === 'allow',
    authenticate: (token, wanted) => authenticateToken(authenticators, services, token, wanted),
    audiences,
    featureEnabled,
    release,
    observer,
    newUid: randomUUID,
    nameSuffix,
    metaGroup: naming.rename('meta.platform.io'),
    protobufMediaType: naming.mediaTypes.protobuf,
    endOfInitialEvents: naming.wellKnown.initialEventsEnd,
    clientSideApply: { manager: 'kubectl', annotation: lastAppliedAnnotation },
    maxBodyBytes: bodyBytes,
    watchBufferBytes,
    continueTokens: defineContinueTokens(store.secret ?? randomBytes(32)),
    listsInMaking: new ListsInMaking(),
    onDefect,
    clock: clock ? () => clock.wallMs() : Date.now,
    ...(clock ? { after: (ms, act) => clock.after(ms, act) } : {}),
    forwarder: defineForwarder({ loopback, isHidden, maxBodyBytes: bodyBytes }),
    knowsKind: registry.knowsKind,
    convert: defineConversion(registry),
    decode: defineDecoding(registry),
    merge: defineMerging(registry),
    timeAllowed: (request) => timeAllowed(request, requestLimits.timeoutMs),
    ...(recorder === undefined ? {} : { recorder }),
    ...(onAuditNote === undefined ? {} : { annotate: defineAuditNotes(onAuditNote) }),
    noteDeprecated: (request, resource, subresource, deprecation) => {
      const use = deprecatedUse(resource, subresource, deprecation, naming);
      observer.deprecatedUse(use);
      onDeprecatedUse?.(use, request);
    },
  };
  return services;
}

/** Characters of generated names: no vowels, and nothing that is easily mistaken for something else. */
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

function nameSuffix(): string {
  let suffix = '';
  for (let i = 0; i < 5; i++) suffix += suffixAlphabet.charAt(randomInt(suffixAlphabet.length));
  return suffix;
}

function timeAllowed(request: ApiRequest, mostMs: number): number {
  const deadline = readDeadline(request, mostMs);
  return deadline.ok ? (deadline.value ?? mostMs) : mostMs;
}

type Described = Pick<ServerOptions, 'productVersion' | 'modules'>;

export function describeServer(
  metrics: Metrics,
  { productVersion, modules }: Described,
  featureEnabled: (gate: string) => boolean,
  release?: Release,
): void {
  const { build, features, versions } = metricTable.server.metrics;
  const [major = '', minor = ''] = productVersion.split('.');
  const platform = `${process.platform}/${process.arch}`;
  metrics.number(build).with(`v${productVersion}`, major, minor, process.version, platform).value = 1;
  const { name, compatible } = release ?? emulate();
  metrics.number(versions).with(emulate('latest').name, 'kube', name, compatible.name).value = 1;
  const byGate = metrics.number(features);
  for (const [gate, stage] of gateStages(modules, release)) {
    byGate.with(gate, stage === 'ga' ? '' : stage.toUpperCase()).value = featureEnabled(gate) ? 1 : 0;
  }
}

// Puts the audit log into a server. It receives the notes on requests, and finds requests by the ids that clients get.

/** The audit log of a server; empty if the options ask for none. */
interface AuditParts {
  readonly audit: Audit | undefined;
  readonly idOf?: (request: ApiRequest) => string;
  /** The options, with the audit log as a receiver of notes. */
  readonly noted: ServerOptions;
}

export function auditOf(options: ServerOptions): AuditParts {
  if (!options.audit) return { audit: undefined, noted: options };
  const idOf = defineRequestIds();
  const audit = defineAudit(options.audit, options.naming, idOf, options.onDefect ?? (() => {}));
  const noted: ServerOptions = {
    ...options,
    onAuditNote(key, value, request) {
      audit.annotate(request, key, value);
      options.onAuditNote?.(key, value, request);
    },
    onDeprecatedUse(use, request) {
      for (const [key, value] of Object.entries(use.annotations)) audit.annotate(request, key, value);
      options.onDeprecatedUse?.(use, request);
    },
  };
  return { audit, idOf, noted };
}
