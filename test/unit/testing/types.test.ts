import { describe, expectTypeOf, it, test } from 'vitest';
import { configMaps } from '../../../generated/core/v1/configmaps/resource.js';
import { type coreV1, createClient } from '../../../generated/index.js';
import { startTestServer, type TestServer } from '../../../testing/index.js';
import { useTestServer } from '../../../testing/node.js';
import { testServerFixtures, type WithTestServer } from '../../../testing/vitest.js';

/** Type-checks code without running it. */
const compiledOnly = (_act: (server: TestServer) => unknown): void => {};

describe('types of the server for tests', () => {
  it('give clients and conditions the types of their resource', () => {
    compiledOnly(async (server) => {
      expectTypeOf(
        await createClient(server.client).core.v1.configMaps.in('a').get('b'),
      ).toEqualTypeOf<coreV1.ConfigMap>();
      expectTypeOf(await server.asUser('jane').resource(configMaps).in('a').get('b')).toEqualTypeOf<coreV1.ConfigMap>();
      const one = await server.until({ resource: configMaps, name: 'a' }, ({ data }) => data?.text === '1');
      expectTypeOf(one).toEqualTypeOf<coreV1.ConfigMap>();
      const all = await server.until({ resource: configMaps }, (found) => found.length > 1);
      expectTypeOf(all).toEqualTypeOf<readonly coreV1.ConfigMap[]>();
      expectTypeOf(await server.until({ resource: configMaps, name: 'a' }, 'deleted')).toEqualTypeOf<void>();
      // @ts-expect-error no such field
      await server.until({ resource: configMaps, name: 'a' }, ({ text }) => text === '1');
      // @ts-expect-error all of them are never said to be gone
      await server.until({ resource: configMaps }, 'deleted');
    });
  });

  it('know faults and options', () => {
    compiledOnly((server) => {
      server.faults.add({ verb: 'get', fault: { status: 429, retryAfterSeconds: 3 } });
      // @ts-expect-error no such status
      server.faults.add({ fault: { status: 418 } });
      // @ts-expect-error no such end of a watch
      server.faults.add({ fault: { watch: 'explode' } });
      startTestServer({ definitions: ['schemas', { kind: 'ResourceDefinition' }], controllers: ['namespace'] });
      // @ts-expect-error storage is memory
      startTestServer({ storage: 'memory' });
    });
  });

  it('give tests their server', () => {
    const extended = test.extend<WithTestServer>(testServerFixtures());
    compiledOnly(() => {
      extended('name', async ({ server }) => {
        expectTypeOf(server).toEqualTypeOf<TestServer>();
      });
    });
    expectTypeOf(useTestServer).returns.returns.toEqualTypeOf<TestServer>();
  });
});
