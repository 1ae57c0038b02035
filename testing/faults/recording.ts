/** Recordings of faults: which requests failed and how, so that they can fail again. */
import type { AskedThing } from '../../runtime/server/index.js';
import type { Fault } from './rule.js';

/** A fault that a request has hit. */
export interface RecordedFault {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** For paths without a resource. */
  readonly path: string;
  /** Which of the requests of this kind it was, counted from 1. */
  readonly occurrence: number;
  readonly fault: Fault;
}

/** Can be kept as JSON. */
export interface FaultRecording {
  readonly seed: number;
  readonly faults: readonly RecordedFault[];
}

/** Returns the kind of a request. Requests of one kind have the same verb and target. */
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
