/**
 * Chooses what limits the requests in progress: flow control, the simple limits, or nothing. Limits the connections of
 * each user.
 */

import { defineFlowControl, type FlowControl } from '../access/flow-control/flow-control.js';
import type { FlowCounts, FlowObserver, LevelFigures, RefusalReason } from '../access/flow-control/flow-observer.js';
import type { Flow } from '../access/flow-control/follow.js';
import { dumpsOf } from '../access/flow-control/levels.js';
import { type InFlightLimits, type LimitRequests, limitInFlight } from '../access/flow-control/simple-limits.js';
import type { Failure } from '../contract/index.js';
import { type OwnPath, plainText } from '../discovery/documents.js';
import { type Metrics, metricTable } from '../metrics/index.js';
import { memoizeByObject } from '../objects/memoize.js';
import type { Naming } from '../objects/names/naming.js';
import { tooManyRequests } from '../objects/status.js';
import type { ApiRequest, ClientConnection, Turns } from '../request/api-request.js';
import type { VerbServices } from '../request/verb-request.js';

/** The limits on requests in progress. */
export interface RequestLimits extends InFlightLimits {
  /** Whether flow control shares the sum of `reading` and `mutating`. If not, they are two separate limits. */
  readonly isFair: boolean;
  /**
   * The longest timeout that a request can ask for, milliseconds. A request waits for its turn for at most a quarter of
   * this.
   */
  readonly timeoutMs: number;
}

/** The limits of the reference. */
export const usualRequestLimits: RequestLimits = { isFair: true, reading: 400, mutating: 200, timeoutMs: 60_000 };

/** The limit on requests, and the events that it needs. */
export interface ChosenLimit {
  readonly limit: LimitRequests;
  readonly turns: Turns;
  /** Paths that show the state of the limit. */
  readonly paths: readonly OwnPath[];
}

export function chooseLimit(
  limits: RequestLimits,
  services: VerbServices,
  naming: Naming,
  metrics: Metrics,
): ChosenLimit {
  if (!limits.isFair) return simpleLimit(limits);
  const flowControl = defineFlowControl({
    services,
    group: naming.rename('flowcontrol.platform.io'),
    seats: limits.reading + limits.mutating,
    waitMs: limits.timeoutMs / 4,
    observer: flowObserverOf(metrics),
    tagsOf: defineFlowTags(naming),
  });
  const waiting = metrics.number(metricTable.flowControl.metrics.waiting);
  metrics.collect(() => {
    flowControl.levels.adjustIfDue(performance.now());
    const { reading, mutating } = flowControl.waiting();
    waiting.with('readOnly').value = reading;
    waiting.with('mutating').value = mutating;
  });
  return { limit: flowControl.limit, turns: flowControl.turns, paths: pathsOf(flowControl) };
}

/** Returns the headers with the flow schema and priority level of a request: names and values by turns. */
type FlowTags = (flow: Flow) => readonly string[];

/** Returns the headers under the names of the served naming. */
export function defineFlowTags({ rename }: Naming): FlowTags {
  const flowSchemaHeader = rename('x-platform-pf-flowschema-uid');
  const priorityLevelHeader = rename('x-platform-pf-prioritylevel-uid');
  return memoizeByObject(({ flowSchema, priorityLevel }: Flow): readonly string[] => [
    flowSchemaHeader,
    flowSchema,
    priorityLevelHeader,
    priorityLevel,
  ]);
}

const pathsOf = ({ levels }: FlowControl): readonly OwnPath[] =>
  [...dumpsOf(levels)].map(([path, text]) => ({ path, isUnlisted: true, answer: () => plainText(200, text()) }));

function simpleLimit(limits: InFlightLimits): ChosenLimit {
  let turn = 0;
  const turns: Turns = {
    announce() {},
    begin() {
      turn++;
    },
    end() {},
  };
  return { limit: limitInFlight(limits, () => turn), turns, paths: [] };
}

const { metrics: table } = metricTable.flowControl;

/** The number of pairs of flow schema and priority level with series of their own. All other pairs count as `other`. */
const mostPairs = 500;

