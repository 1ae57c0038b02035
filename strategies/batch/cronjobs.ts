/** CronJob: the rules for its schedule and its jobs, its warnings, and its columns. */
import { defineCronJobHandlers } from '../../generated/batch/v1/cronjobs/handlers.js';
import type { CronJobSpec, JobSpec } from '../../generated/types/batch/v1/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue, notSupported } from '../../runtime/objects/field-error.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import type { Release } from '../../runtime/objects/release.js';
import { parseDuration } from '../../runtime/objects/scan/duration.js';
import { parseInt64 } from '../../runtime/objects/scan/numbers.js';
import { timeSince } from '../../runtime/objects/scan/time.js';
import { containersText, imagesText, isNewState, podNameWarnings, selectorText } from '../apps/workloads.js';
import { canonicalizePodTemplate, podTemplateWarnings } from '../core/pod-spec/pod-template.js';
import { printedSelector } from '../shared/printed-values.js';
import type { Serving } from '../shared/serving.js';
import { checkedJobFields, validateJobSpec } from './job-spec.js';
import { isKnownZone, validateTimeZone } from './time-zone.js';

export function defineCronJobs(serving: Serving): KindHandlers {
  const refusesZones = serving.release.does('zonesInSchedulesRefused');
  return defineCronJobHandlers({
    errorOrder: checkedFields,
    canonicalize: ({ spec }) => canonicalizePodTemplate(spec?.jobTemplate?.spec?.template, serving),
    validate: ({ spec }, { subresource }) => (subresource === 'status' ? [] : specErrors(spec, serving)),
    validateCreate: ({ metadata: { name = '' }, spec }) => [
      ...nameErrors(name),
      ...(refusesZones ? zoneErrors(spec, undefined) : []),
    ],
    validateUpdate: ({ spec }, old) => (refusesZones ? zoneErrors(spec, old.spec) : []),
    warn: (cronJob, old) => [
      ...podNameWarnings(cronJob, old),
      ...(isNewState(cronJob, old) ? jobWarnings(cronJob.spec, serving) : []),
      ...zoneWarnings(cronJob.spec, serving.names),
    ],
    columns: {
      Timezone: ({ spec }) => spec?.timeZone ?? '<none>',
      Suspend: ({ spec }) => suspendText(spec?.suspend),
      Active: ({ status }) => status?.active?.length ?? 0,
      'Last Schedule': ({ status }, now) =>
        status?.lastScheduleTime === undefined ? '<none>' : timeSince(status.lastScheduleTime, now),
      Selector: ({ spec }) => selectorText(spec?.jobTemplate?.spec?.selector),
      Containers: ({ spec }) => containersText(spec?.jobTemplate?.spec?.template),
      Images: ({ spec }) => imagesText(spec?.jobTemplate?.spec?.template),
    },
  });
}

/** Returns the problem of a schedule, or `undefined`. Takes linear time. */
export function cronProblem(schedule: string): string | undefined {
  try {
    readSchedule(schedule);
    return undefined;
  } catch (problem) {
    if (problem instanceof ScheduleProblem) return problem.message;
    throw problem;
  }
}

/** The numbers that one field may hold. */
interface Bounds {
  readonly min: number;
  readonly max: number;
  /** Numbers by name, in lower case. */
  readonly names?: ReadonlyMap<string, number>;
}

const numbered = (names: readonly string[], first: number): ReadonlyMap<string, number> =>
  new Map(names.map((name, i) => [name, first + i]));

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fields: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: numbered(months, 1) },
  { min: 0, max: 6, names: numbered(days, 0) },
];

const descriptors: ReadonlySet<string> = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);

/** Thrown only inside this file; the exported function turns it into a value. */
class ScheduleProblem extends Error {}

function readSchedule(schedule: string): void {
  if (schedule === '') throw new ScheduleProblem('empty spec string');
  const text = withoutZone(schedule);
  if (text.startsWith('@')) {
    readDescriptor(text);
    return;
  }
  const found = text.split(/\s+/).filter((field) => field !== '');
  if (found.length !== fields.length) {
    throw new ScheduleProblem(`expected exactly ${fields.length} fields, found ${found.length}: [${found.join(' ')}]`);
  }
  for (const [i, bounds] of fields.entries()) readField(found[i] ?? '', bounds);
}

/** Removes a leading time zone, as in `TZ=UTC 0 * * * *`. */
function withoutZone(schedule: string): string {
  const [, zone, rest] = /^(?:CRON_)?TZ=(\S*)(.*)$/s.exec(schedule) ?? [];
  if (zone === undefined || rest === undefined) return schedule;
  if (zone !== '' && zone !== 'Local' && !isKnownZone(zone)) {
    throw new ScheduleProblem(`provided bad location ${zone}: unknown time zone ${zone}`);
  }
  return rest.trim();
}

function readDescriptor(text: string): void {
  const every = '@every ';
  if (descriptors.has(text)) return;
  if (!text.startsWith(every)) throw new ScheduleProblem(`unrecognized descriptor: ${text}`);
  const duration = text.slice(every.length);
  if (parseDuration(duration) !== undefined) return;
  throw new ScheduleProblem(`failed to parse duration ${text}: time: invalid duration ${quote(duration)}`);
}

function readField(field: string, bounds: Bounds): void {
  for (const range of field.split(',')) if (range !== '') readRange(range, bounds);
}

