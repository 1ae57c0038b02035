/** Recordings of faults: the requests that failed, and their faults, to let them fail again. */
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
  /** The number of the request among the requests of its kind, counted from 1. */
  readonly occurrence: number;
  readonly fault: Fault;
}

/** A recording. Tests can store it as JSON. */
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
