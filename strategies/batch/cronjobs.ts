/** CronJob: the rules for its schedule and its jobs, its warnings, and its columns. */
import { defineCronJobHandlers } from '../../generated/batch/v1/cronjobs/handlers.js';
import type { CronJobSpec, JobSpec } from '../../generated/types/batch/v1/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue, notSupported } from '../../runtime/objects/field-error.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { timeSince } from '../../runtime/objects/time/human-duration.js';
import { containersText, imagesText, selectorText } from '../apps/workload-cells.js';
import { isNewState, podNameWarnings } from '../apps/workload-warnings.js';
import { canonicalizePodTemplate, podTemplateWarnings } from '../core/pod-spec/pod-template.js';
import { printedSelector } from '../shared/printed-values.js';
import { cronProblem } from './cron-schedule.js';
import { checkedJobFields, validateJobSpec } from './job-spec.js';
import { validateTimeZone } from './time-zone.js';

/** Jobs get eleven more characters, and have to fit into a label's 63. */
const maxName = 52;

const jobPath = 'spec.jobTemplate.spec';

const checkedFields = [
  ...['spec.schedule', 'spec.startingDeadlineSeconds', 'spec.timeZone', 'spec.concurrencyPolicy'],
  ...checkedJobFields(jobPath),
  ...['spec.successfulJobsHistoryLimit', 'spec.failedJobsHistoryLimit'],
];

export const defineCronJobs = (names: Naming): KindHandlers =>
  defineCronJobHandlers({
    errorOrder: checkedFields,
    canonicalize: ({ spec }) => canonicalizePodTemplate(spec?.jobTemplate?.spec?.template),
    validate: ({ spec }, { subresource }) => (subresource === 'status' ? [] : specErrors(spec, names)),
    validateCreate: ({ metadata: { name = '' } }) => nameErrors(name),
    warn: (cronJob, old) => [
      ...podNameWarnings(cronJob, old),
      ...(isNewState(cronJob, old) ? specWarnings(cronJob.spec, names) : []),
    ],
    columns: {
      Suspend: ({ spec }) => suspendText(spec?.suspend),
      Active: ({ status }) => status?.active?.length ?? 0,
      'Last Schedule': ({ status }, now) =>
        status?.lastScheduleTime === undefined ? '<none>' : timeSince(status.lastScheduleTime, now),
      Selector: ({ spec }) => selectorText(spec?.jobTemplate?.spec?.selector),
      Containers: ({ spec }) => containersText(spec?.jobTemplate?.spec?.template),
      Images: ({ spec }) => imagesText(spec?.jobTemplate?.spec?.template),
    },
  });

function specErrors(spec: Draft<CronJobSpec> = {}, names: Naming): readonly FieldError[] {
  const job = spec.jobTemplate?.spec;
  return [
    ...scheduleErrors(spec),
    ...validateTimeZone(spec.timeZone, 'spec.timeZone'),
    ...validateJobSpec(job, jobPath, names),
    ...selectorErrors(job),
  ];
}

function scheduleErrors({ schedule = '', timeZone }: Draft<CronJobSpec>): readonly FieldError[] {
  // An empty one is missing, which the schema says.
  const problem = schedule === '' ? undefined : cronProblem(schedule);
  const hasTwoZones = schedule.includes('TZ') && timeZone !== undefined;
  const both = 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
  return [
    ...(problem === undefined ? [] : [invalidValue('spec.schedule', schedule, problem)]),
    ...(hasTwoZones ? [invalidValue('spec.schedule', schedule, both)] : []),
  ];
}

/** Each job is given its own selector when it is made. */
function selectorErrors({ selector, manualSelector }: Draft<JobSpec> = {}): readonly FieldError[] {
  const generated = '`selector` will be auto-generated';
  return [
    ...(selector ? [invalidValue(`${jobPath}.selector`, printedSelector(selector), generated)] : []),
    ...(manualSelector ? [notSupported(`${jobPath}.manualSelector`, true, ['nil', 'false'])] : []),
  ];
}

/** Checked for new objects only: older ones may have longer names. */
const nameErrors = (name: string): readonly FieldError[] =>
  name.length <= maxName ? [] : [invalidValue('metadata.name', name, `must be no more than ${maxName} characters`)];

function specWarnings({ jobTemplate, schedule = '' }: Draft<CronJobSpec> = {}, names: Naming): readonly string[] {
  const page = `https://${names.rename('platform.io/docs')}/concepts/workloads/controllers/cron-jobs/`;
  const zone = `CRON_TZ or TZ used in spec.spec.schedule is not officially supported, see ${page} for more details`;
  return [
    ...podTemplateWarnings(jobTemplate?.spec?.template, `${jobPath}.template`, names),
    ...(schedule.includes('TZ') ? [zone] : []),
  ];
}

function suspendText(suspend: boolean | undefined): string {
  if (suspend === undefined) return '<unset>';
  return suspend ? 'True' : 'False';
}