/** Reads `*`, `1` or `1-5`, each with or without a step after a slash. */
function readRange(range: string, bounds: Bounds): void {
  const [extent = '', step, ...moreSteps] = range.split('/');
  const { start, end } = readExtent(extent, range, bounds, step !== undefined);
  const width = step === undefined ? 1 : readNumber(step);
  if (moreSteps.length > 0) throw new ScheduleProblem(`too many slashes: ${range}`);
  if (start < bounds.min) {
    throw new ScheduleProblem(`beginning of range (${start}) below minimum (${bounds.min}): ${range}`);
  }
  if (end > bounds.max) throw new ScheduleProblem(`end of range (${end}) above maximum (${bounds.max}): ${range}`);
  if (start > end) throw new ScheduleProblem(`beginning of range (${start}) beyond end of range (${end}): ${range}`);
  if (width === 0) throw new ScheduleProblem(`step of range should be a positive number: ${range}`);
}

interface Extent {
  readonly start: number;
  readonly end: number;
}

/** A single number with a step means all numbers from there on. */
function readExtent(extent: string, range: string, bounds: Bounds, hasStep: boolean): Extent {
  const [low = '', high, ...more] = extent.split('-');
  if (low === '*' || low === '?') return { start: bounds.min, end: bounds.max };
  const start = readNumber(low, bounds.names);
  if (more.length > 0) throw new ScheduleProblem(`too many hyphens: ${range}`);
  if (high !== undefined) return { start, end: readNumber(high, bounds.names) };
  return { start, end: hasStep ? bounds.max : start };
}

function readNumber(text: string, names?: ReadonlyMap<string, number>): number {
  const named = names?.get(text.toLowerCase());
  if (named !== undefined) return named;
  const read = parseInt64(text);
  if (!read.ok) {
    throw new ScheduleProblem(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${quote(text)}: ${read.problem}`,
    );
  }
  const value = Number(read.value);
  if (value < 0) throw new ScheduleProblem(`negative number (${value}) not allowed: ${text}`);
  return value;
}

/** Names of jobs are eleven characters longer and must fit into a label of 63. */
const maxName = 52;

const jobPath = 'spec.jobTemplate.spec';

const checkedFields = [
  ...['spec.schedule', 'spec.startingDeadlineSeconds', 'spec.timeZone', 'spec.concurrencyPolicy'],
  ...checkedJobFields(jobPath),
  ...['spec.successfulJobsHistoryLimit', 'spec.failedJobsHistoryLimit'],
];

function specErrors(spec: Draft<CronJobSpec> = {}, serving: Serving): readonly FieldError[] {
  const job = spec.jobTemplate?.spec;
  return [
    ...scheduleErrors(spec, serving.release),
    ...validateTimeZone(spec.timeZone, 'spec.timeZone'),
    ...validateJobSpec(job, jobPath, serving),
    ...selectorErrors(job),
  ];
}

function scheduleErrors({ schedule = '', timeZone }: Draft<CronJobSpec>, release: Release): readonly FieldError[] {
  // The schema reports an empty schedule as missing.
  const problem = schedule === '' ? undefined : cronProblem(schedule);
  const hasTwoZones = schedule.includes('TZ') && timeZone !== undefined && !release.does('zonesInSchedulesRefused');
  return [
    ...(problem === undefined ? [] : [invalidValue('spec.schedule', schedule, problem)]),
    ...(hasTwoZones ? [invalidValue('spec.schedule', schedule, twoZones)] : []),
  ];
}

const twoZones = 'cannot use both timeZone field and TZ or CRON_TZ in schedule';

/** A schedule has a time zone only if it had one before. */
function zoneErrors(
  { schedule = '', timeZone }: Draft<CronJobSpec> = {},
  old: Draft<CronJobSpec> | undefined,
): readonly FieldError[] {
  if (!schedule.includes('TZ')) return [];
  if (!old?.schedule?.includes('TZ')) {
    const problem = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
    return [invalidValue('spec.schedule', schedule, problem)];
  }
  return timeZone === undefined ? [] : [invalidValue('spec.schedule', schedule, twoZones)];
}

/** Each job gets its own selector when it is created. */
function selectorErrors({ selector, manualSelector }: Draft<JobSpec> = {}): readonly FieldError[] {
  const generated = '`selector` will be auto-generated';
  return [
    ...(selector ? [invalidValue(`${jobPath}.selector`, printedSelector(selector), generated)] : []),
    ...(manualSelector ? [notSupported(`${jobPath}.manualSelector`, true, ['nil', 'false'])] : []),
  ];
}

/** Checked only for new objects, because older ones may have longer names. */
const nameErrors = (name: string): readonly FieldError[] =>
  name.length <= maxName ? [] : [invalidValue('metadata.name', name, `must be no more than ${maxName} characters`)];

const jobWarnings = ({ jobTemplate }: Draft<CronJobSpec> = {}, serving: Serving): readonly string[] =>
  podTemplateWarnings(jobTemplate?.spec?.template, `${jobPath}.template`, serving);

/** Warns about a time zone in the schedule, at every write. */
function zoneWarnings({ schedule = '' }: Draft<CronJobSpec> = {}, names: Naming): readonly string[] {
  if (!schedule.includes('TZ')) return [];
  const page = `https://${names.rename('platform.io/docs')}/concepts/workloads/controllers/cron-jobs/`;
  return [`CRON_TZ or TZ used in spec.spec.schedule is not officially supported, see ${page} for more details`];
}

function suspendText(suspend: boolean | undefined): string {
  if (suspend === undefined) return '<unset>';
  return suspend ? 'True' : 'False';
}
