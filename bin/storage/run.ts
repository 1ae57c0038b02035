/** Runs the jobs of `kindforge storage`, with progress, what became of them, and the exit code. */
import type { Progress } from '../../generator/diagnostics/progress.js';
import { withAdvice } from '../../runtime/objects/failures.js';
import type { MigrateVersionsFlags } from '../../server/maintenance/migrate-versions.js';
import type { StorageJob } from '../../server/maintenance/storage-jobs.js';
import { untilAskedToStop } from '../commands/until-asked-to-stop.js';
import { type Ending, exitCodes } from '../exit-codes.js';

/** Prints progress and mistakes to standard error, and how many objects were written again to standard output. */
export async function runMigration(flags: MigrateVersionsFlags): Promise<void> {
  const { migrateVersions } = await import('../../server/maintenance/migrate-versions.js');
  const { migrationReport, stoppedLine } = await import('./migration-report.js');
  const stopping = new AbortController();
  void untilAskedToStop().then(() => stopping.abort());
  await ending(async (progress) => {
    let far = { done: 0, what: 'objects' };
    const tell = (done: number, total: number | undefined, what: string): void => {
      far = { done, what };
      progress.step('migrating', done, total, what);
    };
    try {
      const outcome = await migrateVersions(flags, tell, stopping.signal);
      progress.end();
      const { lines, problems } = migrationReport(outcome);
      for (const problem of problems) console.error(`kindforge: ${problem}`);
      for (const line of lines) console.log(line);
      return problems.length === 0 ? 'done' : 'refused';
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
      progress.end();
      console.error(`kindforge: ${stoppedLine(far.done, far.what, flags.state)}`);
      return 'refused';
    }
  });
}

/** Prints progress and mistakes to standard error, and what became of the job to standard output. */
export async function run(job: StorageJob): Promise<void> {
  const { runStorageJob } = await import('../../server/maintenance/storage-jobs.js');
  const { isSound, linesOf } = await import('./report.js');
  await ending(async (progress) => {
    const outcome = await runStorageJob(job, progress.step);
    progress.end();
    for (const line of linesOf(outcome)) console.log(line);
    return isSound(outcome) ? 'done' : 'refused';
  });
}

/** Sets the exit code by how a job ends. */
async function ending(job: (progress: Progress) => Promise<Ending>): Promise<void> {
  const { createProgress } = await import('../../generator/diagnostics/progress.js');
  const progress = createProgress(process.stderr);
  try {
    process.exitCode = exitCodes[await job(progress)];
  } catch (error) {
    progress.end();
    const { isConnectionError } = await import('../../client/index.js');
    const { isRefusal } = await import('../../server/maintenance/storage-jobs.js');
    const hint = isConnectionError(error) ? '; is the server running, and is this its address?' : '';
    const message = error instanceof Error ? error.message : String(error);
    console.error(`kindforge: ${withAdvice(message, process.cwd())}${hint}`);
    process.exitCode = exitCodes[isRefusal(error) ? 'refused' : 'failed'];
  }
}
