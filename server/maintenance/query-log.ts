/** Answers questions about the past from audit logs: the requests, and who changed a field. */
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { backupTime } from '../../plugins/index.js';
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { jsonObjectIn } from '../text/limits.js';
import { tableLines } from '../text/object-size.js';
import { type FieldChange, type FieldPath, followField } from './field-changes.js';

export interface LogQuery {
  readonly logs: readonly string[];
  readonly filter: EventFilter;
  /** A field of the filtered object, to report who changed it. */
  readonly field?: FieldPath;
  /** Log lines unchanged, or a table. */
  readonly format: 'table' | 'json';
}

/** Remarks on questions with only a partial answer. */
export interface LogAnswer {
  readonly remarks: readonly string[];
  /** Whether a log has lines that are not events. */
  readonly broken: boolean;
}

/** Prints the lines of the answer. Rejects if a log cannot be read. */
export async function queryLog(query: LogQuery, print: (line: string) => void): Promise<LogAnswer> {
  const broken: string[] = [];
  const onBroken = (place: string): void => void broken.push(place);
  const told = query.field
    ? await printChanges(query, query.field, onBroken, print)
    : await printEvents(query, onBroken, print);
  const remarks = broken.map((place) => `${place}: not an audit event; it is skipped`);
  return { remarks: [...remarks, ...told], broken: broken.length > 0 };
}

type Lines = Promise<readonly string[]>;
type OnBroken = (place: string) => void;

async function printEvents(
  { logs, filter, format }: LogQuery,
  onBroken: OnBroken,
  print: (line: string) => void,
): Lines {
  const rows: (readonly string[])[] = [];
  for await (const { text, event } of readLogs(logs, onBroken)) {
    if (!isLast(event) || !eventMatches(filter, event)) continue;
    if (format === 'json') print(text);
    else rows.push(eventRow(event));
  }
  if (format === 'table') for (const line of tableLines(eventHeadings, rows)) print(line);
  return [];
}

