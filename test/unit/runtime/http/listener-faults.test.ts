/** Requests with answers that cannot be made or written: only these break off, and the server reports the error. */
import { createServer } from 'node:http';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { nodeListener } from '../../../../runtime/http/node-listener.js';
import type { ApiResponse } from '../../../../runtime/request/api-request.js';
import { listenLocally } from '../../../support/local-server.js';

const told: string[] = [];
const fine: ApiResponse = { code: 200, contentType: 'text/plain', body: Buffer.from('fine') };
const broken: ApiResponse = { ...fine, headers: { 'x-broken': 'line\nbreak' } };

const answers: Readonly<Record<string, () => ApiResponse | Promise<ApiResponse>>> = {
  '/fine': () => fine,
  '/thrown': () => {
    throw new Error('thrown');
  },
  '/rejected': () => Promise.reject(new Error('rejected')),
  '/unwritable': () => broken,
  '/unwritable-later': async () => broken,
  '/unwritable-chunks': () => ({ ...broken, body: [Buffer.from('a'), Buffer.from('b')] }),
};

const server = createServer(
  nodeListener(({ path }) => answers[path]?.() ?? fine, {
    onDefect: (_, { path }) => told.push(path),
  }),
);
const url = `http://127.0.0.1:${await listenLocally(server)}`;
afterAll(() => server.close());
beforeEach(() => void told.splice(0));

const ask = (path: string): Promise<string> =>
  fetch(url + path).then(
    (answer) => answer.text(),
    () => 'broken off',
  );

it.each(['/thrown', '/rejected', '/unwritable', '/unwritable-later', '/unwritable-chunks'])(
  'breaks off and reports a request that fails, and answers others of its turn: %s',
  async (path) => {
    expect(await Promise.all([ask('/fine'), ask(path), ask('/fine')])).toEqual(['fine', 'broken off', 'fine']);
    expect(told).toEqual([path]);
  },
);
