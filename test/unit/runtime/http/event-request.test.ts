/** Requests of h3 apps on any platform: their bodies have the same minimum pace. */
import { H3Event } from 'h3';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readEvent } from '../../../../runtime/http/event-request.js';
import { usualLimits } from '../../../../runtime/http/limits.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('a body that stops coming is refused', async () => {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{')) });
  const init: RequestInit & { readonly duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
  const request = new Request('http://localhost/version', init);
  const read = readEvent(new H3Event(request)).readBody(1000);
  await vi.advanceTimersByTimeAsync(2 * usualLimits.bodyPace.windowMs + 1000);
  expect(await read).toMatchObject({ ok: false, failure: { code: 408 } });
});