async function printChanges(
  { logs, filter, format }: LogQuery,
  field: FieldPath,
  onBroken: OnBroken,
  print: (line: string) => void,
): Lines {
  // Follows all writes of the object to know earlier values; the other conditions select among changes.
  const { resource, namespace, name, ...chosen } = filter;
  const ofObject: EventFilter = {
    ...(resource === undefined ? {} : { resource }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
  const follower = followField(field);
  const changes: FieldChange[] = [];
  for await (const { text, event } of readLogs(logs, onBroken)) {
    const change = eventMatches(ofObject, event) ? follower.take(event) : undefined;
    if (!change || !eventMatches(chosen, event)) continue;
    if (format === 'json') print(text);
    else changes.push(change);
  }
  if (format === 'table') for (const line of tableLines(changeHeadings, changes.map(changeRow))) print(line);
  const blind = follower.blind();
  if (blind === 0) return [];
  const writes = blind === 1 ? '1 write of this object is' : `${blind} writes of this object are`;
  return [`${writes} recorded without bodies; record them at level Request or RequestResponse to see what they change`];
}

const eventHeadings = ['TIME', 'USER', 'VERB', 'OBJECT', 'CODE'];
const changeHeadings = ['TIME', 'USER', 'VERB', 'AGENT', 'FROM', 'TO'];

const eventRow = (event: JsonObject): readonly string[] => [
  stringAt(event, 'stageTimestamp'),
  userOf(event),
  stringAt(event, 'verb'),
  objectOf(event),
  String(objectAt(event, 'responseStatus')?.code ?? ''),
];

const changeRow = ({ event, before, after, beforeIsKnown, afterIsKnown }: FieldChange): readonly string[] => [
  stringAt(event, 'stageTimestamp'),
  userOf(event),
  stringAt(event, 'verb'),
  stringAt(event, 'userAgent').split(/[/ ]/)[0] ?? '',
  shown(before, beforeIsKnown),
  shown(after, afterIsKnown),
];

const shown = (value: JsonValue | undefined, isKnown: boolean): string =>
  value === undefined ? (isKnown ? '-' : '?') : JSON.stringify(value);

/** Returns the user of a request, and the impersonated one. */
function userOf(event: JsonObject): string {
  const [user, acting] = ['user', 'impersonatedUser'].map((field) => stringAt(objectAt(event, field), 'username'));
  return acting ? `${acting} (${user})` : user || '-';
}

/** Formats as `default/configmaps/one`, or the path for other requests. */
function objectOf(event: JsonObject): string {
  const reference = objectAt(event, 'objectRef');
  if (!reference) return stringAt(event, 'requestURI').split('?')[0] ?? '';
  const [namespace, name, resource, group, subresource] = [
    'namespace',
    'name',
    'resource',
    'apiGroup',
    'subresource',
  ].map((field) => stringAt(reference, field));
  const kind = group ? `${resource}.${group}` : resource;
  return [namespace, kind, name, subresource].filter(Boolean).join('/');
}

/** The conditions on events. Absent ones do not apply. */
interface EventFilter {
  /** The name of the user, or of the impersonated user. */
  readonly user?: string;
  readonly verbs?: readonly string[];
  /** As in `configmaps`, `deployments.apps` or `pods/status`; any subresource or group if not named. */
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** Milliseconds since the epoch. */
  readonly since?: number;
  readonly until?: number;
}

function eventMatches(filter: EventFilter, event: JsonObject): boolean {
  const { user, verbs, resource, namespace, name, since, until } = filter;
  const reference = objectAt(event, 'objectRef');
  if (user !== undefined && !usersOf(event).includes(user)) return false;
  if (verbs && !verbs.includes(stringAt(event, 'verb'))) return false;
  if (resource !== undefined && !resourceMatches(resource, reference)) return false;
  if (namespace !== undefined && stringAt(reference, 'namespace') !== namespace) return false;
  if (name !== undefined && stringAt(reference, 'name') !== name) return false;
  const time = Date.parse(stringAt(event, 'stageTimestamp'));
  return !(since !== undefined && time < since) && !(until !== undefined && time > until);
}

/** Returns the names of the user and the impersonated user. */
const usersOf = (event: JsonObject): readonly string[] =>
  ['user', 'impersonatedUser'].map((field) => stringAt(objectAt(event, field), 'username')).filter(Boolean);

function resourceMatches(wanted: string, reference: JsonObject | undefined): boolean {
  const [full = '', subresource] = wanted.split('/', 2);
  const [resource = '', ...group] = full.split('.');
  if (stringAt(reference, 'resource') !== resource) return false;
  if (group.length > 0 && stringAt(reference, 'apiGroup') !== group.join('.')) return false;
  return subresource === undefined || stringAt(reference, 'subresource') === subresource;
}

/** Reports whether an event is the last of its request. Each request has one last event. */
function isLast(event: JsonObject): boolean {
  const stage = stringAt(event, 'stage');
  if (stage === 'ResponseComplete' || stage === 'Panic') return true;
  // A request without a known user ends with its answer.
  return stage === 'ResponseStarted' && stringAt(objectAt(event, 'user'), 'username') === '';
}

interface LogLine {
  readonly text: string;
  readonly event: JsonObject;
}

/** Returns the files of a log, oldest first, the current one last. */
function filesOf(log: string): readonly string[] {
  const folder = dirname(log);
  const backups = readdirSync(folder)
    .flatMap((file) => {
      const time = backupTime(basename(log), file);
      return time ? [{ file: join(folder, file), time: time.getTime() }] : [];
    })
    .sort((a, b) => a.time - b.time)
    .map(({ file }) => file);
  return existsSync(log) || backups.length === 0 ? [...backups, log] : backups;
}

/** Yields the events of logs. Reports and skips lines that are not events, such as one truncated by a crash. */
async function* readLogs(logs: readonly string[], onBroken: (place: string) => void): AsyncGenerator<LogLine> {
  for (const file of new Set(logs.flatMap(filesOf))) {
    let number = 0;
    for await (const text of createInterface({ input: openFile(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      number++;
      if (text === '') continue;
      const event = parsed(text);
      if (event) yield { text, event };
      else onBroken(`${file}:${number}`);
    }
  }
}

function openFile(file: string): Readable {
  const bytes = createReadStream(file);
  if (!file.endsWith('.gz')) return bytes;
  const plain = createGunzip();
  bytes.on('error', (error) => plain.destroy(error));
  return bytes.pipe(plain);
}

function parsed(text: string): JsonObject | undefined {
  const value = jsonObjectIn(text);
  return value?.kind === 'Event' ? value : undefined;
}
