/** The words about what became of the jobs of `kindforge storage`. */
import type {
  SnapshotOutcome,
  StorageOutcome,
  TransferOutcome,
  VerifyOutcome,
} from '../../server/maintenance/storage-jobs.js';

/** The lines that say what became of a job. */
export function linesOf(outcome: StorageOutcome): readonly string[] {
  if (outcome.kind === 'snapshot') return snapshotLines(outcome);
  return outcome.kind === 'transfer' ? transferLines(outcome) : verifyLines(outcome);
}

/** Whether a job found nothing wrong. */
export const isSound = (outcome: StorageOutcome): boolean =>
  outcome.kind !== 'verify' || outcome.verified.damage.length === 0;

const snapshotLines = ({ file, storage, objects, bytes, revision }: SnapshotOutcome): readonly string[] => [
  `${file}: ${objects} objects, ${bytes} bytes, as they are in ${storage} at revision ${revision}`,
];

const transferLines = ({ source, target, transferred: { objects, from, to } }: TransferOutcome): readonly string[] => [
  `${target}: ${objects} objects, as they were in ${source} at revision ${from}`,
  `its revisions go on from ${to}; clients that know older ones list again`,
];

function verifyLines({ place, verified }: VerifyOutcome): readonly string[] {
  const { objects, bytes, oldest, newest, revision, damage } = verified;
  const changed = objects === 0 ? '' : `, last changed at revisions ${oldest} to ${newest}`;
  return [
    ...damage.map(({ key, problem, cure }) => `${key || '(key unknown)'}: ${problem}; ${cure}`),
    `${place}, at revision ${revision}: ${objects} objects, ${bytes} bytes${changed}`,
    damage.length === 0 ? 'nothing is damaged' : `${damage.length} damaged`,
  ];
}
