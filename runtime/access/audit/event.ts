/** Builds audit events as lines of JSON. */
import { encodeJson } from '../../codec/json.js';
import type {
  AccessAttributes,
  AuditLevel,
  AuditRecord,
  AuditStage,
  JsonObject,
  ObjectMeta,
  UserInfo,
} from '../../contract/index.js';
import { memoizeByObject } from '../../objects/memoize.js';
import type { RequestPath } from '../../registry/route.js';

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
  impersonated?: UserInfo;
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
  const { asked, impersonated, reference, status } = facts;
  return (
    `{"kind":"Event","apiVersion":"${apiVersion}","level":"${facts.level}","auditID":${quoted(facts.id)}` +
    `,"stage":"${stage}"${asked.request}` +
    field('impersonatedUser', impersonated && userText(impersonated)) +
    asked.origin +
    field('objectRef', reference && referenceText(reference)) +
    field('responseStatus', status && encodeJson(status))
  );
}

const quoted = (value: string | readonly string[]): string => JSON.stringify(value);

const field = (name: string, text: string | undefined): string => (text === undefined ? '' : `,"${name}":${text}`);

/** Cached, because most requests come from users seen before. */
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
