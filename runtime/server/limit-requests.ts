/** Chooses what limits the requests in progress: flow control, the simple limits, or nothing. */
import { dumpsOf } from '../access/flow-control/dump.js';
import { defineFlowControl, type FlowControl } from '../access/flow-control/flow-control.js';
import type { LimitRequests } from '../access/flow-control/limiting.js';
import { type InFlightLimits, limitInFlight } from '../access/flow-control/max-in-flight.js';
import type { OwnPath } from '../discovery/path-documents.js';
import { type Metrics, metricTable } from '../metrics/index.js';
import type { Naming } from '../objects/naming.js';
import type { ApiResponse, Turns } from '../request/api-request.js';
import type { VerbServices } from '../request/verb-request.js';
import { defineFlowTags } from './answer-headers.js';
import { flowObserverOf } from './flow-series.js';

/** The limits on requests in progress. */
export interface RequestLimits extends InFlightLimits {
  /** Whether flow schemas and priority levels share `reading` and `mutating` together, rather than each being a limit. */
  readonly isFair: boolean;
  /** The longest time that a request can ask for, milliseconds. It waits for its turn a quarter of it. */
  readonly timeoutMs: number;
}

/** As many as the reference lets in. */
export const usualRequestLimits: RequestLimits = { isFair: true, reading: 400, mutating: 200, timeoutMs: 60_000 };

/** The limit on requests, and the events that it has to be told of. */
export interface ChosenLimit {
  readonly limit: LimitRequests;
  readonly turns: Turns;
  /** Paths that show its state. */
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
    group: naming.rename('flowcontrol.apiserver.platform.io'),
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

const pathsOf = ({ levels }: FlowControl): readonly OwnPath[] =>
  [...dumpsOf(levels)].map(([path, text]) => ({ path, isUnlisted: true, answer: () => plainText(text()) }));

const plainText = (text: string): ApiResponse => ({
  code: 200,
  contentType: 'text/plain; charset=utf-8',
  headers: { 'x-content-type-options': 'nosniff' },
  body: Buffer.from(text),
});

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
