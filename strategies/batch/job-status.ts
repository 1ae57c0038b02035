/** How the status of a job may change. Any controller may write it, so clients rely on these rules. */
import type { Job } from '../../generated/batch/v1/jobs/types.js';
import type { JobStatus } from '../../generated/types/batch/v1/types.js';
import type { DraftObject, FieldError, JsonValue } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';
import { commonIndex, readIndexes } from './job-indexes.js';

type JobDraft = DraftObject<Job>;

/** A change of a status. Rules count only if a field that they are about changes. */
interface Change {
  readonly job: JobDraft;
  readonly old: JobDraft;
  readonly changes: (...what: readonly (keyof JobStatus | Condition)[]) => boolean;
}

type Condition = 'Complete' | 'Failed' | 'FailureTarget' | 'SuccessCriteriaMet' | 'Finished';

/** Checks a change of the status. */
export function jobStatusErrors(job: JobDraft, old: JobDraft): readonly FieldError[] {
  const change: Change = { job, old, changes: (...what) => what.some((each) => differs(job, old, each)) };
  return [
    ...conditionErrors(change),
    ...timeErrors(change),
    ...finishedErrors(change),
    ...indexErrors(change),
    ...countErrors(change),
  ];
}

const conditions: ReadonlySet<string> = new Set<Condition>([
  'Complete',
  'Failed',
  'FailureTarget',
  'SuccessCriteriaMet',
  'Finished',
]);

const isCondition = (what: keyof JobStatus | Condition): what is Condition => conditions.has(what);

function differs(job: JobDraft, old: JobDraft, what: keyof JobStatus | Condition): boolean {
  if (isCondition(what)) return is(job, what) !== is(old, what);
  return !equal(job.status?.[what], old.status?.[what]);
}

function is(job: JobDraft, condition: Condition): boolean {
  if (condition === 'Finished') return is(job, 'Complete') || is(job, 'Failed');
  return (job.status?.conditions ?? []).some(({ type, status }) => type === condition && status === 'True');
}

const ofConditions = (problem: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field: 'status.conditions',
  message: `Invalid value: ${problem}`,
});

const wrong = (field: keyof JobStatus, value: JsonValue | undefined, problem: string): FieldError =>
  invalidValue(`status.${field}`, value, problem);

