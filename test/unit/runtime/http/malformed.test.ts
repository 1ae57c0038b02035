/** Bytes that are no HTTP request get an answer in plain text, and close their connection. */
import { connect } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { maxHeaderSize } from '../../../../runtime/http/malformed.js';
import { startTestApi } from '../../../support/test-api.js';
import { widgets } from '../../../support/widgets.js';

const api = await startTestApi([widgets]);
const listening = await api.server.listen({ host: '127.0.0.1', port: 0 });
afterAll(async () => {
  await listening.close();
  await api.close();
});

/** All that the server sends before it closes the connection. */
function exchange(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(listening.url).port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    // A server that does not read to the end resets the connection after its answer.
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}

const get = (header: string): string => `GET /version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\n\r\n`;

describe('headers', () => {
  it('may be as large as tokens and selectors get', async () => {
    expect(await exchange(get(`X-Large: ${'a'.repeat(200_000)}`))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('that are too large are refused', async () => {
    const answer = await exchange(get(`X-Large: ${'a'.repeat(maxHeaderSize)}`));
    expect(answer).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(answer).toMatch(/\r\n\r\n431 Request Header Fields Too Large$/);
  });
});

it.each([
  ['another protocol', 'EHLO example.com\r\n\r\n'],
  [
    'a body in pieces of no size',
    'POST /apis/example.com/v1/namespaces/default/widgets HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\na\r\n',
  ],
])('%s is a bad request', async (_what, text) => {
  expect(await exchange(text)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n.*\r\n\r\n400 Bad Request$/s);
  expect(api.defects).toEqual([]);
});
