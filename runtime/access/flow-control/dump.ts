/** Prints the state of flow control as comma-separated tables: levels, queues, and waiting requests. */
import type { Levels } from './levels.js';

const folder = '/debug/api_priority_and_fairness/';

type Row = readonly (string | number | boolean)[];

const dumps: Readonly<Record<string, (levels: Levels) => readonly Row[]>> = {
  dump_priority_levels: (levels) => [
    ['PriorityLevelName', 'ActiveQueues', 'IsIdle', 'WaitingRequests', 'ExecutingRequests', 'SeatsInUse', 'SeatsLimit'],
    ...[...levels.all].map((level): Row => {
      const { waiting, executing, seats, spec } = level;
      const limit = spec.isExempt ? '<none>' : level.limit;
      return [spec.name, [...level.queued()].length, waiting + executing === 0, waiting, executing, seats, limit];
    }),
  ],
  dump_queues: (levels) => [
    ['PriorityLevelName', 'Index', 'PendingRequests', 'InitialSeatsSum', 'SpentMilliseconds'],
    ...[...levels.all].flatMap((level) =>
      [...level.queued()].map(([index, { items, spent }]): Row => {
        const seats = items.reduce((sum, item) => sum + item.seats, 0);
        return [level.spec.name, index, items.length, seats, spent.toFixed(3)];
      }),
    ),
  ],
  dump_requests: (levels) => [
    [
      'PriorityLevelName',
      'FlowSchemaName',
      'QueueIndex',
      'RequestIndexInQueue',
      'FlowDistingsher',
      'WaitedSeconds',
      'InitialSeats',
      'UserName',
      'Verb',
      'Target',
    ],
    ...[...levels.all].flatMap((level) =>
      [...level.queued()].flatMap(([index, { items }]) =>
        items.map(({ schema, flow, since, seats, attributes }, place): Row => {
          const waited = ((performance.now() - since) / 1000).toFixed(3);
          const target = 'path' in attributes ? attributes.path : attributes.resource;
          return [
            level.spec.name,
            schema,
            index,
            place,
            flow,
            waited,
            seats,
            attributes.user.name,
            attributes.verb,
            target,
          ];
        }),
      ),
    ),
  ],
};

/** Returns the tables by path. The paths need their own rights. */
export const dumpsOf = (levels: Levels): ReadonlyMap<string, () => string> =>
  new Map(Object.entries(dumps).map(([name, dump]) => [folder + name, () => dump(levels).map(lineOf).join('')]));

const lineOf = (row: Row): string => `${row.map(cell).join(', ')}\n`;

/** Escapes names that clients choose, so they cannot add rows or columns. */
const cell = (value: string | number | boolean): string => String(value).replace(/[\p{Cc},]/gu, '?');
