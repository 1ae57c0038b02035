/** Schedules: valid ones, and the problems of others. */
import { expect, it } from 'vitest';
import { cronProblem } from '../../../../strategies/batch/cron-schedule.js';
import { validateTimeZone } from '../../../../strategies/batch/time-zone.js';

it.each([
  '* * * * *',
  '*/5 0-6,12 1 JAN-mar Mon',
  '5/10 ? ? * 0',
  '@daily',
  '@every 1h30m',
  'TZ=UTC 0 0 * * *',
  'CRON_TZ=Europe/Berlin @hourly',
  '  1   2  3 4 5 ',
])('takes %j', (schedule) => {
  expect(cronProblem(schedule)).toBeUndefined();
});

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
])('refuses %j', (schedule, problem) => {
  expect(cronProblem(schedule)).toBe(problem);
});

it('takes time in proportion to the length', () => {
  expect(cronProblem(`${'1,'.repeat(200_000)}x * * * *`)).toContain('failed to parse int');
});

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
])('zone %j has %d mistakes', (zone, count) => {
  expect(validateTimeZone(zone, 'spec.timeZone')).toHaveLength(count);
});
