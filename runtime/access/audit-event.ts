/** Builds audit events as lines of JSON, from the facts of a request. */
import { isIP } from 'node:net';
import { performance } from 'node:perf_hooks';
import { encodeJson } from '../codec/json.js';
import type {
  AccessAttributes,
  AuditLevel,
  AuditRecord,
  AuditStage,
  JsonObject,
  ObjectMeta,
  UserInfo,
} from '../contract/index.js';
import { memoizeByObject } from '../objects/memoize.js';
import { listMembers } from '../objects/scan/media-types.js';
import type { RequestPath } from '../registry/route.js';
import { type ApiRequest, headerOf } from '../request/api-request.js';
import type { ActingUser } from './authentication.js';

/** Served names. */
export interface EventNames {
  /** As in `audit.platform.io/v1`. */
  readonly apiVersion: string;
  /** The annotation of an event without its bodies. */
  readonly truncated: string;
}

/** The known facts of a request. */
export interface RequestFacts {
  readonly level: AuditLevel;
  readonly id: string;
  readonly asked: AskedText;
  /** As in `2026-01-02T03:04:05.678901Z`. */
  readonly receivedAt: string;
  acting?: ActingUser;
  reference: ObjectReference | undefined;
  /** The code and Status fields of the answer; absent before there is an answer. */
  status?: JsonObject;
  /** Bodies, in JSON. */
  requestObject?: string;
  responseObject?: string;
  readonly annotations: Map<string, string>;
}

/** The JSON text that all events of a request share, built once. */
export interface AskedText {
  /** The URI, the verb and the user. */
  readonly request: string;
  /** The source addresses and the user agent. */
  readonly origin: string;
}

/** @param user absent if unknown. */
export function askedText(
  uri: string,
  verb: string,
  user: UserInfo | undefined,
  sourceAddresses: readonly string[],
  agent: string,
): AskedText {
  return {
    request: `,"requestURI":${quoted(uri)},"verb":${quoted(verb)},"user":${user ? userText(user) : '{}'}`,
    origin:
      field('sourceIPs', sourceAddresses.length > 0 ? quoted(sourceAddresses) : undefined) +
      field('userAgent', agent === '' ? undefined : quoted(agent)),
  };
}

/** Builds the event of a stage, once for all sinks. */
export function eventOf(facts: RequestFacts, stage: AuditStage, at: string, names: EventNames): AuditRecord {
  const { annotations } = facts;
  const before = textBefore(facts, stage, names);
  const bodies = field('requestObject', facts.requestObject) + field('responseObject', facts.responseObject);
  const times = `,"requestReceivedTimestamp":"${facts.receivedAt}","stageTimestamp":"${at}"`;
  const cut = (): string => `${before}${times}${annotationsText([...annotations, [names.truncated, 'true']])}}`;
  return { json: `${before}${bodies}${times}${annotationsText([...annotations])}}`, cut };
}

/** Builds the part of an event before its bodies. */
function textBefore(facts: RequestFacts, stage: AuditStage, { apiVersion }: EventNames): string {
  const { asked, acting, reference, status } = facts;
  const constraint = acting?.constraint;
  return (
    `{"kind":"Event","apiVersion":"${apiVersion}","level":"${facts.level}","auditID":${quoted(facts.id)}` +
    `,"stage":"${stage}"${asked.request}` +
    field('impersonatedUser', acting && userText(acting.user)) +
    field('authenticationMetadata', constraint && `{"impersonationConstraint":${quoted(constraint)}}`) +
    asked.origin +
    field('objectRef', reference && referenceText(reference)) +
    field('responseStatus', status && encodeJson(status))
  );
}

const quoted = (value: string | readonly string[]): string => JSON.stringify(value);

const field = (name: string, text: string | undefined): string => (text === undefined ? '' : `,"${name}":${text}`);

