/** Requests are counted by labels of few values, and watches while they are open. */
import { afterAll, describe, expect, it } from 'vitest';
import type { AccessDecision } from '../../../../runtime/contract/index.js';
import { Metrics, metricTable } from '../../../../runtime/metrics/index.js';
import { type EmulatedVersion, emulate } from '../../../../runtime/objects/release.js';
import { observeAuthorizer } from '../../../../runtime/server/observe-requests.js';
import { type ParsedSample, parseExposition } from '../../../support/exposition.js';
import { changedModule, moduleOf } from '../../../support/modules.js';
import { startTestApi, suiteApi } from '../../../support/test-api.js';
import { widget, widgets } from '../../../support/widgets.js';

const api = await suiteApi([widgets, moduleOf('', 'secrets', 'Secret')]);

const collection = '/apis/example.com/v1/namespaces/default/widgets';

async function samplesOf(name: string): Promise<readonly ParsedSample[]> {
  return parseExposition((await api.send('GET', '/metrics')).text).get(name)?.samples ?? [];
}

const total = async (labels: Readonly<Record<string, string>>): Promise<number> =>
  (await samplesOf('apiserver_request_total'))
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);

describe('the verb and scope of a request', () => {
  it.each([
    ['GET', `${collection}/none`, 'GET', 'resource'],
    ['GET', collection, 'LIST', 'namespace'],
    ['GET', '/apis/example.com/v1/widgets', 'LIST', 'cluster'],
    ['HEAD', collection, 'LIST', 'namespace'],
    ['POST', collection, 'POST', 'resource'],
    ['PUT', `${collection}/none`, 'PUT', 'resource'],
    ['DELETE', `${collection}/none`, 'DELETE', 'resource'],
    ['DELETE', collection, 'DELETECOLLECTION', 'namespace'],
    ['PURGE', collection, 'other', 'namespace'],
  ])('%s %s: %s, %s', async (method, path, verb, scope) => {
    const labels = { verb, scope, resource: 'widgets', group: 'example.com', version: 'v1', component: 'apiserver' };
    const before = await total(labels);
    await api.send(method, path, method === 'POST' ? widget('again', {}) : undefined);
    expect(await total(labels)).toBe(before + 1);
  });

  it('is APPLY for configurations, and their dry runs have a label', async () => {
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    await api.send('PATCH', `${collection}/a?fieldManager=m&dryRun=All`, widget('a', {}), headers);
    await api.send('PATCH', `${collection}/a?fieldManager=m&dryRun=x`, widget('a', {}), headers);
    expect(await total({ verb: 'APPLY', dry_run: 'All' })).toBe(1);
    expect(await total({ verb: 'APPLY', dry_run: 'invalid' })).toBe(1);
  });
});

it('names that clients invent do not become labels', async () => {
  const known = (await samplesOf('apiserver_request_total')).length;
  for (let i = 0; i < 50; i++) {
    await api.send('GET', `/apis/made-up-${i}.example.com/v1/things`);
    await api.send('GET', `/apis/example.com/v1/made-up-${i}`);
    await api.send('GET', `${collection}/a/made-up-${i}`);
    await api.send('GET', `/made-up-${i}`);
    await api.send(`VERB${i}`, '/somewhere');
    await api.send('GET', '/healthz', undefined, { 'user-agent': `made-up-${i}/1` });
  }
  const samples = await samplesOf('apiserver_request_total');
  expect(samples.length).toBeLessThan(known + 8);
  expect(JSON.stringify(samples)).not.toMatch(/made-up|VERB/);
  expect(await total({ resource: '', verb: 'other' })).toBe(50);
  expect(await total({ resource: '', subresource: '/healthz' })).toBe(50);
});

