import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/names/naming.js';
import { cronProblem, defineCronJobs } from '../../../../strategies/batch/cronjobs.js';
import { validateTimeZone } from '../../../../strategies/batch/time-zone.js';
import { servingOf } from '../../../../strategies/shared/serving.js';
import { errorsOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';
import { storedLike } from '../../../support/stored-objects.js';
import { podTemplate } from '../../../support/workloads.js';

const handlers = defineCronJobs(servingOf(platformNaming));
const jobSpec = { template: podTemplate({ restartPolicy: 'Never' }) };

const cron = (spec: JsonObject = {}, status: JsonObject = {}, name = 'c'): ApiObject =>
  storedLike(handlers, { spec, status }, { name });

describe('rules of a CronJob', () => {
  it.each<[JsonObject, readonly string[]]>([
    [{ timeZone: 'Asia/Tokyo' }, []],
    [{ schedule: '* * *' }, ['spec.schedule: Invalid value: "* * *": expected exactly 5 fields, found 3: [* * *]']],
    [
      { schedule: 'TZ=UTC 0 * * * *', timeZone: 'UTC' },
      [
        'spec.schedule: Invalid value: "TZ=UTC 0 * * * *": cannot use both timeZone field and TZ or CRON_TZ in schedule',
      ],
    ],
    [{ timeZone: 'Nowhere' }, ['spec.timeZone: Invalid value: "Nowhere": unknown time zone Nowhere']],
    [
      { jobTemplate: { spec: { ...jobSpec, manualSelector: true } } },
      ['spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"'],
    ],
    [
      { jobTemplate: { spec: { template: podTemplate() } } },
      ['spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
  ])('%j', (spec, expected) => expect(errorsOf(handlers, cron(spec))).toEqual(expected));

  it('refuse selectors, which are generated for each job', () => {
    const found = errorsOf(handlers, cron({ jobTemplate: { spec: { ...jobSpec, selector: {} } } }));
    expect(found.join()).toContain('`selector` will be auto-generated');
  });

  it('require a name with room for the names of jobs in new objects', () => {
    const errorsOf = (length: number) => handlers.validateCreate?.(cron({}, {}, 'c'.repeat(length)), contextOf());
    expect(errorsOf(52)).toEqual([]);
    expect(errorsOf(53)?.map(({ message }) => message)).toEqual([
      `Invalid value: "${'c'.repeat(53)}": must be no more than 52 characters`,
    ]);
  });
});

it('warns about zones in schedules', () => {
  const object = cron({ schedule: 'TZ=UTC 0 * * * *' });
  const page = (host: string) =>
    'CRON_TZ or TZ used in spec.spec.schedule is not officially supported, see ' +
    `https://${host}/docs/concepts/workloads/controllers/cron-jobs/ for more details`;
  expect(handlers.warn?.(object, undefined)).toEqual([page('platform.io')]);
  expect(defineCronJobs(servingOf(kubernetesNaming)).warn?.(object, undefined)).toEqual([page('kubernetes.io')]);
  expect(handlers.warn?.(object, object)).toEqual([page('platform.io')]);
});

it.each<[JsonObject, JsonObject, string, string | number]>([
  [{}, {}, 'Suspend', 'False'],
  [{ suspend: true }, {}, 'Suspend', 'True'],
  [{}, { active: [{}, {}] }, 'Active', 2],
  [{}, {}, 'Active', 0],
  [{}, {}, 'Last Schedule', '<none>'],
  [{}, { lastScheduleTime: '2024-05-06T07:08:00Z' }, 'Last Schedule', '9s'],
  [{}, {}, 'Containers', 'c'],
  [{}, {}, 'Selector', '<none>'],
])('%j, %j: %s is %j', (spec, status, column, expected) =>
  expect(handlers.columns?.[column]?.(cron(spec, status), Date.parse('2024-05-06T07:08:09Z'))).toBe(expected),
);

it.each([
  '* * * * *',
  '*/5 0-6,12 1 JAN-mar Mon',
  '5/10 ? ? * 0',
  '@daily',
  '@every 1h30m',
  'TZ=UTC 0 0 * * *',
  'CRON_TZ=Europe/Berlin @hourly',
  '  1   2  3 4 5 ',
])('accepts %j', (schedule) => expect(cronProblem(schedule)).toBeUndefined());

it.each([
  ['', 'empty spec string'],
  ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
  ['60 * * * *', 'end of range (60) above maximum (59): 60'],
  ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['* * * * 7', 'end of range (7) above maximum (6): 7'],
  ['9-3 * * * *', 'beginning of range (9) beyond end of range (3): 9-3'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
  ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  [
    '99999999999999999999 * * * *',
    'failed to parse int from 99999999999999999999: strconv.Atoi: parsing "99999999999999999999": value out of range',
  ],
  ['@sometimes', 'unrecognized descriptor: @sometimes'],
  ['@every day', 'failed to parse duration @every day: time: invalid duration "day"'],
  ['TZ=Nowhere * * * * *', 'provided bad location Nowhere: unknown time zone Nowhere'],
])('refuses %j', (schedule, problem) => expect(cronProblem(schedule)).toBe(problem));

it('takes time in proportion to the length', () =>
  expect(cronProblem(`${'1,'.repeat(200_000)}x * * * *`)).toContain('failed to parse int'));

it.each([
  ['Europe/Berlin', 0],
  ['UTC', 0],
  ['Etc/GMT+5', 0],
  [undefined, 0],
  ['', 1],
  ['europe/berlin', 1],
  ['Mars/City', 1],
  ['+01:00', 2],
  ['Local', 1],
  ['../etc', 2],
])('zone %j has %d mistakes', (zone, count) => expect(validateTimeZone(zone, 'spec.timeZone')).toHaveLength(count));
