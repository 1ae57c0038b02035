/** Runs the jobs of `kindforge storage`: shows progress, prints the outcome, and sets the exit code. */
import { plural } from '../generator/diagnostics/print.js';
import type { Progress } from '../generator/diagnostics/progress.js';
import { withAdvice } from '../runtime/objects/failures.js';
import type { MigrateVersionsFlags, MigrationOutcome, ReportCount } from '../server/maintenance/migrate-versions.js';
import type { RewriteFlags } from '../server/maintenance/rewrite.js';
import type {
  SnapshotOutcome,
  StorageJob,
  StorageOutcome,
  TransferOutcome,
  VerifyOutcome,
} from '../server/maintenance/storage-jobs.js';
import { type Ending, exitCodes } from './exit-codes.js';
import { untilAskedToStop } from './serve/last-handler.js';

/**
 * Migrates objects to the current versions. Prints progress and mistakes to standard error, and the number of rewritten
 * objects to standard output.
 */
export async function runMigration(flags: MigrateVersionsFlags): Promise<void> {
  const { migrateVersions } = await import('../server/maintenance/migrate-versions.js');
  await writingAgain('migrating', flags.state, (tell, signal) => migrateVersions(flags, tell, signal));
}

/** Encrypts objects again with the current key, and prints the same. */
export async function runRewrite(flags: RewriteFlags): Promise<void> {
  const { rewrite } = await import('../server/maintenance/rewrite.js');
  await writingAgain('writing', undefined, async (tell, signal) => ({
    kind: 'rewritten',
    ...(await rewrite(flags, (done, resource) => tell(done, undefined, `objects, now ${resource}`), signal)),
  }));
}

async function writingAgain(
  stage: string,
  state: string | undefined,
  job: (tell: ReportCount, signal: AbortSignal) => Promise<MigrationOutcome>,
): Promise<void> {
  const stopping = new AbortController();
  void untilAskedToStop().then(() => stopping.abort());
  await ending(async (progress) => {
    let far = { done: 0, what: 'objects' };
    const tell: ReportCount = (done, total, what) => {
      far = { done, what };
      progress.step(stage, done, total, what);
    };
    try {
      const outcome = await job(tell, stopping.signal);
      progress.end();
      const { lines, problems } = migrationReport(outcome);
      for (const problem of problems) console.error(`kindforge: ${problem}`);
      for (const line of lines) console.log(line);
      return problems.length === 0 ? 'done' : 'refused';
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
      progress.end();
      console.error(`kindforge: ${stoppedLine(far.done, far.what, state)}`);
      return 'refused';
    }
  });
}

/** Runs a job. Prints progress and mistakes to standard error, and the outcome to standard output. */
export async function run(job: StorageJob): Promise<void> {
  const { runStorageJob } = await import('../server/maintenance/storage-jobs.js');
  await ending(async (progress) => {
    const outcome = await runStorageJob(job, progress.step);
    progress.end();
    for (const line of linesOf(outcome)) console.log(line);
    return isSound(outcome) ? 'done' : 'refused';
  });
}

/** Runs a job, and sets the exit code. */
async function ending(job: (progress: Progress) => Promise<Ending>): Promise<void> {
  const { createProgress } = await import('../generator/diagnostics/progress.js');
  const progress = createProgress(process.stderr);
  try {
    process.exitCode = exitCodes[await job(progress)];
  } catch (error) {
    progress.end();
    const { isConnectionError } = await import('../client/index.js');
    const { connectionHint } = await import('./objects/failure.js');
    const { isLocked, isRefusal } = await import('../server/maintenance/storage-jobs.js');
    const hint = isConnectionError(error)
      ? connectionHint(error)
      : isLocked(error)
        ? '\nGive the missing keys with --encryption-provider-config.'
        : '';
    const message = error instanceof Error ? error.message : String(error);
    console.error(`kindforge: ${withAdvice(message, process.cwd())}${hint}`);
    process.exitCode = exitCodes[isRefusal(error) ? 'refused' : 'failed'];
  }
}

