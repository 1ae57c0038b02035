/** The headers of requests to programs behind objects, and of their answers. */
import { listMembers } from '../objects/scan/media-types.js';
import { type ApiRequest, headerOf } from '../request/api-request.js';

/** Headers of one connection (RFC 9110, section 7.6.1), and older headers of this kind. */
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

/** Credentials for this server. The usual headers of authenticating proxies begin with `X-Remote-`. */
const credentials = /^(authorization$|impersonate-|x-remote-(user$|uid$|group$|extra-))/;

/** Facts for the headers of a forwarded request, beside the headers of the original request. */
interface Forwarding {
  /** The path that the client would send to this server. */
  readonly uri: string;
  /** Returns whether a header names users to this server; takes its lower-case name. */
  readonly isHidden: (name: string) => boolean;
  /** The protocol to switch to; empty if the request does not ask for one. */
  readonly upgrade: string;
  /** Whether a body of unknown length follows. */
  readonly chunked: boolean;
  /** The bytes of a complete body. */
  readonly length: number | undefined;
  /** The host to name. Default: the request's. */
  readonly host?: string | undefined;
  /** Further headers, as alternating names and values. */
  readonly added?: readonly string[] | undefined;
}

/** Returns the headers for a program, as alternating names and values. */
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

/** Headers that this file sets, whatever the client sends. */
const setHere = new Set(['host', 'x-forwarded-for', 'x-forwarded-uri']);

const valuesOf = (request: ApiRequest, name: string): readonly string[] =>
  request.valuesOf?.(name) ?? [request.headers[name] ?? []].flat();

const namedBy = (values: readonly string[]): readonly string[] =>
  values.flatMap((value) => listMembers(value)).map((name) => name.toLowerCase());

/** Returns a text with one character per byte of UTF-8, because Node writes headers as Latin-1. */
const toBytes = (value: string): string => Buffer.from(value, 'utf8').toString('latin1');

/** Returns the protocol that a request asks for; empty if it asks for none (RFC 9110, section 7.8). */
export function upgradeOf(request: ApiRequest): string {
  const isAsked = namedBy(valuesOf(request, 'connection')).includes('upgrade');
  return isAsked ? (headerOf(request, 'upgrade') ?? '') : '';
}

/** CORS headers. The program's are dropped, because this server decides which pages may read answers. */
const sharing = [
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
] as const;

/** The origin of an answer. */
interface AnswerPlace extends LocationPlace {
  /** Whether the answer is a 101, which must name the protocol. */
  readonly switches: boolean;
}

/** Returns the headers of a program's answer as the client gets them. `raw` has alternating names and values. */
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

/** The base of a redirect. */
export interface LocationPlace {
  /** The path of this server for the program's root, without a slash at its end. */
  readonly prefix: string;
  /** The hosts that mean the program, with their ports: its own address, and the host that the client named. */
  readonly hosts: readonly string[];
}

const absolute = /^(?:(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*))?(\/[^?#]*)?(.*)$/is;

/** Returns a redirect below the prefix if it leads to the program itself, else the unchanged redirect. */
export function rewrittenLocation(location: string, { prefix, hosts }: LocationPlace): string {
  const [, host, path = host === undefined ? '' : '/', rest = ''] = absolute.exec(location) ?? [];
  if (path === '' || (host !== undefined && !hosts.includes(host))) return location;
  const isBelow = path === prefix || path.startsWith(`${prefix}/`);
  return `${isBelow ? '' : prefix}${path}${rest}`;
}
