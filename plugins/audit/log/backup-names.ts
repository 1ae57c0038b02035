/** Names of the files that a log has been moved to: they tell when, so that their order is that of time. */
import { parse } from 'node:path';

/** As in `audit-2026-01-02T03-04-05.678.log` for `audit.log`. */
export function backupName(path: string, at: Date): string {
  const { name, ext } = parse(path);
  return `${name}-${at.toISOString().slice(0, -1).replaceAll(':', '-')}${ext}`;
}

/** The time in a name that `backupName` has made for this log, compressed or not; `undefined` for all other names. */
export function backupTime(path: string, file: string): Date | undefined {
  const { name, ext } = parse(path);
  const plain = file.endsWith('.gz') ? file.slice(0, -3) : file;
  if (!plain.startsWith(`${name}-`) || !plain.endsWith(ext)) return undefined;
  const text = plain.slice(name.length + 1, plain.length - ext.length);
  const [, date, hours, minutes, seconds] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(text) ?? [];
  if (date === undefined) return undefined;
  const time = new Date(`${date}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
