/** The parameter `timeout`: mistakes are a 400 before anything else, and a longer request is a 504. */
import { afterAll, describe, expect, it } from 'vitest';
import type { AdmissionPlugin, Authenticator } from '../../../../runtime/contract/index.js';
import { readDeadline } from '../../../../runtime/server/handler.js';
import { requestOf } from '../../../support/api-requests.js';
import { startTestApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

const slow: AdmissionPlugin = {
  name: 'Slow',
  handles: (_resource, operation) => operation === 'CREATE',
  validate: () => new Promise((resolve) => setTimeout(resolve, 300)),
};
const refusing: Authenticator = { name: 'refusing', authenticate: () => ({ refused: 'always' }) };
const api = await startTestApi([widgets], { plugins: [slow] });
const closed = await startTestApi([widgets], { authenticators: [refusing] });
afterAll(async () => {
  await api.close();
  await closed.close();
});

describe('a timeout that cannot be read', () => {
  it.each([
    ['abc', 'time: invalid duration "abc"'],
    ['10', 'time: missing unit in duration "10"'],
    ['1.5', 'time: missing unit in duration "1.5"'],
    ['10x', 'time: unknown unit "x" in duration "10x"'],
    ['1h10d', 'time: unknown unit "d" in duration "1h10d"'],
    ['1 s', 'time: unknown unit " s" in duration "1 s"'],
    ['-', 'time: invalid duration "-"'],
    ['.', 'time: invalid duration "."'],
    ['99999999999h', 'time: invalid duration "99999999999h"'],
  ])('%j is a 400 on every request', async (text, problem) => {
    const search = `timeout=${encodeURIComponent(text)}`;
    const places = [
      ['GET', widgetsPath],
      ['GET', `${widgetsPath}/none`],
      ['POST', widgetsPath],
      ['PUT', `${widgetsPath}/a`],
      ['PATCH', `${widgetsPath}/a`],
      ['DELETE', widgetsPath],
      ['GET', '/version'],
      ['GET', '/healthz'],
      ['GET', '/apis'],
      ['GET', '/openapi/v3'],
      ['GET', '/nothing'],
      ['OPTIONS', '/apis/nothing/v1/things'],
    ] as const;
    for (const [method, path] of places) {
      for (const server of [api, closed]) {
        const reply = await server.send(method, `${path}?${search}`, {});
        expect(reply).toMatchObject({ code: 400, body: { kind: 'Status', reason: 'BadRequest' } });
        expect(reply.body.message).toBe(`invalid timeout specified in the request URL - ${problem}`);
      }
    }
  });

  it('is ignored by watches and other long requests, as in the reference', async () => {
    (await api.watch(`${widgetsPath}?watch=true&timeout=abc`)).stop();
  });
});

describe('the given time', () => {
  const read = (search: string) => readDeadline(requestOf({ path: widgetsPath, search }));

  it.each([
    ['', undefined],
    ['timeout=', undefined],
    ['timeoutSeconds=5', undefined],
    ['timeout=1s', 1000],
    ['timeout=1m0s', 60_000],
    ['timeout=1.5s&timeout=abc', 1500],
    ['timeout=59s', 59_000],
    ['timeout=61s', 60_000],
    ['timeout=24h', 60_000],
    ['timeout=0', 60_000],
    ['timeout=0s', 60_000],
    ['timeout=-5s', 60_000],
  ])('%j is %s ms', (search, ms) => {
    expect(read(search)).toEqual({ ok: true, value: ms });
  });

  it('ends a request that takes longer, and no other', async () => {
    const late = await api.send('POST', `${widgetsPath}?timeout=50ms`, widget('late'));
    expect(late).toMatchObject({ code: 504, body: { reason: 'Timeout' } });
    expect(late.body.message).toBe('Timeout: request did not complete within the allotted timeout');
    expect((await api.send('POST', `${widgetsPath}?timeout=20s`, widget('in-time'))).code).toBe(201);
  });
});