/** Returns the lines that report the outcome of a job. */
export function linesOf(outcome: StorageOutcome): readonly string[] {
  if (outcome.kind === 'snapshot') return snapshotLines(outcome);
  return outcome.kind === 'transfer' ? transferLines(outcome) : verifyLines(outcome);
}

/** Reports whether a job found no damage. */
export const isSound = (outcome: StorageOutcome): boolean =>
  outcome.kind !== 'verify' || outcome.verified.damage.length === 0;

const snapshotLines = ({ file, storage, objects, bytes, revision }: SnapshotOutcome): readonly string[] => [
  `${file}: ${plural(objects, 'object')}, ${plural(bytes, 'byte')}, as they are in ${storage} at revision ${revision}`,
];

const transferLines = ({ source, target, transferred, keepsSecret }: TransferOutcome): readonly string[] => {
  const { objects, from, to } = transferred;
  return [
    `${target}: ${plural(objects, 'object')}, as they were in ${source} at revision ${from}`,
    `its revisions go on from ${to}; clients that know older ones list again`,
    ...(keepsSecret ? ["it keeps the source's secret: certificates, kubeconfigs and tokens stay valid"] : []),
  ];
};

function verifyLines({ place, verified }: VerifyOutcome): readonly string[] {
  const { objects, bytes, oldest, newest, revision, damage, encrypted = 0 } = verified;
  const changed = objects === 0 ? '' : `, last changed at revisions ${oldest} to ${newest}`;
  const locked = damage.filter((found) => found.locked);
  const damaged = damage.filter((found) => !found.locked);
  return [
    ...damaged.map(({ key, problem, cure }) => `${key || '(key unknown)'}: ${problem}; ${cure}`),
    // A missing key affects many objects.
    ...locked.slice(0, MOST_LOCKED).map(({ key, problem }) => `${key}: ${problem}`),
    `${place}, at revision ${revision}: ${plural(objects, 'object')}, ${plural(bytes, 'byte')}${changed}`,
    ...(encrypted === 0 ? [] : [`${encrypted} of them are encrypted, and were checked by their checksums alone`]),
    ...(locked.length === 0 ? [] : [`${locked.length} more cannot be decrypted; give --encryption-provider-config`]),
    damaged.length === 0 ? 'nothing is damaged' : `${damaged.length} damaged`,
  ];
}

const MOST_LOCKED = 10;

export interface MigrationReport {
  readonly lines: readonly string[];
  /** A line for each object, or resource, that is not stored in the current version. */
  readonly problems: readonly string[];
}

/** Returns the lines about the outcome of the job, and the lines about problems. */
export function migrationReport(outcome: MigrationOutcome): MigrationReport {
  if (outcome.kind === 'asked') {
    const problems = outcome.ends.filter(({ failed }) => failed);
    const told = outcome.ends.filter(({ failed, message }) => !failed && message.includes('any more'));
    return {
      lines: [
        ...told.map(({ resource, message }) => `${resource}: ${message}`),
        `the server migrated ${plural(outcome.resources, 'resource')}${left(problems.length)}`,
      ],
      problems: problems.map(({ resource, message }) => `${resource}: ${message}`),
    };
  }
  const { seen, written, pruned, problems } = outcome;
  return {
    lines: [...pruned, `${plural(seen, 'object')}, ${written} written again${left(problems.length)}`],
    problems,
  };
}

const left = (problems: number): string => (problems === 0 ? '' : `; ${problems} could not be written`);

/** Returns how to go on after a stop. `what` begins with the kind of things counted. */
export function stoppedLine(done: number, what: string, state: string | undefined): string {
  const asked = what.startsWith('resources');
  const again = asked
    ? 'the server finishes the last one; run the same command again for the others'
    : state === undefined
      ? 'the same command starts over, and skips objects that are already written'
      : `the same command continues from the progress in ${state}`;
  return `stopped after ${plural(done, asked ? 'resource' : 'object')}; ${again}`;
}