it('a kind that is defined under another name does not share series', async () => {
  const other = await startTestApi([changedModule(widgets, { version: 'v2' })]);
  await other.send('GET', '/apis/example.com/v2/widgets');
  const families = parseExposition((await other.send('GET', '/metrics')).text);
  await other.close();
  const samples = families.get('apiserver_request_total')?.samples ?? [];
  expect(samples.filter(({ labels }) => labels.resource !== '').map(({ labels }) => labels.version)).toEqual(['v2']);
});

it('objectives leave watches out, and have the other requests of durations', async () => {
  const count = (samples: readonly ParsedSample[], verb: string): number =>
    samples
      .filter(({ name, labels }) => name.endsWith('_count') && labels.verb === verb && labels.resource === '*')
      .reduce((sum, { value }) => sum + value, 0);
  const [durations, objectives] = [
    await samplesOf('apiserver_request_duration_seconds'),
    await samplesOf('apiserver_request_sli_duration_seconds'),
  ];
  expect(count(objectives, 'APPLY')).toBe(count(durations, 'APPLY'));
  expect(count(objectives, 'APPLY')).toBe(2);
});

describe('kinds of users', async () => {
  const kinds = 300;
  const groupOf = (i: number): string => `group-${i}.example.com`;
  const many = await startTestApi([
    moduleOf('', 'secrets', 'Secret'),
    ...Array.from({ length: kinds }, (_, i) => changedModule(widgets, { group: groupOf(i) })),
  ]);
  const text = async (): Promise<string> => (await many.send('GET', '/metrics')).text;
  const empty = (await text()).length;
  for (let i = 0; i < kinds; i++) {
    const path = `/apis/${groupOf(i)}/v1/namespaces/default/widgets`;
    await many.send('POST', path, { ...widget('a', {}), apiVersion: `${groupOf(i)}/v1` });
    await many.send('GET', `${path}/a`);
    await many.send('GET', path);
    (await many.watch(`${path}?watch=true`)).stop();
  }
  await many.send('GET', '/api/v1/namespaces/default/secrets');
  afterAll(() => many.close());

  it('have objectives together, including built-in ones', async () => {
    const { samples = [] } = parseExposition(await text()).get('apiserver_request_sli_duration_seconds') ?? {};
    const listed = samples.filter(({ name, labels }) => name.endsWith('_count') && labels.verb === 'LIST');
    expect(listed.map(({ labels, value }) => [labels.resource, labels.group, value])).toEqual([['*', '*', kinds + 1]]);
    expect(await text()).toMatch(/^apiserver_request_duration_seconds_count\{.*resource="secrets".*\} 1$/m);
  });

  it('cost 5 kB at most, each', async () => {
    expect(((await text()).length - empty) / kinds).toBeLessThan(5000);
  });

  it('have counters of their own, and share the buckets of durations and sizes', async () => {
    const families = parseExposition(await text());
    const resources = (name: string) => new Set(families.get(name)?.samples.map(({ labels }) => labels.group));
    expect(resources('apiserver_request_total').size).toBeGreaterThan(kinds);
    for (const name of ['apiserver_request_duration_seconds', 'apiserver_response_sizes']) {
      expect(resources(name)).toEqual(new Set(['*', '']));
    }
    const shared = families
      .get('apiserver_request_duration_seconds')
      ?.samples.find(({ name, labels }) => name.endsWith('_count') && labels.verb === 'POST');
    expect(shared).toMatchObject({ labels: { resource: '*', component: 'apiserver' }, value: kinds });
  });

  it('are printed in pieces of bounded size, each in a turn of its own', async () => {
    const request = { method: 'GET', path: '/metrics', search: '', headers: {} };
    const answer = await many.server.handle({ ...request, readBody: () => Promise.reject(new Error('no body')) });
    if (!('stream' in answer.body)) throw new Error('the answer is not made while it is sent');
    const { stream } = answer.body;
    const sizes: number[] = [];
    let turns = 0;
    await new Promise<void>((resolve, reject) =>
      stream({
        buffered: 0,
        write: ({ length }) => void sizes.push(length),
        taken: () => new Promise((taken) => setImmediate(() => taken(void turns++))),
        end: resolve,
        destroy: () => reject(new Error('broken off')),
      }),
    );
    expect(sizes.length).toBeGreaterThan(10);
    expect(Math.max(...sizes)).toBeLessThan(32 * 1024);
    expect(turns).toBe(sizes.length);
  });
});

