/** Metrics are read only by users with the right to. Open watches are among them. */
import { expect, it } from 'vitest';
import { send } from '../support/ask.js';
import { type ParsedSample, parseExposition } from '../support/exposition.js';
import { filesIn, scratchFolder } from '../support/scratch-folder.js';
import { servingForTests } from '../support/serving.js';

const tokens = 'root,root,1,system:masters\nwatcher,watcher,2,system:monitoring\nbob,bob,3\n';
const tokenAuthFile = filesIn(scratchFolder())('tokens.csv', tokens);
const server = servingForTests({ tokenAuthFile, anonymousAuth: 'true' });

const get = (path: string, token: string, headers: Record<string, string> = {}): Promise<Response> =>
  send(server(), 'GET', path, { headers, ...(token === '' ? {} : { token }) });

it.each([
  ['root', 200],
  ['watcher', 200],
  ['bob', 403],
  ['', 403],
  ['nobody', 401],
])('%j: %d', async (token, code) => expect((await get('/metrics', token)).status).toBe(code));

it.each([
  ['', 'text/plain; version=0.0.4; charset=utf-8', 'text'],
  [
    'application/openmetrics-text; version=1.0.0',
    'application/openmetrics-text; version=1.0.0; charset=utf-8',
    'openmetrics',
  ],
] as const)('for Accept %j come in %s', async (accept, type, form) => {
  for (let twice = 0; twice < 2; twice++) {
    const response = await get('/metrics', 'root', { accept });
    expect(response.headers.get('content-type')).toBe(type);
    expect(parseExposition(await response.text(), form).size).toBeGreaterThan(40);
  }
});

it('a watch counts while it is open, and its events with their kind', async () => {
  const ending = new AbortController();
  const url = `${server().url}/api/v1/namespaces?watch=1`;
  const watch = await fetch(url, { headers: { authorization: 'Bearer root' }, signal: ending.signal });
  await watch.body?.getReader().read();
  const openWatches = async (): Promise<number | undefined> =>
    sampleValue('apiserver_longrunning_requests', { resource: 'namespaces' });
  const before = (await openWatches()) ?? 0;
  expect(before).toBeGreaterThan(0);
  expect(await sampleValue('apiserver_watch_events_total', { kind: 'Namespace' })).toBeGreaterThan(0);
  ending.abort();
  await expect.poll(openWatches).toBe(before - 1);
});

async function sampleValue(name: string, labels: Readonly<Record<string, string>>): Promise<number | undefined> {
  const samples: readonly ParsedSample[] =
    parseExposition(await (await get('/metrics', 'root')).text()).get(name)?.samples ?? [];
  return samples.find((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    ?.value;
}
