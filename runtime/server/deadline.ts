/** The time that a client gives the server for an answer, by the query parameter `timeout`. */
import { attributesOf } from '../access/request-attributes.js';
import type { Failure, Result, UserInfo } from '../contract/index.js';
import { durationProblem, parseDuration } from '../objects/scan/duration.js';
import { badRequest, timeout } from '../objects/status.js';
import { pathOf } from '../registry/route.js';
import type { ApiRequest } from '../request/api-request.js';
import { queryOf } from '../request/query.js';

/** Why a request that took longer is ended. What it has begun may still come true. */
export const overdue: Failure = timeout('request did not complete within the allotted timeout');

/**
 * The time that a request gives, in milliseconds; `undefined` where it says none, or is one that goes on for long. Who asks
 * for more than `mostMs` gets that.
 */
export function readDeadline(request: ApiRequest, mostMs = 60_000): Result<number | undefined> {
  if (request.search === '') return none;
  const text = queryOf(request.search).text('timeout');
  if (text === '' || goesOn(request)) return none;
  const problem = durationProblem(text);
  if (problem !== undefined) {
    return { ok: false, failure: badRequest(`invalid timeout specified in the request URL - ${problem}`) };
  }
  const ms = Number((parseDuration(text) ?? 0n) / 1_000_000n);
  return { ok: true, value: ms > 0 && ms < mostMs ? ms : mostMs };
}

const none: Result<undefined> = { ok: true, value: undefined };

/** Requests whose end nobody waits for: watches, and connections to what is behind an object. */
function goesOn(request: ApiRequest): boolean {
  const attributes = attributesOf(request, pathOf(request), nobody);
  if ('path' in attributes) return false;
  return attributes.verb === 'watch' || lasting.has(attributes.subresource ?? '');
}

const nobody: UserInfo = { name: '', uid: '', groups: [], extra: {} };

const lasting = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** The answer, or `late` where it is not there in time. */
export function withinTime<T>(answer: Promise<T>, ms: number, late: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(late()), ms);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
