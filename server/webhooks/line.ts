/** Connects to one webhook: finds its current address and credentials, and interprets its HTTP answers. */
import type {
  ApiObject,
  WebhookAddress,
  WebhookAnswer,
  WebhookCall,
  WebhookLine,
  WebhookService,
} from '../../runtime/contract/index.js';
import { getOwn, isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { jsonObjectIn } from '../text/limits.js';
import { type CredentialsFile, credentialsFor, type ShownCredentials } from './credentials.js';
import type { OutgoingCalls, Target } from './outgoing-calls.js';
import type { PoolAnswer, PoolTarget } from './pool.js';

/** The settings that lines share. */
export interface LineSettings {
  readonly calls: OutgoingCalls;
  /** The address to use for a Service, if the options set one. */
  readonly serviceAddress: (namespace: string, name: string) => URL | undefined;
  /** Files with credentials. The first file with an entry for a webhook counts. */
  readonly credentials: () => readonly CredentialsFile[];
  /** The size limit of an answer, bytes. */
  readonly mostBytes: number;
}

/** A URL may omit the port. */
const usualPort = 443;

type Found<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

export class HttpsLine implements WebhookLine {
  #opened: { readonly at: PoolTarget; readonly target: Target } | undefined;

  constructor(
    private readonly address: WebhookAddress,
    private readonly settings: LineSettings,
  ) {}

  async post({ body, timeoutMs, isShortened, service }: WebhookCall): Promise<WebhookAnswer> {
    const { ca } = this.address;
    if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----')) {
      return unusable('unable to load root certificates: unable to parse bytes as PEM block');
    }
    const url = this.#url(timeoutMs);
    if (!url) return unusable('the URL cannot be used');
    const failed = (problem: string): WebhookAnswer => ({
      ok: false,
      problem: `Post ${JSON.stringify(told(url, this.address))}: ${problem}`,
    });
    const found = this.#target(url, service);
    if (!found.ok) return failed(found.problem);
    const shown = this.#credentials(url);
    const headers = headersOf(shown);
    if (!headers.ok) return failed(headers.problem);
    const target = this.#open(url, { ...found.value, cert: shown?.cert, key: shown?.key });
    const host = 'url' in this.address ? undefined : `${url.hostname}:${url.port || usualPort}`;
    const { mostBytes } = this.settings;
    const path = url.pathname + url.search;
    const call = { path, host, headers: headers.value, body, mostBytes, timeoutMs, isShortened };
    const answer = await target.send(call);
    return answer.ok ? readReply(answer) : failed(answer.problem);
  }

  close(): void {
    this.#opened?.target.close();
    this.#opened = undefined;
  }

  /** Returns the address for messages. */
  #url(timeoutMs: number): URL | undefined {
    const { address } = this;
    const path = 'url' in address ? '' : address.path.replace(/^(?!\/)/, '/');
    const text = 'url' in address ? address.url : `https://${serverName(address)}:${address.port}${path}`;
    if (!URL.canParse(text)) return undefined;
    const url = new URL(text);
    url.pathname = plainPath(url.pathname);
    const timeout = `timeout=${Math.ceil(timeoutMs / 1000)}s`;
    // Usually there is no other parameter, and no need to read any.
    if (url.search === '') url.search = timeout;
    else url.searchParams.set('timeout', timeout.slice('timeout='.length));
    return url;
  }

  #target(url: URL, service: WebhookCall['service']): Found<PoolTarget> {
    const { address } = this;
    const { ca } = address;
    if ('url' in address) return { ok: true, value: { origin: url.origin, ca } };
    const given = this.settings.serviceAddress(address.namespace, address.name);
    const found = given ? ({ ok: true, origin: given.origin } as const) : serviceOrigin(address, service);
    return found.ok
      ? { ok: true, value: { origin: found.origin, ca, serverName: serverName(address) } }
      : { ok: false, problem: found.problem };
  }

  #credentials(url: URL): ShownCredentials | undefined {
    const port = url.port === '' ? usualPort : Number(url.port);
    for (const file of this.settings.credentials()) {
      const found = credentialsFor(file, url.hostname, port);
      if (found) return found;
    }
    return undefined;
  }

  /** Opens the target again if its address or its credentials have changed. */
  #open(url: URL, at: PoolTarget): Target {
    const opened = this.#opened;
    if (opened && isSame(opened.at, at)) return opened.target;
    this.close();
    const target = this.settings.calls.open(withoutQuery(told(url, this.address)), at, this.address.configuredBy);
    this.#opened = { at, target };
    return target;
  }
}

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

/** Removes redundant slashes, as Kubernetes clients do: `//hooks/` becomes `/hooks`. */
const plainPath = (path: string): string => path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');

const unusable = (problem: string): WebhookAnswer => ({
  ok: false,
  problem: `could not get REST client: ${problem}`,
  isUnusable: true,
});

const serverName = ({ name, namespace }: Extract<WebhookAddress, { name: string }>): string =>
  `${name}.${namespace}.svc`;

const isSame = (a: PoolTarget, b: PoolTarget): boolean =>
  a.origin === b.origin && a.cert === b.cert && a.key === b.key && a.ca === b.ca && a.serverName === b.serverName;