/** Cached, because most requests come from known users. */
const userText = memoizeByObject(({ name, uid, groups, extra }: UserInfo): string =>
  JSON.stringify({
    ...(name === '' ? {} : { username: name }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }),
);

function referenceText(reference: ObjectReference): string {
  let text = `{"resource":${quoted(reference.resource)}`;
  for (const name of referenceFields) if (reference[name] !== '') text += `,"${name}":${quoted(reference[name])}`;
  return `${text}}`;
}

const referenceFields = [
  'namespace',
  'name',
  'uid',
  'apiGroup',
  'apiVersion',
  'resourceVersion',
  'subresource',
] as const;

function annotationsText(annotations: readonly (readonly [string, string])[]): string {
  if (annotations.length === 0) return '';
  const sorted = annotations.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `,"annotations":{${sorted.map(([key, value]) => `${quoted(key)}:${quoted(value)}`).join(',')}}`;
}

/** Unknown texts are empty. */
interface ObjectReference {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resourceVersion: string;
  readonly subresource: string;
}

/** Returns the object reference of a request; `undefined` for paths outside of resources. */
export function referenceOf(attributes: AccessAttributes, { parts }: RequestPath): ObjectReference | undefined {
  if ('path' in attributes) return undefined;
  const { resource, namespace = '', name = '', group, subresource = '' } = attributes;
  const apiVersion = parts[parts[1] === 'apis' ? 3 : 2] ?? '';
  return { resource, namespace, name, uid: '', apiGroup: group, apiVersion, resourceVersion: '', subresource };
}

/** Completes the reference with the metadata of the body's object. The path has priority. */
export function completed(reference: ObjectReference, metadata: ObjectMeta): ObjectReference {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata;
  return {
    ...reference,
    namespace: reference.namespace || namespace,
    name: reference.name || name,
    uid: reference.uid || uid,
    resourceVersion: reference.resourceVersion || resourceVersion,
  };
}

/** The start of the precise clock, in wall-clock time. */
let origin = performance.timeOrigin;

/** Returns milliseconds since the epoch with their fraction. Follows the wall clock when that is set. */
export function microClock(): number {
  const [coarse, fine] = [Date.now(), performance.now()];
  if (Math.abs(origin + fine - coarse) > 2) origin = coarse - fine;
  return origin + fine;
}

/** Formats a time as in `2026-01-02T03:04:05.678901Z`. */
export function microTime(ms: number): string {
  const whole = Math.floor(ms);
  const micros = Math.floor((ms - whole) * 1000);
  if (whole !== last.ms) last = { ms: whole, text: new Date(whole).toISOString().slice(0, -1) };
  return `${last.text}${String(micros).padStart(3, '0')}Z`;
}

/** The last formatted millisecond: under load many events share one. */
let last = { ms: Number.NaN, text: '' };

/** Returns the addresses in the request's headers, then the address of the connection, which cannot be forged. */
export function sourceAddresses(request: ApiRequest): readonly string[] {
  const forwarded = headerOf(request, 'x-forwarded-for') ?? '';
  const real = headerOf(request, 'x-real-ip') ?? '';
  const remote = plainAddress(request.remoteAddress?.() ?? '');
  if (forwarded === '' && real === '') return remote === '' ? [] : [remote];
  const addresses = listMembers(forwarded).flatMap((text) => addressIn(text) ?? []);
  const proxied = addressIn(real.trim());
  if (proxied !== undefined && !addresses.includes(proxied)) addresses.push(proxied);
  if (remote !== '' && addresses.at(-1) !== remote) addresses.push(remote);
  return addresses;
}

/** Turns an IPv4-mapped IPv6 address into IPv4. */
const plainAddress = (address: string): string => (address.startsWith('::ffff:') ? address.slice(7) : address);

function addressIn(text: string): string | undefined {
  const address = plainAddress(text);
  return isIP(address) === 0 ? undefined : address;
}

/** The number of recorded characters of a user agent. */
const longestAgent = 1024;

/** Returns the user agent, truncated if it is long. */
export function agentOf(request: ApiRequest): string {
  const agent = headerOf(request, 'user-agent') ?? '';
  return agent.length > longestAgent ? `${agent.slice(0, longestAgent)}...TRUNCATED` : agent;
}

/** Returns the path and query as sent. */
export const uriOf = ({ basePath = '', path, search }: ApiRequest): string =>
  search === '' ? basePath + path : `${basePath}${path}?${search}`;

/** Receives each note once, while the request is in flight. */
export type OnAuditNote = (key: string, value: string, request: ApiRequest) => void;

/** Passes on notes. Keeps the first of several notes with one key in a request. */
export function defineAuditNotes(onNote: OnAuditNote): (request: ApiRequest, key: string, value: string) => void {
  const noted = new WeakMap<ApiRequest, Set<string>>();
  return (request, key, value) => {
    const keys = noted.get(request) ?? new Set();
    noted.set(request, keys);
    if (keys.has(key)) return;
    keys.add(key);
    onNote(key, value, request);
  };
}
