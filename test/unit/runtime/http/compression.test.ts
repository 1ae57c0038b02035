/** Large answers are sent in gzip to who takes it, and all others as they are. */
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compressed } from '../../../../runtime/http/compression.js';
import type { ApiRequest, ApiResponse, StreamStart } from '../../../../runtime/request/api-request.js';

const request = (encoding?: string): ApiRequest => ({
  method: 'GET',
  path: '/',
  search: '',
  headers: encoding === undefined ? {} : { 'accept-encoding': encoding },
  readBody: () => Promise.resolve({ ok: true, value: Buffer.alloc(0) }),
});

const large = Buffer.alloc(128 * 1024 + 1, 'a');
const answer = (body: ApiResponse['body'], headers: Record<string, string> = {}): ApiResponse => ({
  code: 200,
  contentType: 'application/json',
  headers,
  body,
});

describe('compression', () => {
  it.each([
    ['one piece', large],
    ['many', [large.subarray(0, 70_000), large.subarray(70_000)]],
  ])('makes large answers of %s small', async (_what, body) => {
    const { headers, body: sent } = await compressed(request('deflate, gzip'), answer(body, { vary: 'Accept' }));
    expect(headers).toEqual({ vary: ['Accept', 'Accept-Encoding'], 'content-encoding': 'gzip' });
    if (!(sent instanceof Uint8Array)) throw new Error('the body is in pieces');
    expect(sent.length).toBeLessThan(1000);
    expect(gunzipSync(sent).equals(large)).toBe(true);
  });

  it("compresses what is made while it is sent, at its client's pace", async () => {
    const start: StreamStart = (sink) => {
      const send = async (): Promise<void> => {
        for (let at = 0; at < large.length; at += 10_000) {
          sink.write(large.subarray(at, at + 10_000));
          await sink.taken();
        }
        sink.end();
      };
      void send();
      return () => {};
    };
    const { headers, body } = await compressed(request('gzip'), answer({ stream: start, ends: true }));
    expect(headers).toMatchObject({ 'content-encoding': 'gzip' });
    if (!('stream' in body)) throw new Error('the body is no stream');
    const chunks: Uint8Array[] = [];
    await new Promise<void>((end, destroy) => {
      const write = (chunk: Uint8Array): void => void chunks.push(chunk);
      body.stream({ buffered: 0, write, taken: () => Promise.resolve(), end, destroy: () => destroy() });
    });
    expect(gunzipSync(Buffer.concat(chunks)).equals(large)).toBe(true);
  });

  it.each<[string, string | undefined, ApiResponse]>([
    ['who does not ask for it', undefined, answer(large)],
    ['who asks for another', 'deflate, br', answer(large)],
    ['small answers', 'gzip', answer(large.subarray(1))],
    ['streams', 'gzip', answer({ stream: () => () => {} })],
  ])('leaves alone %s', (_what, encoding, whole) => {
    expect(compressed(request(encoding), whole)).toBe(whole);
  });
});
