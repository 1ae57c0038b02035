/** Typed applies through the SDK. Applied fields come back by `extract`, and integers do not change. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isApplyConflict, isBadRequest, isConflict } from '../../client/index.js';
import { type Connected, collect, connections, rejection } from '../support/sdk.js';

const me = { fieldManager: 'me' };

describe.each(connections)('the typed client %s', (_way, connect) => {
  let connected: Connected;
  beforeAll(async () => {
    connected = await connect();
  });
  afterAll(() => connected.stop());

  const deployments = () => connected.api.apps.v1.deployments.in('default');
  const pods = () => connected.api.core.v1.pods.in('default');

  it('returns the applied fields', async () => {
    const configuration = {
      metadata: { name: 'web', labels: { app: 'web' }, finalizers: ['example.com/hold'] },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            nodeSelector: { disk: 'fast' },
            containers: [
              {
                name: 'front',
                image: 'example.com/front',
                args: ['a', 'b'],
                ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' as const }],
              },
              { name: 'back', image: 'example.com/back', env: [{ name: 'A', value: 'b' }] },
            ],
          },
        },
      },
    };
    const { apiVersion, kind } = await deployments().apply(configuration, me);
    await deployments().patch('web', { spec: { paused: true }, metadata: { labels: { theirs: 'x' } } });
    const read = await deployments().get('web');
    const extracted = deployments().extract(read, 'me');
    const metadata = { ...configuration.metadata, namespace: 'default' };
    expect(extracted).toEqual({ apiVersion, kind, ...configuration, metadata });
    expect((await deployments().apply(extracted, me)).metadata.resourceVersion).toBe(read.metadata.resourceVersion);
  });

  it('changes one applied field, and takes over only by force', async () => {
    const maps = connected.api.core.v1.configMaps.in('default');
    const first = await maps.apply({ metadata: { name: 'shared' }, data: { a: '1', b: '1' } }, me);
    const mine = maps.extract(first, 'me');
    expect((await maps.apply({ ...mine, data: { ...mine.data, a: '2' } }, me)).data).toEqual({ a: '2', b: '1' });
    const theirs = { metadata: { name: 'shared' }, data: { a: '3' } };
    const refused = await rejection(maps.apply(theirs, { fieldManager: 'you' }));
    expect(isConflict(refused)).toBe(true);
    const forced = await maps.apply(theirs, { fieldManager: 'you', force: true });
    expect(maps.extract(forced, 'me').data).toEqual({ b: '1' });
    expect(maps.extract(forced, 'you').data).toEqual({ a: '3' });
    expect(maps.extract(forced, 'nobody')).not.toHaveProperty('data');
  });

  it('reports the owners of the fields that an apply would have taken', async () => {
    const web = deployments();
    const labels = { app: 'shared' };
    const spec = {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'example.com/1' }] } },
    };
    const metadata = { name: 'taken' };
    await web.apply({ metadata, spec }, { manager: 'one' });
    await web.patch('taken', { spec: { replicas: 3 } }, { fieldManager: 'two' });
    await web.subresource('status').apply({ metadata, status: { replicas: 3 } }, { manager: 'three' });
    const containers = [{ name: 'c', image: 'example.com/2' }];
    const theirs = { metadata, spec: { replicas: 1, template: { spec: { containers } } } };
    const refused = await rejection(web.apply(theirs, { manager: 'me' }));
    expect(isApplyConflict(refused) && refused.conflicts).toEqual([
      { field: '.spec.template.spec.containers[name="c"].image', manager: 'one' },
      { field: '.spec.replicas', manager: 'two', apiVersion: 'apps/v1' },
    ]);
    const ofStatus = { metadata, status: { replicas: 1 } };
    const again = await rejection(web.subresource('status').apply(ofStatus, { manager: 'me' }));
    expect(isApplyConflict(again) && again.conflicts).toEqual([
      { field: '.status.replicas', manager: 'three', subresource: 'status' },
    ]);
    const status = web.subresource('status');
    const mine = status.extract(await status.get('taken'), 'three');
    expect(mine).toMatchObject({ metadata: { name: 'taken' }, status: { replicas: 3 } });
    expect(mine).not.toHaveProperty('spec');
    const unchanged = await status.apply(mine, { manager: 'three' });
    expect(status.extract(unchanged, 'three')).toEqual(mine);
    await web.apply(theirs, { manager: 'me', force: true });
    const overtaken = await rejection(
      web.update({ ...(await web.get('taken')), metadata: { ...metadata, resourceVersion: '1' } }),
    );
    expect([isConflict(overtaken), isApplyConflict(overtaken)]).toEqual([true, false]);
    await web.delete('taken');
  });

  it.each([
    ['as a number', 7200],
    ['as the largest safe integer', Number.MAX_SAFE_INTEGER],
    ['as a bigint past it', 9007199254740993n],
    ['as the largest int64', 9223372036854775807n],
  ])('keeps an integer exactly, %s', async (_what, seconds) => {
    const spec = { containers: [{ name: 'main', image: 'x' }], terminationGracePeriodSeconds: seconds };
    const secondsOf = (pod: Awaited<ReturnType<ReturnType<typeof pods>['get']>>) =>
      pod.spec?.terminationGracePeriodSeconds;
    expect(secondsOf(await pods().create({ metadata: { name: 'wide' }, spec }))).toBe(seconds);
    const read = await pods().get('wide');
    expect(secondsOf(read)).toBe(seconds);
    expect(secondsOf(await pods().update({ ...read, metadata: { ...read.metadata, labels: { a: 'b' } } }))).toBe(
      seconds,
    );
    expect(secondsOf(await pods().patch('wide', { metadata: { labels: { c: 'd' } } }))).toBe(seconds);
    const applied = await pods().apply(
      { metadata: { name: 'wide' }, spec: { terminationGracePeriodSeconds: seconds } },
      me,
    );
    expect(pods().extract(applied, 'me').spec).toEqual({ terminationGracePeriodSeconds: seconds });
    const [listed] = (await pods().list({ fieldSelector: 'metadata.name=wide' })).items;
    expect(listed?.spec?.terminationGracePeriodSeconds).toBe(seconds);
    const watched = pods().watch({ fieldSelector: 'metadata.name=wide' });
    for await (const { object } of watched) {
      expect(secondsOf(object)).toBe(seconds);
      break;
    }
    await pods().delete('wide', { gracePeriodSeconds: 0 });
    expect(await collect(pods().each())).toEqual([]);
  });

  it('reports integers that are too wide', async () => {
    const spec = { containers: [{ name: 'main', image: 'x' }], terminationGracePeriodSeconds: 2n ** 63n };
    const refused = await rejection(pods().create({ metadata: { name: 'wider' }, spec }));
    expect(isBadRequest(refused) && refused.message).toContain('terminationGracePeriodSeconds of type int64');
  });
});
