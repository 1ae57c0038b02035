/** Reads the events of logs, of those that were moved aside too, in the order in which they were written. */
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { backupTime } from '../../../plugins/index.js';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { jsonObjectIn } from '../../text/json-object.js';

/** A line of a log. */
export interface LogLine {
  readonly text: string;
  readonly event: JsonObject;
}

/** The files of a log, the oldest first, with the log itself at the end. */
export function filesOf(log: string): readonly string[] {
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

/** The events of logs. A line that is none, such as one that a crash has cut, is told of and passed over. */
export async function* readLogs(logs: readonly string[], onBroken: (place: string) => void): AsyncGenerator<LogLine> {
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
