/** Clients that write tools at a steady rate, in either version, and record the outcome of each write. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type ClientOptions } from '../../../client/index.js';
import type { Recorder } from '../history/recorder.js';
import type { WriteRecord } from '../history/records.js';
import { type Tool, toolsOf } from './tools.js';

export interface Load {
  readonly recorder: Recorder;
  /** Acknowledged deletions, by the uid of the object. Only watches send their revision. */
  readonly deletions: Map<string, Omit<WriteRecord, 'outcome'>>;
  readonly client: ClientOptions;
  readonly writers: number;
  /** Writes of all writers together. */
  readonly perSecond: number;
  readonly ending: AbortSignal;
  /** Names of objects that exist from the start. */
  readonly names: readonly string[];
}

const namespace = 'default';

/** Writes until `ending` aborts. */
export async function writeTools(load: Load): Promise<void> {
  await Promise.all(Array.from({ length: load.writers }, (_, index) => runWriter(load, `w${index}`)));
}

async function runWriter(load: Load, writer: string): Promise<void> {
  const intervalMs = (1000 / load.perSecond) * load.writers;
  const began = performance.now();
  for (let count = 0; !load.ending.aborted; count++) {
    await writeOne(load, writer, `${writer}-${count}`);
    await sleep(Math.max(0, began + (count + 1) * intervalMs - performance.now()));
  }
}

/** Sends a write of a random kind to a random object. */
async function writeOne(load: Load, writer: string, value: string): Promise<void> {
  const { client, names } = load;
  const tools = toolsOf(client, Math.random() < 0.5 ? 'v1' : 'v2').in(namespace);
  const name = names[Math.floor(Math.random() * names.length)] ?? '';
  const dice = Math.random();
  if (dice < 0.5) await record(load, { key: name, value }, () => tools.patch(name, { spec: { value } }));
  else if (dice < 0.7) {
    const found = await tools.get(name).catch(ignoreAbsent);
    if (!found) return;
    const expected = Number(found.metadata.resourceVersion);
    await record(load, { key: name, value, expected }, () =>
      tools.update({ ...found, spec: { ...found.spec, value } }),
    );
  } else if (dice < 0.8) {
    const wanted = { metadata: { name }, spec: { value } };
    await record(load, { key: name, value }, () => tools.apply(wanted, { fieldManager: writer, force: true }));
  } else if (dice < 0.9) {
    const key = `new-${value}`;
    const made: Pick<Tool, 'metadata' | 'spec'> = { metadata: { name: key }, spec: { value } };
    await record(load, { key, value, expected: 0 }, () => tools.create(made));
  } else await removeOne(load, name);
}

async function removeOne({ client, recorder, deletions }: Load, name: string): Promise<void> {
  const tools = toolsOf(client, 'v2').in(namespace);
  const found = await tools.get(name).catch(ignoreAbsent);
  if (!found) return;
  const { uid = '', resourceVersion = '' } = found.metadata;
  const began = recorder.moment();
  const gone = await tools.delete(name, { preconditions: { uid, resourceVersion } }).then(() => true, refusedOnly);
  if (gone) {
    deletions.set(uid, { key: name, expected: Number(resourceVersion), began, ended: recorder.moment() });
  }
}

/** Records a write. A write did not happen if the server refused it because of a conflict or a missing object. */
async function record(
  { recorder }: Load,
  sent: Pick<WriteRecord, 'key' | 'value' | 'expected'>,
  write: () => Promise<Tool>,
): Promise<void> {
  const began = recorder.moment();
  const outcome = await write().then(({ metadata }) => Number(metadata.resourceVersion), refusedOnly);
  recorder.write({ ...sent, began, ended: recorder.moment(), outcome: outcome === false ? 'refused' : outcome });
}

function refusedOnly(error: unknown): false {
  if (error instanceof ApiError && (error.code === 404 || error.code === 409)) return false;
  throw error;
}

function ignoreAbsent(error: unknown): undefined {
  refusedOnly(error);
}