function flowObserverOf(metrics: Metrics): FlowObserver {
  const known = new Set<string>();
  const levels = new Set<string>();
  const fairPart = metrics.number(table.fairPart).with();
  return {
    counts(schema, level) {
      const pair = `${schema}\0${level}`;
      if (known.size < mostPairs) known.add(pair);
      return known.has(pair) ? countsOf(metrics, schema, level) : countsOf(metrics, 'other', 'other');
    },
    adjusted(level, figures) {
      if (levels.size < mostPairs) levels.add(level);
      if (levels.has(level)) setFigures(metrics, level, figures);
    },
    allotted(part) {
      fairPart.value = part;
    },
    forgotten(level) {
      if (!levels.has(level)) return;
      const none = {
        nominal: 0,
        lower: 0,
        upper: 0,
        limit: 0,
        target: 0,
        high: 0,
        average: 0,
        deviation: 0,
        smoothed: 0,
      };
      setFigures(metrics, level, none);
    },
  };
}

function countsOf(metrics: Metrics, schema: string, level: string): FlowCounts {
  const dispatched = metrics.number(table.dispatched).with(schema, level);
  const executing = metrics.number(table.executing).with(schema, level);
  const inUse = metrics.number(table.inUse).with(schema, level);
  const executingSeats = metrics.number(table.executingSeats).with(schema, level);
  const inQueue = metrics.number(table.inQueue).with(schema, level);
  const inQueueSeats = metrics.number(table.inQueueSeats).with(schema, level);
  const watchCounts = metrics.has(table.watchCounts)
    ? metrics.histogram(table.watchCounts).with(schema, level)
    : undefined;
  const length = metrics.histogram(table.queueLength).with(schema, level);
  const waited = metrics.histogram(table.waitSeconds).with('true', schema, level);
  const work = metrics.histogram(table.workSeats).with(schema, level);
  const seconds = metrics.histogram(table.executionSeconds);
  const [regular, watch] = [seconds.with(schema, level, 'regular'), seconds.with(schema, level, 'watch')];
  return {
    dispatched(seats, waitedMs = 0) {
      dispatched.value++;
      work.observe(seats);
      waited.observe(waitedMs / 1000);
    },
    began(seats) {
      executing.value++;
      inUse.value += seats;
      executingSeats.value += seats;
    },
    ended(seats) {
      executing.value--;
      inUse.value -= seats;
      executingSeats.value -= seats;
    },
    executed: (ms, isWatch) => (isWatch ? watch : regular).observe(ms / 1000),
    queued(seats, before) {
      inQueue.value++;
      inQueueSeats.value += seats;
      length.observe(before + 1);
    },
    unqueued(seats) {
      inQueue.value--;
      inQueueSeats.value -= seats;
    },
    watched: (watches) => watchCounts?.observe(watches),
    refused(reason: RefusalReason, waitedMs) {
      metrics.number(table.rejected).with(schema, level, reason).value++;
      if (waitedMs !== undefined) {
        metrics
          .histogram(table.waitSeconds)
          .with('false', schema, level)
          .observe(waitedMs / 1000);
      }
    },
  };
}

function setFigures(metrics: Metrics, level: string, figures: LevelFigures): void {
  const values = [
    [table.limit, figures.nominal],
    [table.nominal, figures.nominal],
    [table.lower, figures.lower],
    [table.upper, figures.upper],
    [table.current, figures.limit],
    [table.target, figures.target],
    [table.demandHigh, figures.high],
    [table.demandAverage, figures.average],
    [table.demandDeviation, figures.deviation],
    [table.demandSmoothed, figures.smoothed],
  ] as const;
  for (const [metric, value] of values) metrics.number(metric).with(level).value = value;
}

/** Returns why a request is refused, if its connection is above the user's limit. */
export type RefuseConnection = (request: ApiRequest, user: string) => Failure | undefined;

/**
 * Counts a connection for the user of its first request until it closes. Requests without a connection do not count.
 */
export function limitConnections(most: number): RefuseConnection {
  const users = new WeakMap<ClientConnection, string>();
  const open = new Map<string, number>();
  const closed = (user: string): void => {
    const left = (open.get(user) ?? 1) - 1;
    if (left > 0) open.set(user, left);
    else open.delete(user);
  };
  return (request, user) => {
    const connection = request.connection?.();
    if (!connection || users.has(connection)) return undefined;
    const before = open.get(user) ?? 0;
    if (before >= most) {
      connection.close?.();
      return tooManyRequests(`Too many connections of user ${JSON.stringify(user)}, please try again later.`, 1);
    }
    users.set(connection, user);
    open.set(user, before + 1);
    connection.once('close', () => closed(user));
    return undefined;
  };
}
