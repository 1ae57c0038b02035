import { describe, expect, test } from 'vitest';
import { badgesOf, conditionsOf, timelineOf } from '../../../../packages/console/src/object/timeline.js';

const object = {
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: {
    name: 'a',
    creationTimestamp: '2026-01-01T00:00:00Z',
    deletionTimestamp: '2026-01-05T00:00:00Z',
    finalizers: ['x/y'],
  },
  status: {
    phase: 'Running',
    conditions: [
      {
        type: 'Ready',
        status: 'False',
        reason: 'Waiting',
        message: 'soon',
        lastTransitionTime: '2026-01-03T00:00:00Z',
      },
      { type: 'DiskPressure', status: 'True' },
      { status: 'True' },
      'junk',
    ],
  },
};

const event = (name: string, fields: Record<string, unknown>) => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name, creationTimestamp: '2026-01-01T12:00:00Z' },
  ...fields,
});

describe('timelineOf', () => {
  test('puts creation, deletion, conditions and events in one order, the newest first', () => {
    const events = [
      event('old', { reason: 'Pulled', message: 'image', lastTimestamp: '2026-01-02T00:00:00Z', count: 4 }),
      event('new', { reason: 'Failed', note: 'why', type: 'Warning', eventTime: '2026-01-04T00:00:00.000000Z' }),
    ];
    expect(timelineOf(object, events).map(({ title, text, tone, count }) => [title, text, tone, count])).toEqual([
      ['Deletion requested', 'Waits for x/y', 'warn', 1],
      ['Failed', 'why', 'warn', 1],
      ['Ready is False (Waiting)', 'soon', 'warn', 1],
      ['Pulled', 'image', 'plain', 4],
      ['Created', '', 'info', 1],
      ['DiskPressure is True', '', 'bad', 1],
    ]);
  });

  test('puts the creation below events of the same second', () => {
    const time = '2026-01-01T00:00:00Z';
    const made = { ...object, metadata: { name: 'a', creationTimestamp: time, deletionTimestamp: time } };
    const status = { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: time }] };
    const titles = timelineOf({ ...made, status }, [event('one', { reason: 'Pulled', lastTimestamp: time })]);
    expect(titles.map(({ title }) => title)).toEqual(['Pulled', 'Ready is True', 'Deletion requested', 'Created']);
  });

  test('uses the time and count of a series, and the time of creation if an event has no other', () => {
    const [series, plain] = timelineOf({ ...object, metadata: { name: 'a' }, status: undefined }, [
      event('series', { series: { count: 9, lastObservedTime: '2026-02-01T00:00:00Z' }, count: 1 }),
      event('plain', {}),
    ]);
    expect(series).toMatchObject({ count: 9, time: '2026-02-01T00:00:00Z', title: 'Event' });
    expect(plain).toMatchObject({ count: 1, time: '2026-01-01T12:00:00Z' });
  });
});

describe('conditionsOf', () => {
  test('ignores conditions that are not well formed', () => {
    expect(conditionsOf(object).map(({ type }) => type)).toEqual(['Ready', 'DiskPressure']);
    expect(conditionsOf({ ...object, status: 'x' })).toEqual([]);
  });
});

describe('badgesOf', () => {
  test('shows deletion, phase, and the important conditions', () => {
    expect(badgesOf(object).map(({ text, tone }) => [text, tone])).toEqual([
      ['Being deleted', 'warn'],
      ['Running', 'good'],
      ['Ready: False', 'warn'],
      ['DiskPressure', 'bad'],
    ]);
  });
});
