import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { loadingNotice } from '../../../bin/serve/log.js';
import type { LoadProgress } from '../../../runtime/contract/index.js';
import { memoryBackend } from '../../../runtime/storage/index.js';
import { startServer } from '../../../server/index.js';
import { defineLoading } from '../../../server/loading.js';
import { freePort } from '../../support/local-server.js';

it('reports its progress while a backend loads its records, and serves afterwards', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const ask = async (path: string) => {
    const answer = await fetch(url + path).catch(() => undefined);
    return answer && { code: answer.status, text: await answer.text() };
  };
  let isAsked = (): void => {};
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const told: LoadProgress[] = [];
  const memory = memoryBackend();
  const backend = {
    ...memory,
    name: 'slow',
    open: async () => ({
      ...(await memory.open({})),
      share: () => 0.451,
      records: (async function* () {
        for (let i = 0; i < 2000 && !(await Promise.race([asked.then(() => true), sleep(20, false)])); i++) yield [];
      })(),
    }),
  };
  const starting = startServer({
    http: { port },
    storage: { backend },
    controllers: [],
    authentication: { anonymous: 'administrator' },
    onLoading: (progress) => told.push(progress),
    onProblem: () => {},
  });
  const started = starting.catch(() => undefined);
  let ready = await ask('/readyz?verbose');
  for (; ready === undefined; ready = await ask('/readyz?verbose')) await sleep(20);
  expect(ready).toEqual({
    code: 500,
    text: '[+]ping ok\n[-]storage failed: reads what is stored: 0 records, 45 %\nreadyz check failed\n',
  });
  expect(await ask('/livez')).toEqual({ code: 200, text: 'ok' });
  expect(await ask('/readyz/storage')).toMatchObject({ code: 500 });
  const other = await fetch(`${url}/api/v1/namespaces`);
  expect([other.status, other.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await other.json()).toMatchObject({ kind: 'Status', reason: 'ServiceUnavailable', code: 503 });
  expect(told[0]).toEqual({ records: 0, share: 0.451 });
  isAsked();
  const server = await starting;
  try {
    expect(await ask('/readyz')).toEqual({ code: 200, text: 'ok' });
    expect((await ask('/api/v1/namespaces'))?.code).toBe(200);
  } finally {
    await started;
    await server.stop();
  }
}, 60_000);

it('reports nothing, and does not listen, if loading is short', async () => {
  const told: LoadProgress[] = [];
  const loading = defineLoading({ onLoading: (progress) => told.push(progress), http: { port: await freePort() } });
  loading.onLoading({ records: 1 });
  await loading.end();
  expect(told).toEqual([]);
});

it('is logged now and then', () => {
  const lines: string[] = [];
  let now = 0;
  const tell = loadingNotice({ notice: (line) => lines.push(line) }, () => now);
  for (const records of [1000, 2000, 1_234_567]) {
    tell({ records, share: records / 2_000_000 });
    now += 1500;
  }
  tell({ records: 1_500_000 });
  expect(lines).toEqual(['reads what is stored: 1,000 records, 0 %', 'reads what is stored: 1,234,567 records, 61 %']);
});
