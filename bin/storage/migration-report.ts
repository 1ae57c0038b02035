/** The words about what became of `kindforge storage migrate-versions`. */
import type { MigrationOutcome } from '../../server/maintenance/migrate-versions.js';

export interface MigrationReport {
  readonly lines: readonly string[];
  /** One for each object, or resource, that is not stored in the current version. */
  readonly problems: readonly string[];
}

/** The lines that say what became of the job, and those that say what went wrong. */
export function migrationReport(outcome: MigrationOutcome): MigrationReport {
  if (outcome.kind === 'asked') {
    const problems = outcome.ends.filter(({ failed }) => failed);
    const told = outcome.ends.filter(({ failed, message }) => !failed && message.includes('any more'));
    return {
      lines: [
        ...told.map(({ resource, message }) => `${resource}: ${message}`),
        `the server migrated ${outcome.resources} resources${left(problems.length)}`,
      ],
      problems: problems.map(({ resource, message }) => `${resource}: ${message}`),
    };
  }
  const { seen, written, pruned, problems } = outcome;
  return { lines: [...pruned, `${seen} objects, ${written} written again${left(problems.length)}`], problems };
}

const left = (problems: number): string => (problems === 0 ? '' : `; ${problems} could not be written`);

/** Says how to go on after the command was asked to stop. `what` begins with the things that were counted. */
export function stoppedLine(done: number, what: string, state: string | undefined): string {
  const asked = what.startsWith('resources');
  const again = asked
    ? 'the server goes on with the last one, and the same command with the others'
    : state === undefined
      ? 'the same command begins again, and passes over what has been written'
      : `the same command goes on, from what ${state} says`;
  return `stopped after ${done} ${asked ? 'resources' : 'objects'}; ${again}`;
}
