import { afterEach, expect, it, vi } from 'vitest';
import { fetchTransport } from '../../../client/index.js';
import { rejection } from '../../support/sdk.js';

afterEach(() => vi.unstubAllGlobals());

const send = (baseUrl: string, error: Error): Promise<unknown> => {
  const failing = async (): Promise<Response> => Promise.reject(error);
  return rejection(fetchTransport({ baseUrl, fetch: failing }).send({ method: 'GET', path: '/apis', headers: {} }));
};

it('reports in a browser that CORS may hide the answer of another origin, and nothing elsewhere', async () => {
  const failed = new TypeError('Failed to fetch');
  expect(await send('http://127.0.0.1:8080', failed)).toHaveProperty(
    'message',
    'no answer from http://127.0.0.1:8080: Failed to fetch',
  );
  vi.stubGlobal('location', { origin: 'http://shop.localhost:5173' });
  expect(await send('http://127.0.0.1:8080', failed)).toHaveProperty(
    'message',
    "no answer from http://127.0.0.1:8080: Failed to fetch; the server is not there, or does not let pages of http://shop.localhost:5173 read its answers (CORS); start it with --cors-allowed-origins '^http://shop\\.localhost:5173$'",
  );
  expect(await send('http://shop.localhost:5173/at', failed)).toHaveProperty(
    'message',
    'no answer from http://shop.localhost:5173/at: Failed to fetch',
  );
});
