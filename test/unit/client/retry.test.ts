import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { limitingTime } from '../../../client/connection/time-limit.js';
import { ConnectionError } from '../../../client/errors.js';
import { retrying } from '../../../client/retry.js';
import type { Transport, TransportRequest, TransportResponse } from '../../../client/transport.js';

const answer = (status: number, headers: Record<string, string> = {}): TransportResponse => ({
  status,
  header: (name) => headers[name] ?? '',
  text: () => Promise.resolve(''),
  chunks: async function* () {},
});

const request: TransportRequest = { method: 'GET', path: '/', headers: {} };

function scripted(...answers: TransportResponse[]): Transport & { readonly sent: () => number } {
  let sent = 0;
  return {
    sent: () => sent,
    send: () => Promise.resolve(answers[Math.min(sent++, answers.length - 1)] ?? answer(200)),
  };
}

describe('retrying', () => {
  it.each([429, 503])('sends again on %i until it is answered', async (status) => {
    const transport = scripted(answer(status), answer(status), answer(200));
    expect((await retrying(transport, { initialDelayMs: 1 }).send(request)).status).toBe(200);
    expect(transport.sent()).toBe(3);
  });

  it.each([200, 404, 409, 500, 504])('leaves %i to the caller', async (status) => {
    const transport = scripted(answer(status));
    expect((await retrying(transport).send(request)).status).toBe(status);
    expect(transport.sent()).toBe(1);
  });

  it('sends a write again on 503 if the server gives a time, and on no other code', async () => {
    const write = { ...request, method: 'POST' };
    const unsure = scripted(answer(503), answer(200));
    expect((await retrying(unsure, { initialDelayMs: 1 }).send(write)).status).toBe(503);
    const sure = scripted(answer(503, { 'retry-after': '0' }), answer(200));
    expect((await retrying(sure, { initialDelayMs: 1 }).send(write)).status).toBe(200);
  });

  it.each([
    ['GET', 'ECONNRESET', 2],
    ['GET', 'ECONNREFUSED', 1],
    ['PUT', 'ECONNRESET', 1],
    ['DELETE', 'UND_ERR_SOCKET', 1],
  ])('sends a %s with a connection that ends with %s so many times: %i', async (method, code, times) => {
    let sent = 0;
    const send = (): Promise<never> => {
      sent++;
      const cause = new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
      return Promise.reject(new ConnectionError('no answer', cause));
    };
    const done = retrying({ send }, { initialDelayMs: 1 }).send({ ...request, method });
    await expect(done).rejects.toBeInstanceOf(ConnectionError);
    expect(sent).toBe(times);
  });

  it('gives up after the given number of attempts', async () => {
    const transport = scripted(answer(503));
    expect((await retrying(transport, { retries: 2, initialDelayMs: 1 }).send(request)).status).toBe(503);
    expect(transport.sent()).toBe(3);
  });

  it('waits for Retry-After, and fails if that is longer than its limit', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const transport = scripted(answer(429, { 'retry-after': '7' }), answer(429, { 'retry-after': '11' }));
    const done = retrying(transport, { maxDelayMs: 10_000 }).send(request);
    await vi.advanceTimersByTimeAsync(6_999);
    expect(transport.sent()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(transport.sent()).toBe(2);
    expect((await done).status).toBe(429);
  });

  it('reports a busy server if the time of the request ends in the meantime', async () => {
    const busy = { ...answer(429, { 'retry-after': '20' }), text: () => Promise.resolve('come again') };
    const limited = limitingTime(retrying(scripted(busy)), 5);
    const error = await limited.send(request).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ message: 'no answer to GET /: 5 ms are over: come again', cause: { code: 429 } });
  });

  it('stops waiting when the request is canceled', async () => {
    const controller = new AbortController();
    const transport = scripted(answer(503, { 'retry-after': '20' }));
    const done = retrying(transport).send({ ...request, signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(done).rejects.toThrow('enough');
    expect(transport.sent()).toBe(1);
  });
});
