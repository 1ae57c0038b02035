/**
 * Code that the generated client's types allow or refuse. The type check before the tests decides. It also fails if an
 * error that `@ts-expect-error` announces is missing.
 */
import { describe, expectTypeOf, it } from 'vitest';
import {
  type ApiObjectLike,
  createOrUpdate,
  followAll,
  type ListOf,
  modify,
  type ObjectEvent,
  observe,
  openCache,
  type ResourceClient,
  type Scale,
  type Status,
  type Table,
  type TokenRequest,
  until,
  type WatchEvent,
  watchAll,
} from '../../client/index.js';
import { type Client, createClient } from '../../generated/client.js';
import type { coreV1, storageV1 } from '../../generated/index.js';

type CSIDriver = storageV1.CSIDriver;
type PodSpec = NonNullable<coreV1.Pod['spec']>;
type PodSpecApply = NonNullable<coreV1.PodApplyConfiguration['spec']>;
type ContainerApply = NonNullable<PodSpecApply['containers']>[number];

const api: Client = createClient({ transport: { send: () => Promise.reject(new Error('types only')) } });

/** Type-checks requests without sending them. */
const compiledOnly = (_requests: () => void): void => {};

describe('types of the generated client', () => {
  it('are the types of the kind in every answer', () => {
    const drivers = api.storage.v1.csiDrivers;
    expectTypeOf(drivers.get).returns.resolves.toEqualTypeOf<CSIDriver>();
    expectTypeOf(drivers.create).returns.resolves.toEqualTypeOf<CSIDriver>();
    expectTypeOf(drivers.list).returns.resolves.toEqualTypeOf<ListOf<CSIDriver>>();
    expectTypeOf(drivers.delete).returns.resolves.toEqualTypeOf<CSIDriver | Status>();
    expectTypeOf(drivers.watch()).toEqualTypeOf<AsyncGenerator<ObjectEvent<CSIDriver>, void, undefined>>();
    const marked = drivers.watch({ allowWatchBookmarks: true });
    expectTypeOf(marked).toEqualTypeOf<AsyncGenerator<WatchEvent<CSIDriver>, void, undefined>>();
    expectTypeOf(drivers.each).returns.toEqualTypeOf<AsyncGenerator<CSIDriver, void, undefined>>();
    expectTypeOf(api.core.v1.configMaps.in('x').get).returns.resolves.toEqualTypeOf<coreV1.ConfigMap>();
    expectTypeOf<CSIDriver['spec']['fsGroupPolicy']>().toEqualTypeOf<
      'ReadWriteOnceWithFSType' | 'File' | 'None' | undefined
    >();
    expectTypeOf<CSIDriver>().not.toBeAny();
  });

  it('refuse unknown fields and wrong values', () => {
    compiledOnly(() => {
      const metadata = { name: 'd.example.com' };
      // @ts-expect-error no such field
      api.storage.v1.csiDrivers.create({ metadata, spec: { colour: 'red' } });
      // @ts-expect-error a boolean
      api.storage.v1.csiDrivers.create({ metadata, spec: { attachRequired: 'yes' } });
      // @ts-expect-error one of three words
      api.storage.v1.csiDrivers.create({ metadata, spec: { fsGroupPolicy: 'Sometimes' } });
      // @ts-expect-error the spec is required
      api.storage.v1.csiDrivers.create({ metadata });
      // @ts-expect-error another kind
      api.storage.v1.csiDrivers.create({ kind: 'ConfigMap', metadata, spec: {} });
      // @ts-expect-error audiences are texts
      api.storage.v1.csiDrivers.patch('d', { spec: { tokenRequests: [{ audience: 1 }] } });
      // @ts-expect-error no such operation
      api.storage.v1.csiDrivers.jsonPatch('d', [{ op: 'increase', path: '/spec' }]);
      // @ts-expect-error an apply names the manager
      api.storage.v1.csiDrivers.apply({ metadata }, {});
    });
  });

  it('let an apply have any part, except the fields of the server', () => {
    compiledOnly(() => {
      const metadata = { name: 'web' };
      const mine = { fieldManager: 'me' };
      const deployments = api.apps.v1.deployments.in('default');
      const containers = (...list: ContainerApply[]) => ({ template: { spec: { containers: list } } });
      deployments.apply({ metadata }, mine);
      deployments.apply({ metadata, spec: { replicas: 2 } }, mine);
      deployments.apply({ metadata, spec: containers({ name: 'main' }) }, mine);
      deployments.apply({ metadata, spec: containers({ name: 'main', ports: [{ containerPort: 80 }] }) }, mine);
      // @ts-expect-error items are distinguished by their names
      deployments.apply({ metadata, spec: containers({ image: 'x' }) }, mine);
      // @ts-expect-error ports are distinguished by their numbers
      deployments.apply({ metadata, spec: containers({ name: 'main', ports: [{ protocol: 'TCP' }] }) }, mine);
      // @ts-expect-error the status is a subresource
      deployments.apply({ metadata, status: { replicas: 1 } }, mine);
      // @ts-expect-error an apply has a name
      deployments.apply({ metadata: { generateName: 'web-' } }, mine);
      // @ts-expect-error the server's
      deployments.apply({ metadata: { name: 'web', managedFields: [] } }, mine);
      // @ts-expect-error the server's
      deployments.apply({ metadata: { name: 'web', uid: 'u' } }, mine);
      // @ts-expect-error an apply takes no resourceVersion
      deployments.apply({ metadata: { name: 'web', resourceVersion: '1' } }, mine);
      // @ts-expect-error no such field
      deployments.apply({ metadata, spec: { colour: 'red' } }, mine);
      // @ts-expect-error owned as a whole, so it must be complete
      deployments.apply({ metadata, spec: { selector: { matchExpressions: [{ key: 'a' }] } } }, mine);
      // @ts-expect-error an object is not a configuration, because of what the server owns in it
      deployments.get('web').then((read) => deployments.apply(read, mine));
      deployments.get('web').then((read) => deployments.apply(deployments.extract(read, 'me'), mine));
    });
    expectTypeOf(api.core.v1.configMaps.extract).returns.toEqualTypeOf<coreV1.ConfigMapApplyConfiguration>();
  });

  it('let an apply of the status have nothing else', () => {
    compiledOnly(() => {
      const metadata = { name: 'web' };
      const mine = { manager: 'me' };
      const nodes = api.core.v1.nodes.subresource('status');
      nodes.apply({ metadata, status: { conditions: [{ type: 'Ready', status: 'True' }] } }, mine);
      // @ts-expect-error conditions are distinguished by their types
      nodes.apply({ metadata, status: { conditions: [{ status: 'True' }] } }, mine);
      // @ts-expect-error no such field
      nodes.apply({ metadata, status: { colour: 'red' } }, mine);
      // @ts-expect-error the spec is applied elsewhere
      nodes.apply({ metadata, spec: {} }, mine);
      // @ts-expect-error one manager
      nodes.apply({ metadata }, { manager: 'me', fieldManager: 'you' });
      // @ts-expect-error the server's, wherever it comes from
      api.core.v1.nodes.get('a').then((read) => nodes.apply({ metadata: read.metadata }, mine));
    });
  });

  it('check the paths and values of JSON patches by the kind', () => {
    compiledOnly(() => {
      const drivers = api.storage.v1.csiDrivers;
      const maps = api.core.v1.configMaps.in('default');
      const deployments = api.apps.v1.deployments.in('default');
      drivers.jsonPatch('d', [
        { op: 'replace', path: '/spec/attachRequired', value: true },
        { op: 'add', path: '/spec/tokenRequests/-', value: { audience: 'a' } },
        { op: 'test', path: '/spec/fsGroupPolicy', value: 'File' },
        { op: 'remove', path: '/metadata/labels/example.com~1colour' },
        { op: 'move', from: '/metadata/labels/a', path: '/metadata/annotations/a' },
      ]);
      maps.jsonPatch('m', [{ op: 'add', path: '/data/any', value: 'x' }]);
      deployments.jsonPatch('w', [
        { op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'example.com/web' },
      ]);
      const versions = api.apps.v1.controllerRevisions.in('default');
      versions.jsonPatch('r', [{ op: 'add', path: '/data/as/deep/as/you/like', value: 1 }]);
      const path: string = ['', 'data', 'x'].join('/');
      maps.jsonPatch('m', [{ op: 'add', path, value: 1 }]);
      // @ts-expect-error no such field
      drivers.jsonPatch('d', [{ op: 'replace', path: '/spec/attached', value: true }]);
      // @ts-expect-error a boolean
      drivers.jsonPatch('d', [{ op: 'replace', path: '/spec/attachRequired', value: 'yes' }]);
      // @ts-expect-error JSON has no undefined
      drivers.jsonPatch('d', [{ op: 'replace', path: '/spec/attachRequired', value: undefined }]);
      // @ts-expect-error one of three words
      drivers.jsonPatch('d', [{ op: 'add', path: '/spec/fsGroupPolicy', value: 'Sometimes' }]);
      // @ts-expect-error an item
      drivers.jsonPatch('d', [{ op: 'add', path: '/spec/tokenRequests/-', value: [{ audience: 'a' }] }]);
      // @ts-expect-error no such field
      drivers.jsonPatch('d', [{ op: 'remove', path: '/spec/tokens' }]);
      // @ts-expect-error no such field to move from
      drivers.jsonPatch('d', [{ op: 'move', from: '/meta', path: '/metadata' }]);
      // @ts-expect-error values are texts
      maps.jsonPatch('m', [{ op: 'add', path: '/data/any', value: 1 }]);
    });
  });

  it('fit subresources, Tables and metadata', () => {
    const deployments = api.apps.v1.deployments.in('default');
    expectTypeOf(deployments.subresource('scale').get).returns.resolves.toEqualTypeOf<Scale>();
    expectTypeOf(deployments.table).returns.resolves.toEqualTypeOf<Table>();
    const accounts = api.core.v1.serviceAccounts.in('default');
    compiledOnly(() => {
      const token = accounts.subresource('token').create('x', { spec: { audiences: [] } });
      expectTypeOf(token).resolves.toEqualTypeOf<TokenRequest>();
      deployments.subresource('scale').patch('web', { spec: { replicas: 2 } });
      // @ts-expect-error a number
      deployments.subresource('scale').patch('web', { spec: { replicas: 'two' } });
      // @ts-expect-error a scale is not applied by the type of the deployment
      deployments.subresource('scale').apply({ metadata: { name: 'web' } }, { manager: 'me' });
      api.core.v1.pods.in('default').subresource('eviction').create('web');
      // @ts-expect-error no such subresource
      deployments.subresource('eviction');
      deployments
        .metadataOnly()
        .list()
        // @ts-expect-error metadata alone
        .then(({ items }) => items[0]?.spec);
      // @ts-expect-error reviews are not listed
      api.authentication.v1.tokenReviews.table();
    });
  });

  it('hold in everything that uses the client', () => {
    compiledOnly(async () => {
      const maps = api.core.v1.configMaps.in('x');
      const cache = openCache(maps, { indexes: { byKey: ({ data = {} }) => Object.keys(data) } });
      expectTypeOf(cache.get('x')).toEqualTypeOf<coreV1.ConfigMap | undefined>();
      expectTypeOf(observe(cache).getSnapshot).returns.toEqualTypeOf<readonly coreV1.ConfigMap[]>();
      expectTypeOf(observe(cache, (objects) => objects.size).getSnapshot).returns.toEqualTypeOf<number>();
      cache.byIndex('byKey', 'x');
      // @ts-expect-error no such index
      cache.byIndex('byName', 'x');
      const pods = api.core.v1.pods.in('default');
      const pod = await until(pods, 'web', ({ status }) => status?.phase === 'Running');
      expectTypeOf(pod).toEqualTypeOf<coreV1.Pod>();
      for await (const change of followAll({ pods, deployments: api.apps.v1.deployments })) {
        if (change.of === 'pods' && change.type === 'added') expectTypeOf(change.object).toEqualTypeOf<coreV1.Pod>();
      }
      for await (const event of watchAll({ pods, drivers: api.storage.v1.csiDrivers }, { timeoutSeconds: 1 })) {
        if (event.of === 'drivers') expectTypeOf(event.object).toEqualTypeOf<CSIDriver>();
        else expectTypeOf(event.object).toEqualTypeOf<coreV1.Pod>();
      }
      for await (const event of watchAll({ pods }, { allowWatchBookmarks: true })) {
        if (event.type !== 'BOOKMARK') expectTypeOf(event.object).toEqualTypeOf<coreV1.Pod>();
        // @ts-expect-error no client of that name
        if (event.of === 'nodes') return;
      }
      await modify(pods, 'web', (draft) => {
        // @ts-expect-error a text
        draft.metadata.labels = { a: 1 };
      });
      await createOrUpdate(maps, 'a', (map) => ({ metadata: { name: 'a' }, data: { ...map?.data, a: '1' } }));
      // @ts-expect-error a text
      await createOrUpdate(maps, 'a', () => ({ metadata: { name: 'a' }, data: { a: 1 } }));
      const drivers = api.storage.v1.csiDrivers;
      const metadata = { name: 'd.example.com' };
      await createOrUpdate(drivers, 'd', (driver) => ({ metadata, spec: { ...driver?.spec, fsGroupPolicy: 'File' } }));
      await createOrUpdate(drivers, 'd', async () => ({ metadata, spec: { volumeLifecycleModes: ['Persistent'] } }));
      // @ts-expect-error one of three words
      await createOrUpdate(drivers, 'd', () => ({ metadata, spec: { fsGroupPolicy: 'Sometimes' } }));
      const { object, did } = await createOrUpdate(drivers, 'd', (driver) => driver ?? { metadata, spec: {} });
      expectTypeOf(object).toEqualTypeOf<CSIDriver>();
      expectTypeOf(did).toEqualTypeOf<'created' | 'updated' | 'nothing'>();
    });
  });

  it('fit code about any kind', () => {
    const ensure = <T extends ApiObjectLike>(client: ResourceClient<T, unknown, never>, wanted: T) =>
      createOrUpdate(client, 'a', () => wanted);
    expectTypeOf(ensure<CSIDriver>)
      .returns.resolves.toHaveProperty('object')
      .toEqualTypeOf<CSIDriver>();
  });

  it('show which integers may be too wide for a number', () => {
    expectTypeOf<PodSpec['terminationGracePeriodSeconds']>().toEqualTypeOf<number | bigint | undefined>();
    expectTypeOf<PodSpec['priority']>().toEqualTypeOf<number | undefined>();
  });

  it('refuse requests that the resource does not have', () => {
    compiledOnly(() => {
      void api.authentication.v1.tokenReviews.create({ metadata: {}, spec: { token: 'x' } });
      // @ts-expect-error it can only be created
      void api.authentication.v1.tokenReviews.list();
      // @ts-expect-error it can only be created
      void api.core.v1.bindings.in('x').get('y');
      // @ts-expect-error it can only be read
      void api.core.v1.componentStatuses.delete('x');
      // @ts-expect-error no such group
      void api.sausages;
      // @ts-expect-error no such version
      void api.storage.v2;
      // @ts-expect-error drivers live in no namespace
      api.storage.v1.csiDrivers.in('default');
      // @ts-expect-error maps live in namespaces
      api.core.v1.configMaps.get('x');
      // @ts-expect-error drivers have no status
      api.storage.v1.csiDrivers.subresource('status');
      api.certificates.v1.certificateSigningRequests.subresource('approval');
      // @ts-expect-error no such option
      api.storage.v1.csiDrivers.list({ lable: 'x' });
      const dataOf = (event: WatchEvent<coreV1.ConfigMap>): unknown =>
        // @ts-expect-error a bookmark has no data
        event.object.data;
      return dataOf;
    });
  });

  it('allow correct code', () => {
    compiledOnly(() => {
      const maps = api.core.v1.configMaps;
      maps.create({ metadata: { name: 'x', namespace: 'y' }, data: { a: '1' } }, { dryRun: true });
      maps.in('y').patch('x', { data: { a: null }, metadata: { labels: null } });
      maps.apply({ metadata: { name: 'x', namespace: 'y' }, data: { a: '1' } }, { fieldManager: 'me', force: true });
      api.storage.v1.csiDrivers.patch('d', { spec: { requiresRepublish: null, tokenRequests: [{ audience: 'a' }] } });
    });
  });
});
