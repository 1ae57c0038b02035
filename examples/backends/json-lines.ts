/** A storage backend that keeps everything in one file: a line of JSON for each commit. */
import type { Backend, Checkpoint, Damage, Revision, StoredRecord } from 'kindforge/contract';
import { type Line, type LineLog, openLineLog } from './line-log.js';

/** The backend rewrites the file once it has grown to twice its size after the last rewrite, plus this many bytes. */
const slackBytes = 4 * 1024 * 1024;
/** Records in a line of a rewritten file. */
const recordsPerLine = 1000;
/** Added to the last known revision if the newest commit is lost, so that no revision is used twice. */
const revisionGap = 1_000_000;

const nothing: Checkpoint = { revision: 0, oldestRevision: 0, digest: 0, time: 0 };

/** A line of the file. */
interface Commit {
  readonly checkpoint: Checkpoint;
  readonly records: readonly JsonRecord[];
}

/** A record with its object as text. */
interface JsonRecord extends Omit<StoredRecord, 'bytes'> {
  readonly text: string;
}

export function defineJsonLines(path: string): Backend {
  let log: LineLog | undefined;
  /** Revisions of records that a rewrite removes. */
  const dead = new Set<Revision>();
  /** The size of the file after the last rewrite, bytes. */
  let rewrittenTo = 0;
  /** Damaged lines stay until somebody allows to remove them. */
  let rewriting: 'when worth it' | 'with the next commit' | 'never' = 'when worth it';

  async function rewrite(to: LineLog, checkpoint: Checkpoint): Promise<void> {
    const records = (await to.read()).flatMap((line) => commitOf(line)?.records ?? []);
    const live = records.filter(({ revision }) => !dead.has(revision));
    await to.replace(chunksOf(live).map((chunk) => JSON.stringify({ checkpoint, records: chunk })));
    dead.clear();
    rewrittenTo = to.bytes;
    rewriting = 'when worth it';
  }

  return {
    name: 'json-lines',
    durability: 'power-loss',
    async open({ discardDamage = false } = {}) {
      log = await openLineLog(path);
      const lines = await log.read();
      const commits = lines.map(commitOf);
      const damage = lines.flatMap(({ number }, index) => (commits[index] ? [] : [damagedLine(path, number)]));
      const records = commits.flatMap((commit) => commit?.records.map(toStored) ?? []);
      if (damage.length > 0) rewriting = discardDamage ? 'with the next commit' : 'never';
      return { checkpoint: checkpointOf(commits), records, damage };
    },
    async commit(batch, checkpoint, forget) {
      if (!log) throw new Error('the file is not open');
      for (const revision of forget) dead.add(revision);
      await log.append(JSON.stringify({ checkpoint, records: batch.map(toJson) }));
      // The commit is already durable. If the rewrite fails, the next commit tries it again.
      const isWorthIt = dead.size > 0 && log.bytes > rewrittenTo * 2 + slackBytes;
      if (rewriting === 'with the next commit' || (rewriting === 'when worth it' && isWorthIt)) {
        await rewrite(log, checkpoint).catch(() => {});
      }
    },
    async close() {
      await log?.close();
      log = undefined;
    },
  };
}

/** Returns the checkpoint of the last commit, or a safe guess beyond it if that commit cannot be read. */
function checkpointOf(commits: readonly (Commit | undefined)[]): Checkpoint {
  const known = commits.findLast((commit) => commit !== undefined)?.checkpoint ?? nothing;
  if (commits.length === 0 || commits.at(-1)) return known;
  const revision = known.revision + revisionGap;
  return { ...known, revision, oldestRevision: revision };
}

function damagedLine(path: string, number: number): Damage {
  return {
    key: '',
    problem: `line ${number} of ${path} fails its checksum`,
    cure: 'put a copy of the file in its place, or open the store with onDamage "discard"',
  };
}

/** Reads a line; returns `undefined` if its checksum is wrong. A right checksum also guarantees the shape. */
function commitOf({ text }: Line): Commit | undefined {
  return text === undefined ? undefined : JSON.parse(text);
}

const toJson = ({ bytes, ...record }: StoredRecord): JsonRecord => ({ ...record, text: Buffer.from(bytes).toString() });
const toStored = ({ text, ...record }: JsonRecord): StoredRecord => ({ ...record, bytes: Buffer.from(text) });

/** Splits the records into lines: at least one, so that the file has the checkpoint even without records. */
function chunksOf(records: readonly JsonRecord[]): readonly (readonly JsonRecord[])[] {
  const chunks: (readonly JsonRecord[])[] = [[]];
  for (let at = 0; at < records.length; at += recordsPerLine) chunks.push(records.slice(at, at + recordsPerLine));
  return chunks;
}
