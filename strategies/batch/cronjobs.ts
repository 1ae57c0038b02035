/** CronJob: when its jobs run, what they have to be like, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { invalidValue, notSupported } from '../../runtime/objects/field-error.js';
import { isArray, objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { timeSince } from '../../runtime/objects/time/human-duration.js';
import { containerCell, selectorText } from '../apps/workload-cells.js';
import { podNameWarnings, templateWarnings } from '../apps/workload-warnings.js';
import { canonicalizePodTemplate } from '../core/pod-spec/pod-template.js';
import { printedSelector } from '../shared/printed-values.js';
import { cronProblem } from './cron-schedule.js';
import { validateJobSpec } from './job-spec.js';
import { validateTimeZone } from './time-zone.js';

/** Jobs get eleven more characters, and have to fit into a label's 63. */
const maxName = 52;

export function defineCronJobStrategy(names: Naming): Strategy {
  const path = 'spec.jobTemplate.spec.template';
  return {
    kind: 'batch/CronJob',
    canonicalize: (object) => canonicalizePodTemplate(templateOf(object)),
    validate: (object, { subresource }) => (subresource === 'status' ? [] : specErrors(object, names)),
    validateCreate: nameErrors,
    warnings: (object, old) => [
      ...podNameWarnings(object, old),
      ...templateWarnings(object, old, { template: templateOf, path, names }),
      ...zoneWarnings(object, old, names),
    ],
    cell: cronJobCell,
  };
}

const specOf = (object: ApiObject): JsonObject | undefined => objectAt(object, 'spec');
const jobOf = (object: ApiObject): JsonObject | undefined => objectAt(objectAt(specOf(object), 'jobTemplate'), 'spec');
const templateOf = (object: ApiObject): JsonObject | undefined => objectAt(jobOf(object), 'template');
const scheduleOf = (object: ApiObject): string => stringAt(specOf(object), 'schedule');

function specErrors(object: ApiObject, names: Naming): FieldError[] {
  return [
    ...scheduleErrors(object),
    ...validateTimeZone(specOf(object)?.timeZone, 'spec.timeZone'),
    ...validateJobSpec(jobOf(object), 'spec.jobTemplate.spec', names),
    ...selectorErrors(jobOf(object)),
  ];
}

function scheduleErrors(object: ApiObject): readonly FieldError[] {
  const schedule = scheduleOf(object);
  // An empty one is missing, which the schema says.
  const problem = schedule === '' ? undefined : cronProblem(schedule);
  const twoZones = schedule.includes('TZ') && specOf(object)?.timeZone !== undefined;
  const both = 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
  return [
    ...(problem === undefined ? [] : [invalidValue('spec.schedule', schedule, problem)]),
    ...(twoZones ? [invalidValue('spec.schedule', schedule, both)] : []),
  ];
}

/** Each job is given its own selector when it is made. */
function selectorErrors(job: JsonObject | undefined): readonly FieldError[] {
  const path = 'spec.jobTemplate.spec';
  const selector = job?.selector;
  return [
    ...(selector === undefined
      ? []
      : [invalidValue(`${path}.selector`, printedSelector(selector), '`selector` will be auto-generated')]),
    ...(job?.manualSelector === true ? [notSupported(`${path}.manualSelector`, true, ['nil', 'false'])] : []),
  ];
}

/** Asked of new ones only: names were taken before they were found to be too long. */
function nameErrors({ metadata }: ApiObject): readonly FieldError[] {
  const { name = '' } = metadata;
  if (name.length <= maxName) return [];
  return [invalidValue('metadata.name', name, `must be no more than ${maxName} characters`)];
}

function zoneWarnings(object: ApiObject, old: ApiObject | undefined, names: Naming): readonly string[] {
  if (!scheduleOf(object).includes('TZ')) return [];
  if (old !== undefined && old.metadata.generation === object.metadata.generation) return [];
  const page = `https://${names.rename('platform.io/docs')}/concepts/workloads/controllers/cron-jobs/`;
  return [`CRON_TZ or TZ used in spec.spec.schedule is not officially supported, see ${page} for more details`];
}

const cronJobCell: Strategy['cell'] = (object, column, now) => {
  const spec = specOf(object);
  const status = objectAt(object, 'status');
  switch (column) {
    case 'Suspend':
      return typeof spec?.suspend === 'boolean' ? (spec.suspend ? 'True' : 'False') : '<unset>';
    case 'Active':
      return isArray(status?.active) ? status.active.length : 0;
    case 'Last Schedule':
      return status?.lastScheduleTime === undefined ? '<none>' : timeSince(status.lastScheduleTime, now);
    case 'Selector':
      return selectorText(jobOf(object)?.selector);
    default:
      return containerCell(templateOf(object), column);
  }
};