/** A job ends once: either complete, after its criteria are met, or failed, after a target of failure. */
function conditionErrors({ job, old, changes }: Change): readonly FieldError[] {
  const errors: string[] = [];
  const has = (condition: Condition): boolean => is(job, condition);
  if (changes('Complete', 'Failed') && has('Complete') && has('Failed')) {
    errors.push('cannot set Complete=True and Failed=true conditions');
  }
  if (changes('Complete', 'FailureTarget') && has('Complete') && has('FailureTarget')) {
    errors.push('cannot set Complete=True and FailureTarget=true conditions');
  }
  if (changes('Failed') && has('Failed') && !has('FailureTarget')) {
    errors.push('cannot set Failed=True condition without the FailureTarget=true condition');
  }
  if (changes('Complete') && has('Complete') && !has('SuccessCriteriaMet')) {
    errors.push('cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  }
  if (has('SuccessCriteriaMet') && has('Failed')) {
    errors.push('cannot set SuccessCriteriaMet=True and Failed=true conditions');
  }
  if (has('SuccessCriteriaMet') && has('FailureTarget')) {
    errors.push('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  }
  if (job.spec?.successPolicy && !has('SuccessCriteriaMet') && has('Complete')) {
    errors.push('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True');
  }
  for (const condition of ['Failed', 'Complete', 'FailureTarget'] as const) {
    if (is(old, condition) && !has(condition)) errors.push(`cannot disable the terminal ${condition}=True condition`);
  }
  if (is(old, 'SuccessCriteriaMet') && !has('SuccessCriteriaMet')) {
    errors.push('cannot disable the SuccessCriteriaMet=True condition');
  }
  if (is(old, 'Complete') && !is(old, 'SuccessCriteriaMet') && has('SuccessCriteriaMet')) {
    errors.push('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions');
  }
  return errors.map(ofConditions);
}

/** A job starts before it completes, and only complete jobs have a time of completion, which stays. */
function timeErrors({ job, old, changes }: Change): readonly FieldError[] {
  const { startTime, completionTime } = job.status ?? {};
  const { startTime: startBefore, completionTime: endBefore } = old.status ?? {};
  const errors: FieldError[] = [];
  if (changes('Complete', 'completionTime')) {
    if (completionTime !== undefined && !is(job, 'Complete')) {
      const problem = 'cannot set completionTime when there is ' + 'no Complete=True condition';
      errors.push(wrong('completionTime', completionTime, problem));
    }
    if (completionTime === undefined && is(job, 'Complete')) {
      errors.push(required('status.completionTime', 'completionTime is required for Complete jobs'));
    }
  }
  if (startTime && completionTime && changes('startTime', 'completionTime')) {
    const isBefore = Date.parse(completionTime) < Date.parse(startTime);
    if (isBefore) errors.push(wrong('completionTime', completionTime, 'must be equal to or after `startTime`'));
  }
  if (completionTime !== undefined && endBefore !== undefined && completionTime !== endBefore) {
    errors.push(wrong('completionTime', completionTime, 'field is immutable'));
  }
  if (startBefore !== undefined && startBefore !== startTime && !job.spec?.suspend) {
    errors.push(wrong('startTime', startTime, 'field is immutable for unsuspended job once set'));
  }
  return errors;
}

/** A finished job has started, and has no pods left. */
function finishedErrors({ job, changes }: Change): readonly FieldError[] {
  if (!is(job, 'Finished')) return [];
  const { active = 0, terminating = 0, startTime, uncountedTerminatedPods: pods } = job.status ?? {};
  const uncounted = (pods?.succeeded?.length ?? 0) + (pods?.failed?.length ?? 0);
  const neverRan = job.spec?.suspend === true && job.spec.completions === 0;
  const errors: FieldError[] = [];
  if (active > 0 && changes('Finished', 'active')) {
    errors.push(wrong('active', active, 'active>0 is invalid for finished job'));
  }
  if (startTime === undefined && !neverRan && changes('Finished', 'startTime')) {
    errors.push(required('status.startTime', 'startTime is required for finished job'));
  }
  if (uncounted > 0 && changes('Finished', 'uncountedTerminatedPods')) {
    errors.push(wrong('uncountedTerminatedPods', pods, 'must be empty for finished job'));
  }
  if (terminating > 0 && changes('Finished', 'terminating')) {
    errors.push(wrong('terminating', terminating, 'terminating>0 is invalid for finished job'));
  }
  return errors;
}

/** Only jobs with indexes complete and fail by index, and no index does both. */
function indexErrors({ job, changes }: Change): readonly FieldError[] {
  const { completions, completionMode, backoffLimitPerIndex: limit } = job.spec ?? {};
  const { completedIndexes = '', failedIndexes } = job.status ?? {};
  const errors: FieldError[] = [];
  const check = (field: 'completedIndexes' | 'failedIndexes', text: string): void => {
    const read = readIndexes(text, completions ?? 0);
    if (completions !== undefined && !read.ok) {
      errors.push(wrong(field, text, `error parsing ${field}: ${read.problem}`));
    }
  };
  if (changes('completedIndexes')) {
    check('completedIndexes', completedIndexes);
    if (completedIndexes !== '' && completionMode !== 'Indexed') {
      const problem = 'cannot set non-empty completedIndexes when non-indexed completion mode';
      errors.push(wrong('completedIndexes', completedIndexes, problem));
    }
  }
  if (failedIndexes === undefined) return errors;
  if (changes('failedIndexes')) {
    if (limit !== undefined) check('failedIndexes', failedIndexes);
    else {
      const problem = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
      errors.push(wrong('failedIndexes', failedIndexes, problem));
    }
  }
  const common = commonIndex(completedIndexes, failedIndexes, completions ?? 0);
  if (common !== undefined && changes('failedIndexes', 'completedIndexes')) {
    const problem = `failedIndexes and completedIndexes overlap at index: ${common}`;
    errors.push(wrong('failedIndexes', failedIndexes, problem));
  }
  return errors;
}

/** Counts of ended pods do not go down, unless an indexed job may be scaled. No more pods are ready than active. */
function countErrors({ job, old, changes }: Change): readonly FieldError[] {
  const { completions, completionMode, parallelism } = job.spec ?? {};
  const { active = 0, ready = 0, failed = 0, succeeded = 0 } = job.status ?? {};
  const { failed: failedBefore = 0, succeeded: succeededBefore = 0 } = old.status ?? {};
  const mayScale = completionMode === 'Indexed' && completions === parallelism;
  const errors: FieldError[] = [];
  if (ready > active && changes('ready', 'active')) {
    errors.push(wrong('ready', ready, 'cannot set more ready pods than active'));
  }
  if (failed < failedBefore) errors.push(wrong('failed', failed, 'cannot decrease the failed counter'));
  if (succeeded < succeededBefore && !mayScale) {
    errors.push(wrong('succeeded', succeeded, 'cannot decrease the succeeded counter'));
  }
  return errors;
}