function headersOf(shown: ShownCredentials | undefined): Found<Readonly<Record<string, string>>> {
  try {
    return { ok: true, value: shown?.headers() ?? {} };
  } catch (error) {
    // A token file is gone.
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Prints the address, always with the port of a Service. */
const told = (url: URL, address: WebhookAddress): string =>
  'url' in address || url.port !== '' ? url.href : url.href.replace(url.host, `${url.host}:${usualPort}`);

/** An address to connect to, or the reason why there is none. */
type ServiceOrigin = { readonly ok: true; readonly origin: string } | { readonly ok: false; readonly problem: string };

/** Returns the cluster address of a Service, or the external name of an ExternalName Service. */
export function serviceOrigin(
  { namespace, name, port }: Omit<WebhookService, 'path'>,
  find: WebhookCall['service'],
): ServiceOrigin {
  const service = find(namespace, name);
  if (!service) return no(`service ${JSON.stringify(name)} not found`);
  const spec = objectAt(service, 'spec');
  const [type, address] = [stringAt(spec, 'type'), stringAt(spec, 'clusterIP')];
  if (type === 'ExternalName') return at(stringAt(spec, 'externalName'), port);
  if (address === '' || address === 'None') return no(`cannot route to service with ClusterIP "${address}"`);
  if (!hasPort(service, port)) return no(`no service port ${port} found for service ${JSON.stringify(name)}`);
  return at(address, port);
}

const no = (problem: string): ServiceOrigin => ({ ok: false, problem });

function at(host: string, port: number): ServiceOrigin {
  const origin = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return URL.canParse(origin) ? { ok: true, origin } : no(`the service has the address ${JSON.stringify(host)}`);
}

function hasPort(service: ApiObject, port: number): boolean {
  const spec = objectAt(service, 'spec');
  const ports = spec && getOwn(spec, 'ports');
  return isArray(ports) && ports.some((each) => isObject(each) && each.port === port);
}

/** The number of characters of an answer that messages repeat. */
const mostRepeated = 2048;

const tellings: ReadonlyMap<number, string> = new Map([
  [401, 'the server has asked for the client to provide credentials'],
  [404, 'the server could not find the requested resource'],
  [405, 'the server does not allow this method on the requested resource'],
  [409, 'the server reported a conflict'],
  [422, 'the server rejected our request due to an error in our request'],
  [429, 'the server has received too many requests and has asked us to try again later'],
  [503, 'the server is currently unable to handle the request'],
  [504, 'the server was unable to return a response in the time allotted, but may still be processing the request'],
]);

/** Reads a reply. If the webhook sends a Status with an error code, keeps its message. */
export function readReply({
  code,
  contentType,
  text,
}: Pick<Extract<PoolAnswer, { ok: true }>, 'code' | 'contentType' | 'text'>): WebhookAnswer {
  const refused = (problem: string): WebhookAnswer => ({ ok: false, problem, code });
  if (code >= 200 && code <= 206) {
    if (text !== '') return { ok: true, text };
    return refused(`0-length response with status code: ${code} and content type: ${contentType}`);
  }
  const own = statusMessage(text);
  if (own !== undefined) return refused(own);
  const words = contentType.startsWith('text/') ? text.trim().slice(0, mostRepeated) : '';
  if (code === 403) return refused(words || 'unknown');
  const telling = tellings.get(code);
  if (telling !== undefined) return refused(telling);
  if (code < 500) return refused('the server rejected our request for an unknown reason');
  const repeated = JSON.stringify(words || 'unknown');
  return refused(`an error on the server (${repeated}) has prevented the request from succeeding`);
}

function statusMessage(text: string): string | undefined {
  const status = jsonObjectIn(text);
  if (status?.kind !== 'Status' || status.apiVersion !== 'v1' || status.status === 'Success') return undefined;
  return stringAt(status, 'message') || 'unknown';
}

/** The most texts that are reported in one period. */
const mostTexts = 16;

/**
 * Calls `tell` at most once in `ms` milliseconds for each text, and for at most 16 texts, so that unknown callers
 * cannot fill a log. `clock` returns milliseconds.
 */
export function eachAtMostEvery(
  ms: number,
  tell: (problem: string) => void,
  clock: () => number = () => performance.now(),
): (problem: string) => void {
  const told = new Set<string>();
  let ends = Number.NEGATIVE_INFINITY;
  return (problem) => {
    const now = clock();
    if (now >= ends) {
      told.clear();
      ends = now + ms;
    }
    if (told.has(problem) || told.size >= mostTexts) return;
    told.add(problem);
    tell(problem);
  };
}

/** Calls `tell` at most once in `ms` milliseconds, and drops the calls in between. `clock` returns milliseconds. */
export function atMostEvery(
  ms: number,
  tell: (problem: string) => void,
  clock: () => number = () => performance.now(),
): (problem: string) => void {
  let quietUntil = Number.NEGATIVE_INFINITY;
  return (problem) => {
    const now = clock();
    if (now < quietUntil) return;
    quietUntil = now + ms;
    tell(problem);
  };
}
