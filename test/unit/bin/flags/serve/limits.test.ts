import { expect, it } from 'vitest';
import type { ServeFlags } from '../../../../../bin/flags/serve/index.js';
import { readServeOptions } from '../../../../../bin/flags/serve-options.js';
import { usualFlags } from '../../../../support/serving.js';

const readLimits = (flags: ServeFlags) => readServeOptions(flags).limits;

it('are read into options, with the defaults on the pages', () => {
  expect(readLimits(usualFlags)).toEqual({
    fairness: true,
    requests: 400,
    mutatingRequests: 200,
    requestTimeoutMs: 60_000,
    bodyBytes: 3 * 2 ** 20,
    headerBytes: 2 ** 20,
    headers: 25_000,
    urlBytes: 2 ** 16,
    headerTimeoutMs: 32_000,
    idleTimeoutMs: 90_000,
    connections: 10_000,
    connectionsPerUser: 5000,
    http2Streams: 250,
    watchBufferBytes: 2 ** 24,
  });
});

it.each([
  [{ maxHeaders: 'many' }, '--max-headers many: must be a number from 10 to 1000000000'],
  [{ maxUrlBytes: '1' }, '--max-url-bytes 1: must be a size from 256 to 16Mi'],
  [{ idleTimeout: '5' }, '--idle-timeout 5: must be a duration from 100ms to 24h'],
  [{ enablePriorityAndFairness: 'yes' }, '--enable-priority-and-fairness yes: must be true or false'],
  [{ maxRequestsInflight: '0', maxMutatingRequestsInflight: '0' }, 'are both 0, and priority levels share their sum'],
])('are refused with the valid values: %j', (flags, message) =>
  expect(() => readLimits({ ...usualFlags, ...flags })).toThrow(message),
);

it('may be 0 without fairness, for no limit', () => {
  const flags = { enablePriorityAndFairness: 'false', maxRequestsInflight: '0', maxMutatingRequestsInflight: '0' };
  expect(readLimits({ ...usualFlags, ...flags })).toMatchObject({ fairness: false, requests: 0, mutatingRequests: 0 });
});
