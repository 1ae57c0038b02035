/** Answers questions about the past from audit logs: which requests there were, and who changed a field. */
import { tableLines } from '../../text/table-lines.js';
import { type EventFilter, eventMatches, isLast } from './event-filter.js';
import { type FieldChange, followField } from './field-changes.js';
import type { FieldPath } from './field-path.js';
import { readLogs } from './log-files.js';
import { changeHeadings, changeRow, eventHeadings, eventRow } from './rows.js';

/** A question about logs. */
export interface LogQuery {
  readonly logs: readonly string[];
  readonly filter: EventFilter;
  /** A field of the object that the filter names: the answer tells who changed it. */
  readonly field?: FieldPath;
  /** Lines as they stand in the log, or a table. */
  readonly format: 'table' | 'json';
}

/** Notes on questions that could be answered only in part. */
export interface LogAnswer {
  readonly remarks: readonly string[];
  /** Whether a log has lines that are no events. */
  readonly broken: boolean;
}

/** Hands the lines of the answer on. Rejects where a log cannot be read. */
export async function queryLog(query: LogQuery, print: (line: string) => void): Promise<LogAnswer> {
  const broken: string[] = [];
  const onBroken = (place: string): void => void broken.push(place);
  const told = query.field
    ? await printChanges(query, query.field, onBroken, print)
    : await printEvents(query, onBroken, print);
  const remarks = broken.map((place) => `${place}: not an audit event; it is passed over`);
  return { remarks: [...remarks, ...told], broken: broken.length > 0 };
}

type Told = Promise<readonly string[]>;
type OnBroken = (place: string) => void;

async function printEvents(
  { logs, filter, format }: LogQuery,
  onBroken: OnBroken,
  print: (line: string) => void,
): Told {
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
): Told {
  // All writes of the object are followed, so that a value before is known; what else is asked for chooses among changes.
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
