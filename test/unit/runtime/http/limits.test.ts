/** Connections that send nothing are closed; slow ones and watches are not. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { usualLimits } from '../../../../runtime/http/limits.js';
import { watchPace } from '../../../../runtime/http/node-messages.js';
import { makeServerCertificate } from '../../../support/certificates.js';
import { startTestApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

describe('the pace of a body', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Checks whether a body with some bytes each so many seconds counts as stopped within ten minutes. */
  function isStopped(bytes: number, everySeconds: number): boolean {
    let read = 0;
    let stopped = 0;
    const end = watchPace(
      usualLimits.bodyPace,
      () => read,
      () => stopped++,
    );
    for (let second = 1; second <= 600; second++) {
      if (second % everySeconds === 0) read += bytes;
      vi.advanceTimersByTime(1000);
    }
    end();
    expect(stopped).toBeLessThanOrEqual(1);
    return stopped === 1;
  }

  it.each([
    [0, 1],
    [1, 3],
    [1, 1],
    [60, 40],
  ])('with %i bytes each %i s counts as stopped', (bytes, seconds) => {
    expect(isStopped(bytes, seconds)).toBe(true);
  });

  it.each([
    [10, 2],
    [100, 1],
    [1000, 16],
    [65_536, 30],
  ])('with %i bytes each %i s counts as moving', (bytes, seconds) => {
    expect(isStopped(bytes, seconds)).toBe(false);
  });

  it('no longer matters once the body is complete', () => {
    const stopped = vi.fn();
    watchPace(usualLimits.bodyPace, () => 0, stopped)();
    vi.advanceTimersByTime(10 * usualLimits.bodyPace.windowMs);
    expect(stopped).not.toHaveBeenCalled();
  });
});

it('headers have the time limit of the reference', () => {
  expect(usualLimits.headersMs).toBe(32_000);
});

describe('over TLS', () => {
  it.each([
    ['nothing', ''],
    ['the beginning of a handshake', '\x16\x03\x01'],
    ['plain HTTP', 'GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ])('a connection that sends %s is closed', async (_what, text) => {
    const api = await startTestApi([widgets]);
    const tls = await makeServerCertificate();
    const { url, close } = await api.server.listen({ host: '127.0.0.1', port: 0, tls, limits: { headersMs: 300 } });
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text, 'latin1'));
    socket.resume();
    await once(socket, 'close');
    await close();
    await api.close();
  });
});

it('an idle connection is closed if its HTTP/2 headers do not end', async () => {
  const api = await startTestApi([widgets]);
  const tls = await makeServerCertificate();
  const { url, close } = await api.server.listen({ host: '127.0.0.1', port: 0, tls, limits: { idleMs: 300 } });
  const port = Number(new URL(url).port);
  const socket = connectTls({ host: '127.0.0.1', port, ALPNProtocols: ['h2'], rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const settings = '000000040000000000';
  const unfinished = '00000101000000000182';
  socket.write(
    Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), Buffer.from(settings + unfinished, 'hex')]),
  );
  socket.resume();
  await once(socket, 'close');
  await close();
  await api.close();
});

describe('over HTTP', async () => {
  const api = await startTestApi([widgets]);
  const listening = await api.server.listen({
    host: '127.0.0.1',
    port: 0,
    limits: { headersMs: 500, restMs: 300, bodyPace: { windowMs: 400, leastBytes: 10 } },
  });
  afterAll(async () => {
    await listening.close();
    await api.close();
    expect(api.defects).toEqual([]);
  });

  /** Sends a text and then a byte each 100 ms. Returns the answer, and how long the connection was open. */
  function drip(text: string, rest = '', everyMs = 100, url = listening.url): Promise<{ answer: string; ms: number }> {
    return new Promise((resolve) => {
      const began = performance.now();
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      let answer = '';
      let sent = 0;
      socket.write(text);
      const timer = setInterval(() => {
        socket.write(rest === '' ? 'a' : (rest[sent++] ?? ''));
      }, everyMs);
      socket.on('data', (chunk) => {
        answer += chunk.toString();
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(timer);
        resolve({ answer, ms: performance.now() - began });
      });
    });
  }

  const post = (...headers: string[]): string =>
    [`POST ${widgetsPath} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', ...headers, '', ''].join(
      '\r\n',
    );

  it.each([
    ['no byte at all', ''],
    ['a part of the line', 'GET /ver'],
    ['headers that never end', 'GET /version HTTP/1.1\r\nHost: localhost\r\nX-a: '],
  ])('%s: closed', async (_what, text) => {
    const { answer } = await drip(text, text === '' ? '\r\n'.repeat(500) : '');
    expect(answer).toMatch(/^HTTP\/1\.1 (408|400) |^$/);
  });

  it.each([
    ['with a length', 'Content-Length: 1000', ''],
    ['in pieces', 'Transfer-Encoding: chunked', '400\r\n'],
  ])('a body %s that stops: 408, and closed', async (_what, header, begin) => {
    const { answer } = await drip(post(header) + begin);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('the body of the request stopped coming');
  });

  it('a body that nobody reads: answered, and closed', async () => {
    const { answer } = await drip(post('Content-Length: 100000', 'Origin: http://evil.example'));
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('a body that is slow, but moves: accepted', async () => {
    // Longer than the time window, and with many times the required bytes in it, also on a busy machine.
    const patient = await api.server.listen({
      host: '127.0.0.1',
      port: 0,
      limits: { bodyPace: { windowMs: 1500, leastBytes: 2 } },
    });
    const body = JSON.stringify(widget('slow')).padEnd(100);
    const head = post('Connection: close', `Content-Length: ${body.length}`);
    const { answer, ms } = await drip(head, body, 20, patient.url);
    await patient.close();
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
    expect(ms).toBeGreaterThan(1500);
  });

  it('a watch: continues', async () => {
    const leaving = new AbortController();
    const watch = await fetch(`${listening.url}${widgetsPath}?watch=true`, { signal: leaving.signal });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const created = api.send('POST', widgetsPath, widget('watched'));
    const reader = watch.body?.getReader();
    let seen = '';
    while (!seen.includes('"watched"')) seen += Buffer.from((await reader?.read())?.value ?? []).toString();
    await created;
    leaving.abort();
  });
});
