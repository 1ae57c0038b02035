/** One version that a service answers for. Checks the service, and sends requests there. */

import { Agent } from 'node:https';
import type { KeyPair } from '../../plugins/index.js';
import type { ForwardTarget, UserInfo } from '../../runtime/contract/index.js';
import {
  type ApiRequest,
  type ApiResponse,
  answerFailure,
  type Forwarder,
  type ForwardPeer,
  plainText,
  type RemoteVersion,
  warningHeaders,
} from '../../runtime/server/index.js';
import { namedAuthorities } from '../webhooks/machine-authorities.js';
import { openPool, type PoolAnswer, type PoolTarget, tlsOf } from '../webhooks/pool.js';
import type { ApiService } from './api-service.js';
import {
  type AddressSources,
  type Finding,
  failedDiscovery,
  findOrigin,
  passed,
  type ServiceReference,
} from './availability.js';
import { Documents } from './documents.js';
import { identityHeaders } from './identity-headers.js';

/** The parts that all services use. */
export interface RemoteParts {
  readonly addresses: AddressSources;
  /** Returns the certificate that this server shows. */
  readonly certificate: () => KeyPair;
  readonly forwarder: Forwarder;
  /** Called after each check, and when only documents have changed. Must not throw. */
  readonly onChecked: (finding: Finding, hasChanged: boolean) => void;
}

/** The times for checks, milliseconds. */
export interface CheckTimes {
  /** How long a service may take to answer. */
  readonly answer: number;
  /** Between checks of a service that answers. */
  readonly pause: number;
  /** Between checks of a service that does not answer: the first pause, and the longest one. */
  readonly firstRetry: number;
  readonly lastRetry: number;
}

const usualTimes: CheckTimes = { answer: 5000, pause: 30_000, firstRetry: 1000, lastRetry: 10_000 };

export class RemoteService implements RemoteVersion {
  /** The result of the last check; absent before the first one. */
  finding: Finding | undefined;
  readonly #documents: Documents;
  #connection: Connection | undefined;
  #checking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  /** Whether something has changed since the check in progress began. */
  #isDue = false;
  #isClosed = false;

  constructor(
    private readonly spec: ApiService,
    readonly service: ServiceReference,
    private readonly parts: RemoteParts,
    private readonly times = usualTimes,
  ) {
    this.#documents = new Documents(spec.group, spec.version);
  }

  get group(): string {
    return this.spec.group;
  }

  get version(): string {
    return this.spec.version;
  }

  get resources(): Documents['resources'] {
    return this.#documents.resources;
  }

  get openApiV3(): Documents['openApiV3'] {
    return this.#documents.openApiV3;
  }

  get openApiV2(): Documents['openApiV2'] {
    return this.#documents.openApiV2;
  }

  get isCurrent(): boolean {
    return this.finding?.status === 'True';
  }

  async answer(request: ApiRequest, user: UserInfo, answerMs?: number): Promise<ApiResponse> {
    const answer = await this.#send(request, user, answerMs);
    const { code, headers, body } = answer;
    if (code < 300 || code > 399 || headers?.location === undefined) return answer;
    // A client would follow the redirect, and send its credentials for this server there.
    if ('stream' in body) body.abandoned?.();
    return plainText(502, 'the backend attempted to redirect this request, which is not permitted');
  }

  /** Passes on redirects to the same document with its current hash. */
  answerOpenApi(request: ApiRequest): Promise<ApiResponse> {
    return this.#send(request, checker, this.times.answer);
  }

