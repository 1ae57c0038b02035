/**
 * Writes to a store with many writers at once until it is killed: `writer.ts <kind> <place> <file> <history bytes>`.
 * Every acknowledged change is a line in the file: type, key, revision, expected revision, content.
 */
import { openSync, writeSync } from 'node:fs';
import { openStore } from '../../runtime/storage/index.js';
import { crashBackend } from '../support/crash-backends.js';
import { encoded, readAttributes } from '../support/store-objects.js';

const WRITERS = 16;
const [kind = '', place = '', file = '', historyBytes = ''] = process.argv.slice(2);

const log = openSync(file, 'a');
const store = await openStore({
  backend: await crashBackend(kind, place),
  readAttributes,
  historyMaxBytes: Number(historyBytes),
});
process.send?.('ready');

/** Picks a key of the writer's own, or a key that all writers change. */
function keyFor(writer: number): string {
  const name = Math.floor(Math.random() * 8);
  return Math.random() < 0.3 ? `g/shared/${name}` : `g/own/${writer}/${name}`;
}

async function write(writer: number): Promise<void> {
  for (let count = 0; ; count++) {
    const key = keyFor(writer);
    const expected = store.get(key)?.revision ?? 0;
    const remove = expected > 0 && Math.random() < 0.25;
    const content = `${process.pid}-${writer}-${count}-`.padEnd(Math.floor(Math.random() * 3000), 'x');
    const answer = await store.commit(remove ? { key, expected } : { key, expected, next: encoded(content) });
    if (answer.outcome === 'failed') throw new Error(answer.failure.message);
    if (answer.outcome === 'conflict') continue;
    // A plain write is enough: data that has reached the system survives the process.
    writeSync(log, `${remove ? '-' : '+'} ${key} ${answer.entry.revision} ${expected} ${remove ? '' : content}\n`);
  }
}

await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
