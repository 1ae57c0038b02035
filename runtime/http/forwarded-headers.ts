/** The headers of requests that are passed on to programs behind objects, and of their answers. */
import { listMembers } from '../objects/scan/media-types.js';
import { type ApiRequest, headerOf } from '../request/api-request.js';

/** Headers of one connection (RFC 9110, section 7.6.1), with those that were used before that list. */
const ofConnection = [
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
] as const;

/** Credentials for this server. `X-Remote-` begins the usual headers of proxies that authenticate. */
const credentials = /^(authorization$|impersonate-|x-remote-(user$|uid$|group$|extra-))/;

/** The facts beside its own headers that the headers of a forwarded request depend on. */
interface Forwarding {
  /** Path and query as the client would name them to this server. */
  readonly uri: string;
  /** Checks by its name in lower case whether a header names users to this server. */
  readonly isHidden: (name: string) => boolean;
  /** The protocol to go on in; empty if the request does not ask for another one. */
  readonly upgrade: string;
  /** Whether a body of unknown length follows. */
  readonly chunked: boolean;
  /** Bytes of a body that is there as a whole. */
  readonly length: number | undefined;
  /** The host to name. Default: the one of the request. */
  readonly host?: string | undefined;
  /** Further headers, names and values by turns. */
  readonly added?: readonly string[] | undefined;
}

/** Returns the headers that a program gets, names and values by turns. */
export function headersFor(request: ApiRequest, forwarding: Forwarding): string[] {
  const { uri, isHidden, upgrade, chunked, length, host, added = [] } = forwarding;
  const dropped = new Set<string>([...ofConnection, ...namedBy(valuesOf(request, 'connection'))]);
  const lines: string[] = ['host', host ?? headerOf(request, 'host') ?? headerOf(request, ':authority') ?? ''];
  for (const name of Object.keys(request.headers)) {
    if (name.startsWith(':') || setHere.has(name) || dropped.has(name) || credentials.test(name) || isHidden(name))
      continue;
    if (name === 'content-length' && (chunked || upgrade !== '' || length !== undefined)) continue;
    for (const value of valuesOf(request, name)) lines.push(name, toBytes(value));
  }
  const address = request.remoteAddress?.();
  const before = valuesOf(request, 'x-forwarded-for');
  const path = [...before, ...(address === undefined ? [] : [address])];
  if (path.length > 0) lines.push('x-forwarded-for', toBytes(path.join(', ')));
  lines.push('x-forwarded-uri', uri);
  if (upgrade !== '') lines.push('connection', 'Upgrade', 'upgrade', upgrade);
  if (chunked) lines.push('transfer-encoding', 'chunked');
  if (length !== undefined) lines.push('content-length', String(length));
  for (const text of added) lines.push(toBytes(text));
  return lines;
}

/** Headers that are set here, whatever the client sends. */
const setHere = new Set(['host', 'x-forwarded-for', 'x-forwarded-uri']);

const valuesOf = (request: ApiRequest, name: string): readonly string[] =>
  request.valuesOf?.(name) ?? [request.headers[name] ?? []].flat();

const namedBy = (values: readonly string[]): readonly string[] =>
  values.flatMap((value) => listMembers(value)).map((name) => name.toLowerCase());

/** Returns a character for each byte of UTF-8, as Node writes headers. */
const toBytes = (value: string): string => Buffer.from(value, 'utf8').toString('latin1');

/** Returns the protocol that a request asks for; empty if it asks for none (RFC 9110, section 7.8). */
export function upgradeOf(request: ApiRequest): string {
  const isAsked = namedBy(valuesOf(request, 'connection')).includes('upgrade');
  return isAsked ? (headerOf(request, 'upgrade') ?? '') : '';
}

/** CORS headers. Those of the program are dropped, because this server decides which pages may read answers. */
const sharing = [
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
] as const;

/** Where an answer comes from. */
interface AnswerPlace extends LocationPlace {
  /** Whether the answer is a 101, which names the protocol. */
  readonly switches: boolean;
}

/** Returns the headers of a program's answer as the client gets them. `raw` has names and values by turns. */
export function headersOf(raw: readonly string[], place: AnswerPlace): Record<string, string | string[]> {
  const all = new Map<string, string[]>();
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    all.set(name, [...(all.get(name) ?? []), raw[i + 1] ?? '']);
  }
  const dropped = [...ofConnection, ...namedBy(all.get('connection') ?? []), ...sharing];
  const upgrade = all.get('upgrade');
  for (const name of dropped) all.delete(name);
  const location = all.get('location')?.[0];
  if (location !== undefined) all.set('location', [rewrittenLocation(location, place)]);
  if (place.switches && upgrade) all.set('connection', ['Upgrade']).set('upgrade', upgrade);
  return Object.fromEntries([...all].map(([name, values]) => [name, oneOrMore(values)]));
}

const oneOrMore = (values: string[]): string | string[] => (values.length === 1 ? (values[0] ?? '') : values);

/** The place that a redirect is relative to. */
export interface LocationPlace {
  /** The path of this server that stands for the program's root, without a slash at its end. */
  readonly prefix: string;
  /** The hosts that mean the program, with their ports: its own address, and the host that the client asked. */
  readonly hosts: readonly string[];
}

const absolute = /^(?:(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*))?(\/[^?#]*)?(.*)$/is;

/** Returns a redirect that stays below the prefix if it leads to the program itself; else as it is. */
export function rewrittenLocation(location: string, { prefix, hosts }: LocationPlace): string {
  const [, host, path = host === undefined ? '' : '/', rest = ''] = absolute.exec(location) ?? [];
  if (path === '' || (host !== undefined && !hosts.includes(host))) return location;
  const isBelow = path === prefix || path.startsWith(`${prefix}/`);
  return `${isBelow ? '' : prefix}${path}${rest}`;
}