  async #send(request: ApiRequest, user: UserInfo, answerMs: number | undefined): Promise<ApiResponse> {
    if (this.finding === undefined) await this.check();
    if (!this.isCurrent) return this.#unavailable();
    const headers = identityHeaders(user);
    if (!headers) return plainText(500, 'the name, a group or an extra of the user cannot be sent in a header\n');
    const found = this.#connect();
    if ('finding' in found) {
      this.checkSoon();
      return plainText(503, 'service unavailable\n');
    }
    const path = { before: '', rest: request.path };
    const peer = { ...(await found.agents), headers, answerMs };
    const answer = await this.parts.forwarder.forward(request, found.target, path, peer);
    if (answer.ok) return answer.value;
    const { failure } = answer;
    if (failure.reason !== 'ServiceUnavailable') return answerFailure(undefined, failure);
    this.checkSoon();
    return plainText(503, `${failure.message}\n`);
  }

  /** Checks the service now, and from then on again and again. Never rejects. */
  check(): Promise<void> {
    clearTimeout(this.#timer);
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
      if (!this.#isClosed) this.#checkAfter(this.#isDue ? 0 : this.#pause());
      this.#isDue = false;
    });
    return this.#checking;
  }

  /** Checks the service because something may have changed. */
  checkSoon(): void {
    this.#failures = 0;
    if (this.#checking) this.#isDue = true;
    else if (!this.#isClosed) this.#checkAfter(0);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#connection?.close();
  }

  #checkAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.check(), ms).unref();
  }

  #pause(): number {
    const { pause, firstRetry, lastRetry } = this.times;
    return this.isCurrent ? pause : Math.min(firstRetry * 2 ** this.#failures++, lastRetry);
  }

  async #check(): Promise<void> {
    const before = this.isCurrent;
    const { finding, hasChanged = false } = await this.#probe().catch((error: unknown) => ({
      finding: failedDiscovery(String(error)),
      hasChanged: false,
    }));
    if (this.#isClosed) return;
    this.finding = finding;
    if (this.isCurrent) this.#failures = 0;
    this.parts.onChecked(finding, hasChanged || before !== this.isCurrent);
    if (this.isCurrent && (await this.#readOpenApi())) this.parts.onChecked(finding, true);
  }

  /** Returns the result of a check, and whether the resources have changed. */
  async #probe(): Promise<{ readonly finding: Finding; readonly hasChanged?: boolean }> {
    const { ca, group, version } = this.spec;
    if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----')) {
      return { finding: failedDiscovery('unable to load root certificates: unable to parse bytes as PEM block') };
    }
    const found = this.#connect();
    if ('finding' in found) return found;
    const path = `/apis/${group}/${version}`;
    const url = `${found.to.origin}${path}`;
    const missing = (problem: string): { readonly finding: Finding } => ({
      finding: failedDiscovery(`failing or missing response from ${url}: ${problem}`),
    });
    const answer = await found.get(path, this.times.answer);
    if (!answer.ok) return missing(`Get "${url}": ${answer.problem}`);
    if (answer.code < 200 || answer.code > 299) return missing(`bad status from ${url}: ${answer.code}`);
    const hasChanged = this.#documents.takeList(answer.text);
    if (hasChanged === undefined)
      return missing(`the answer is not the APIResourceList of ${group}/${version} in JSON`);
    return { finding: passed, hasChanged };
  }

  /** Reads the OpenAPI documents, and returns whether they have changed. */
  async #readOpenApi(): Promise<boolean> {
    const found = this.#connect();
    return !('finding' in found) && this.#documents.readOpenApi((path) => found.get(path, this.times.answer));
  }

  /** Returns the connections to the current address, or why there is none. */
  #connect(): Connection | { readonly finding: Finding } {
    const { service } = this;
    const { ca, insecure } = this.spec;
    const found = findOrigin(service, this.parts.addresses);
    if ('finding' in found) return found;
    const { cert, key } = this.parts.certificate();
    const before = this.#connection;
    if (before?.to.origin === found.origin && before.to.cert === cert) return before;
    before?.close();
    const serverName = `${service.name}.${service.namespace}.svc`;
    this.#connection = openConnection({ origin: found.origin, ca, serverName, cert, key, insecure });
    return this.#connection;
  }

  #unavailable(): ApiResponse {
    const { reason = '', message = '' } = this.finding ?? {};
    const warning = `${this.version}.${this.group} is not available: ${reason}: ${message}`;
    const answer = plainText(503, 'service unavailable\n');
    return { ...answer, headers: { ...answer.headers, ...warningHeaders({ warnings: [warning] }) } };
  }
}

// Connections to a server behind this one, at one address and with one certificate.

/** The user of this server's own reads; the same as in the reference. */
const checker: UserInfo = { name: 'system:kube-aggregator', uid: '', groups: ['system:masters'], extra: {} };

const checkerHeaders = {
  'x-remote-user': checker.name,
  'x-remote-group': 'system:masters',
  accept: 'application/json',
} as const;

/** The size limit of a document, bytes. */
const mostBytes = 64 * 1024 * 1024;

/** How long an idle connection stays open, milliseconds. */
const keptMs = 15_000;

interface Connection {
  readonly to: PoolTarget;
  readonly target: ForwardTarget;
  /** For requests of users. */
  readonly agents: Promise<Pick<ForwardPeer, 'agent' | 'keptAgent'>>;
  /** Reads a path as the user of checks, with a time limit in milliseconds. Never rejects. */
  get(path: string, ms: number): Promise<PoolAnswer>;
  /** Closes connections of reads. Requests of users continue. */
  close(): void;
}

/** Connects at the first request. */
function openConnection(to: PoolTarget): Connection {
  const pool = openPool(to);
  const { hostname, port } = new URL(to.origin);
  const agents = tlsOf(to, namedAuthorities).then((options) => ({
    agent: new Agent(options),
    keptAgent: new Agent({ ...options, keepAlive: true, timeout: keptMs }),
  }));
  // A check fails with the same error, and then requests do not get here.
  agents.catch(() => undefined);
  return {
    to,
    target: { scheme: 'https', host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443) },
    agents,
    async get(path, ms) {
      const call = { method: 'GET', path, headers: checkerHeaders, mostBytes } as const;
      return (await pool.send(call, AbortSignal.timeout(ms))).answer;
    },
    close: () => pool.close(),
  };
}
