/** Malformed paths to a server that is mounted under a path: it serves only what the authorizer has allowed. */
import { createServer, type RequestListener } from 'node:http';
import { H3, toNodeHandler, withBase } from 'h3';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { hasExpress, makeExpressApp } from '../../../../support/express.js';
import { listenLocally } from '../../../../support/local-server.js';
import { startWitnessedApi } from '../../../../support/witnessed-api.js';
import { exchangeWith, last, message, paths } from '../../../../support/witnessed-exchange.js';

const witness = await startWitnessedApi();
const { server } = witness.api;

const h3 = new H3().all('/kf/**', withBase('/kf', server));
const mounts: Readonly<Record<string, RequestListener>> = {
  node: server.listenerUnder('/kf'),
  ...(hasExpress && { express: makeExpressApp().use('/kf', server.listener) }),
  h3: toNodeHandler(h3),
};
const opened = await Promise.all(
  Object.entries(mounts).map(async ([name, listener]) => {
    const http = createServer(listener);
    return { name, http, url: `http://127.0.0.1:${await listenLocally(http)}` };
  }),
);
afterAll(() => {
  for (const { http } of opened) http.close();
});
beforeEach(() => witness.reset());

const { open, closed, base } = paths;

describe.each(opened)('under a path of $name', ({ url }) => {
  const codesOf = exchangeWith(witness, url);

  it('open resources are served, and closed ones are not', async () => {
    expect(await codesOf(message(`GET /kf${open}/a`, [last]))).toEqual([200]);
    expect(witness.allowed).toMatchObject([{ verb: 'get', namespace: 'open', name: 'a' }]);
    expect(await codesOf(message(`GET /kf${closed}/a`, [last]))).toEqual([403]);
  });

  it.each([
    `/kf/..${closed}/a`,
    `/kf/%2e%2e${closed}/a`,
    `/kf/../kf${closed}/a`,
    `/kf/hook/open/../..${closed}/a`,
    `/kf//${closed}/a`,
    `//kf${closed}/a`,
    `/kf%2F${closed.slice(1)}/a`,
    `/KF${closed}/a`,
    `/kfx${closed}/a`,
    `/kf;a=b${closed}/a`,
    `/kf\\${closed.slice(1)}/a`,
    `/kf${base}/open/../closed/widgets/a`,
    `/kf${base}/open/%2e%2e/closed/widgets/a`,
    `/kf${base}/open%2F..%2Fclosed/widgets/a`,
    `http://localhost/kf${closed}/a`,
    `http://localhost/kf/..${closed}/a`,
    `http://localhost${closed}/a`,
    '/kf/hook/open/../closed',
    '/kf/hook/open/%2e%2e/closed',
    '/kf/hook/open%2f..%2fclosed',
    '/kf/hook/closed',
  ])('%s leads nowhere', async (target) => {
    const [code = 0] = await codesOf(message(`GET ${target}`, [last]));
    expect([400, 403, 404]).toContain(code);
  });
});
