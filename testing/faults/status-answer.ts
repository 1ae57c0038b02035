/** Answers of faults, in the reference's words. */
import type { ApiResponse, AskedThing } from '../../runtime/server/index.js';
import type { FaultStatus, StatusFault } from './rule.js';

const reasons: Readonly<Record<FaultStatus, { readonly reason: string; readonly message: string }>> = {
  409: {
    reason: 'Conflict',
    message: 'the object has been modified; please apply your changes to the latest version and try again',
  },
  410: { reason: 'Expired', message: 'too old resource version' },
  429: { reason: 'TooManyRequests', message: 'too many requests, please try again later' },
  500: { reason: 'InternalError', message: 'an error on the server has prevented the request from succeeding' },
  503: { reason: 'ServiceUnavailable', message: 'the server is currently unable to handle the request' },
  504: { reason: 'Timeout', message: 'request did not complete within the allotted timeout' },
};

/** Returns the Status of a fault. */
export function statusOf(fault: StatusFault, { group, resource, name }: AskedThing): object {
  const { reason, message } = reasons[fault.status];
  const retryAfterSeconds = secondsOf(fault);
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: fault.message ?? message,
    reason,
    details: {
      ...(name === '' ? {} : { name }),
      ...(group === '' ? {} : { group }),
      ...(resource === '' ? {} : { kind: resource }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
    code: fault.status,
  };
}

/** Returns the seconds that a client must wait. */
const secondsOf = ({ status, retryAfterSeconds }: StatusFault): number | undefined =>
  retryAfterSeconds ?? (status === 429 || status === 503 ? 1 : undefined);

export function statusAnswer(fault: StatusFault, asked: AskedThing): ApiResponse {
  const seconds = secondsOf(fault);
  return {
    code: fault.status,
    contentType: 'application/json',
    ...(seconds === undefined ? {} : { headers: { 'retry-after': String(seconds) } }),
    body: Buffer.from(JSON.stringify(statusOf(fault, asked))),
  };
}

/** Returns an answer with a connection that breaks before the first byte. */
export const brokenAnswer = (): ApiResponse => ({
  code: 200,
  contentType: 'application/json',
  body: {
    stream: (sink) => {
      sink.destroy();
      return () => {};
    },
  },
});
