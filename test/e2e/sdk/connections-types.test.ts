/**
 * Ways to connect to a server that the SDK's types allow or refuse. The type check decides. It also fails if an error
 * that `@ts-expect-error` announces is missing.
 */
import * as otel from '@opentelemetry/api';
import { describe, expectTypeOf, it } from 'vitest';
import {
  type ClientConnection,
  type ClientOptions,
  type ConnectionSettings,
  type LoadedConnection,
  loadConnection,
  loadInCluster,
  loadKubeconfig,
  openConnection,
  openTelemetry,
  type RequestTracer,
  type Transport,
} from '../../../client/node.js';
import { type Client, createClient } from '../../../generated/client.js';

/** Type-checks requests without sending them. */
const compiledOnly = (_requests: () => void): void => {};
const baseUrl = 'https://127.0.0.1:6443';

describe('types of connections', () => {
  it('are accepted by clients', () => {
    expectTypeOf(createClient).parameter(0).toEqualTypeOf<ClientOptions>();
    expectTypeOf(createClient).returns.toEqualTypeOf<Client>();
    expectTypeOf(loadKubeconfig).returns.toEqualTypeOf<LoadedConnection>();
    expectTypeOf(loadInCluster).returns.toEqualTypeOf<LoadedConnection>();
    expectTypeOf(loadConnection).returns.toEqualTypeOf<LoadedConnection>();
    expectTypeOf(openConnection).returns.toEqualTypeOf<LoadedConnection>();
    expectTypeOf<LoadedConnection>().toExtend<ClientConnection>();
    expectTypeOf<NonNullable<ClientOptions['transport']>>().toEqualTypeOf<Transport>();
    expectTypeOf(openTelemetry(otel)).toExtend<RequestTracer>();
    compiledOnly(() => {
      createClient({ baseUrl, token: 'x', headers: { 'x-team': 'shop' }, timeoutMs: 1000, retry: { retries: 0 } });
      createClient({ baseUrl, token: async () => 'x' });
      createClient({ kubeconfig: loadKubeconfig({ context: 'shop', http2: true, proxy: false }) });
      createClient({ kubeconfig: openConnection({ baseUrl, ca: { path: 'ca.crt' }, certificate: { pem: 'x' } }) });
      createClient({
        kubeconfig: loadInCluster(),
        impersonate: { user: 'jane', groups: ['dev'], extra: { a: ['b'] } },
      });
    });
  });

  it('refuse anything else', () => {
    compiledOnly(() => {
      // @ts-expect-error a text or a function
      createClient({ baseUrl, token: 1 });
      // @ts-expect-error a function answers with a text
      createClient({ baseUrl, token: () => 1 });
      // @ts-expect-error a kubeconfig is read first
      createClient({ kubeconfig: '~/.kube/config' });
      // @ts-expect-error no such names
      createClient({ baseUrl, naming: 'openshift' });
      // @ts-expect-error somebody has a name
      createClient({ baseUrl, impersonate: { groups: ['dev'] } });
      // @ts-expect-error values of extra are lists
      createClient({ baseUrl, impersonate: { user: 'jane', extra: { a: 'b' } } });
      // @ts-expect-error no such option
      createClient({ baseUrl, timeout: 1000 });
      // @ts-expect-error it answers with more than a text
      createClient({ transport: { send: async () => 'ok' } });
      // @ts-expect-error an address is needed
      openConnection({ token: 'x' });
      // @ts-expect-error a path or a text, and it says which
      openConnection({ baseUrl, ca: 'ca.crt' });
      // @ts-expect-error a URL, or false for none
      loadKubeconfig({ proxy: true });
      // @ts-expect-error a number
      loadKubeconfig({ maxConnections: '5' });
    });
    expectTypeOf<ConnectionSettings['baseUrl']>().toBeString();
  });
});