it('only reads have sizes of answers, and only writes have counts of unknown fields', async () => {
  await api.send('POST', `${collection}?fieldValidation=Strict`, widget('strict', {}));
  await api.send('POST', `${collection}?fieldValidation=made-up`, widget('made-up', {}));
  const sizes = await samplesOf('apiserver_response_sizes');
  expect(new Set(sizes.map(({ labels }) => labels.verb))).toEqual(new Set(['GET', 'LIST']));
  const validations = await samplesOf('field_validation_request_duration_seconds');
  expect(new Set(validations.map(({ labels }) => labels.field_validation))).toEqual(new Set(['', 'Strict', 'invalid']));
});

it('the store reports the number of its objects', async () => {
  const objects = await samplesOf('apiserver_storage_objects');
  expect(objects.find(({ labels }) => labels.resource === 'widgets.example.com')?.value).toBeGreaterThan(0);
  expect(objects.find(({ labels }) => labels.resource === 'secrets')?.value).toBe(0);
});

it('a server lists the requests that wait for their answers, and no others', async () => {
  const answers: (() => void)[] = [];
  const slow = await startTestApi([widgets], {
    authorizer: {
      name: 'slow',
      decide: () => new Promise((resolve) => answers.push(() => resolve({ decision: 'allow' }))),
    },
  });
  const paths = ['one', 'two', 'three'].map((name) => `${collection}/${name}`);
  const [one, two, three] = paths.map((path) => `GET ${path}`);
  const inProgress = (): readonly string[] => [...slow.server.requestsInProgress()].sort();
  const first = slow.send('GET', paths[0] ?? '');
  const second = slow.send('GET', paths[1] ?? '');
  expect(inProgress()).toEqual([one, two]);
  answers.shift()?.();
  await first;
  expect(inProgress()).toEqual([two]);
  const third = slow.send('GET', paths[2] ?? '');
  expect(inProgress()).toEqual([three, two]);
  for (const answer of answers) answer();
  await Promise.all([second, third]);
  expect(inProgress()).toEqual([]);
  await slow.close();
});

describe('the results of authorization', () => {
  const attributes = { user: { name: 'ann', uid: '', groups: [], extra: {} }, verb: 'get', path: '/healthz' };

  const results: readonly (AccessDecision['decision'] | Error)[] = ['allow', 'deny', 'no opinion', new Error('broken')];

  async function countsOf(version: EmulatedVersion | undefined, wait: boolean) {
    const metrics = new Metrics({ release: '0.1', prefix: 'platform', api: emulate(version) });
    for (const result of results) {
      const decide = (): AccessDecision | Promise<AccessDecision> => {
        if (result instanceof Error) {
          if (wait) return Promise.reject(result);
          throw result;
        }
        return wait ? Promise.resolve({ decision: result }) : { decision: result };
      };
      const observed = observeAuthorizer({ name: 'Fixed', decide }, metrics);
      await (async () => observed.decide(attributes))().catch(() => undefined);
    }
    const { authorizations } = metricTable.access.metrics;
    return [...metrics.number(authorizations).all].map(({ labels, value }) => [...labels, value]);
  }

  it.each([false, true])('counts each result of the latest release, answered later: %s', async (wait) => {
    const once = ['allowed', 'denied', 'no-opinion', 'error'].map((result) => [result, 1]);
    expect(await countsOf('latest', wait)).toEqual(once);
  });

  it.each([undefined, '1.27'] as const)('counts nothing in %s, which has no such metrics', async (version) => {
    expect(await countsOf(version, false)).toEqual([]);
  });
});
