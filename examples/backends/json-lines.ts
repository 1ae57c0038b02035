/** A storage backend that keeps everything in one file: a line of JSON for each commit. */
import type { Backend, Checkpoint, Damage, Revision, StoredRecord } from 'kindforge/contract';
import { type Line, type LineLog, openLineLog } from './line-log.js';

/** The file is rewritten when it has grown to twice what it was rewritten to, and by this many bytes more. */
const slackBytes = 4 * 1024 * 1024;
/** Records in a line of a rewritten file. */
const recordsPerLine = 1000;
/** Added to the last known revision where the newest commit is lost, so that no revision is given out twice. */
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
  /** Revisions of records that may go. */
  const dead = new Set<Revision>();
  /** Bytes of the file when it was last rewritten. */
  let rewrittenTo = 0;
  /** Lines that are damaged stay until somebody has said that they may go. */
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
      // The commit counts by now. A rewrite that fails is tried again with the next one.
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

/** The last commit's checkpoint; a safe guess behind it where that commit cannot be read. */
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

/** Reads a line; undefined where its checksum is wrong. A right one vouches for the shape, too. */
function commitOf({ text }: Line): Commit | undefined {
  return text === undefined ? undefined : JSON.parse(text);
}

const toJson = ({ bytes, ...record }: StoredRecord): JsonRecord => ({ ...record, text: Buffer.from(bytes).toString() });
const toStored = ({ text, ...record }: JsonRecord): StoredRecord => ({ ...record, bytes: Buffer.from(text) });

/** At least one, so that the checkpoint is kept also where there is no record left. */
function chunksOf(records: readonly JsonRecord[]): readonly (readonly JsonRecord[])[] {
  const chunks: (readonly JsonRecord[])[] = [[]];
  for (let at = 0; at < records.length; at += recordsPerLine) chunks.push(records.slice(at, at + recordsPerLine));
  return chunks;
}
