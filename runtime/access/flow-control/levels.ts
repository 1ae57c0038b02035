/** The priority levels of a server, which share its seats, and texts that show their state. */
import type { FlowObserver } from './flow-observer.js';
import { allotSeats, type LevelSpec, seatBounds } from './level-spec.js';
import { PriorityLevel } from './priority-level.js';

/** The interval at which levels borrow and give back seats, in milliseconds. */
const adjustmentMs = 10_000;

export class Levels {
  readonly #levels = new Map<string, PriorityLevel>();
  readonly #total: number;
  readonly #observer: FlowObserver;
  readonly #clock: () => number;
  #adjustAt: number;

  /** `total` is the number of seats of the server. */
  constructor(total: number, observer: FlowObserver, clock: () => number) {
    this.#total = total;
    this.#observer = observer;
    this.#clock = clock;
    this.#adjustAt = clock() + adjustmentMs;
  }

  find(name: string): PriorityLevel | undefined {
    return this.#levels.get(name);
  }

  get all(): Iterable<PriorityLevel> {
    return this.#levels.values();
  }

  use(spec: LevelSpec): void {
    const known = this.#levels.get(spec.name);
    if (known) known.use(spec);
    else this.#levels.set(spec.name, new PriorityLevel(spec, this.#clock()));
    this.#divide();
  }

  /** Removes a level. Its waiting requests still run, in its former seats. */
  remove(name: string): void {
    if (!this.#levels.delete(name)) return;
    this.#observer.forgotten(name);
    this.#divide();
  }

  /** Adjusts lent and borrowed seats if it is time. Runs with requests, so an idle server does no work. */
  adjustIfDue(now: number): void {
    if (now < this.#adjustAt) return;
    this.#adjustAt = now + adjustmentMs;
    const limited = this.#limited();
    const wishes = limited.map((level) => level.wish(now));
    const nominal = limited.reduce((sum, level) => sum + level.figures().nominal, 0);
    const { seats, fairPart } = allotSeats(wishes, nominal);
    for (const [i, level] of limited.entries()) level.limit = seats[i] ?? level.limit;
    this.#observer.allotted(fairPart);
    this.#tell();
  }

  #divide(): void {
    const limited = this.#limited();
    const shares = limited.reduce((sum, level) => sum + level.spec.shares, 0);
    for (const level of limited) level.setBounds(seatBounds(level.spec, shares, this.#total));
    this.#tell();
  }

  #limited(): readonly PriorityLevel[] {
    return [...this.#levels.values()].filter(({ spec }) => !spec.isExempt);
  }

  #tell(): void {
    for (const level of this.#limited()) this.#observer.adjusted(level.spec.name, level.figures());
  }
}

// Tables of the state of all levels, with the columns of the reference.

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
