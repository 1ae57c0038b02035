/** Recordings of faults: which requests went wrong and how, so that the same ones can go wrong again. */
import type { AskedThing } from '../../runtime/server/index.js';
import type { Fault } from './rule.js';

/** A fault that a request has met. */
export interface RecordedFault {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** For paths of no resource. */
  readonly path: string;
  /** Which of the requests of this very kind it was, counted from 1. */
  readonly occurrence: number;
  readonly fault: Fault;
}

/** Can be kept as JSON. */
export interface FaultRecording {
  readonly seed: number;
  readonly faults: readonly RecordedFault[];
}

/** Requests of one kind ask for the same, by the same verb. */
export const kindOfRequest = (asked: Omit<AskedThing, 'version'>): string =>
  [
    asked.verb,
    asked.group,
    asked.resource,
    asked.subresource,
    asked.namespace,
    asked.name,
    asked.resource ? '' : asked.path,
  ].join(' ');
