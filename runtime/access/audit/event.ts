/** Puts audit events together, as lines of JSON. */
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

/** Names under the naming that is served. */
export interface EventNames {
  /** As in `audit.platform.io/v1`. */
  readonly apiVersion: string;
  /** The annotation of an event whose bodies were cut off. */
  readonly truncated: string;
}

/** All that is known of a request so far. */
export interface RequestFacts {
  readonly level: AuditLevel;
  readonly id: string;
  readonly asked: AskedText;
  /** As in `2026-01-02T03:04:05.678901Z`. */
  readonly receivedAt: string;
  impersonated?: UserInfo;
  reference: ObjectReference | undefined;
  /** The answer's code and what its Status says; absent before there is an answer. */
  status?: JsonObject;
  /** Bodies, in JSON. */
  requestObject?: string;
  responseObject?: string;
  readonly annotations: Map<string, string>;
}

/** The parts that are the same in all events of a request, in JSON: they are put together once. */
export interface AskedText {
  /** The URI, the verb and the user. */
  readonly request: string;
  /** Where from. */
  readonly origin: string;
}

/** @param user absent where nobody knows who it is. */
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

/** The event of a stage. It is made once, as the text that all sinks write. */
export function eventOf(facts: RequestFacts, stage: AuditStage, at: string, names: EventNames): AuditRecord {
  const { annotations } = facts;
  const before = textBefore(facts, stage, names);
  const bodies = field('requestObject', facts.requestObject) + field('responseObject', facts.responseObject);
  const times = `,"requestReceivedTimestamp":"${facts.receivedAt}","stageTimestamp":"${at}"`;
  const cut = (): string => `${before}${times}${annotationsText([...annotations, [names.truncated, 'true']])}}`;
  return { json: `${before}${bodies}${times}${annotationsText([...annotations])}}`, cut };
}

/** The part of an event before its bodies. */
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

/** Most requests come from users that were known before. */
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

/** Empty texts are not known. */
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

/** `undefined` for paths that are no resource. */
export function referenceOf(attributes: AccessAttributes, { parts }: RequestPath): ObjectReference | undefined {
  if ('path' in attributes) return undefined;
  const { resource, namespace = '', name = '', group, subresource = '' } = attributes;
  const apiVersion = parts[parts[1] === 'apis' ? 3 : 2] ?? '';
  return { resource, namespace, name, uid: '', apiGroup: group, apiVersion, resourceVersion: '', subresource };
}

/** The reference with what the object in the body says of itself, as far as the path says nothing. */
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
