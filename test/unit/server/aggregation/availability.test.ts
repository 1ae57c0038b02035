/** The address of the service behind an APIService, or why there is none. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { findOrigin } from '../../../../server/aggregation/availability.js';

const object = (fields: JsonObject): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'api', namespace: 'shop' },
  ...fields,
});

const service = (spec: JsonObject = {}): ApiObject =>
  object({ spec: { type: 'ClusterIP', clusterIP: '10.0.0.7', ports: [{ name: 'https', port: 443 }], ...spec } });

const ready = object({ subsets: [{ addresses: [{ ip: '10.1.0.4' }], ports: [{ name: 'https', port: 8443 }] }] });

const find = (
  { services, endpoints }: { readonly services?: ApiObject; readonly endpoints?: ApiObject },
  { port = 443, given, toEndpoints = false }: { port?: number; given?: URL; toEndpoints?: boolean } = {},
) =>
  findOrigin(
    { namespace: 'shop', name: 'api', port },
    { find: (kind) => (kind === 'services' ? services : endpoints), given: () => given, toEndpoints },
  );

describe('the address of a service', () => {
  it.each([
    ['its cluster address', service(), {}, 'https://10.0.0.7:443'],
    ['its cluster address in IPv6', service({ clusterIP: 'fd00::7' }), {}, 'https://[fd00::7]:443'],
    ['one of its endpoints', service(), { toEndpoints: true }, 'https://10.1.0.4:8443'],
    [
      'its external name',
      service({ type: 'ExternalName', externalName: 'api.example.com' }),
      { port: 9443 },
      'https://api.example.com:9443',
    ],
  ])('is %s', (_what, services, options, origin) => {
    expect(find({ services, endpoints: ready }, options)).toEqual({ origin });
  });

  it('is the one in the options, even without a Service', () => {
    expect(find({}, { given: new URL('https://127.0.0.1:9443') })).toEqual({ origin: 'https://127.0.0.1:9443' });
  });

  it.each([
    ['ServiceNotFound', 'service/api in "shop" is not present', {}],
    [
      'ServicePortError',
      'service/api in "shop" is not listening on port 443',
      { services: service({ ports: [{ port: 80 }] }) },
    ],
    ['EndpointsNotFound', 'cannot find endpoints for service/api in "shop"', { services: service() }],
    [
      'MissingEndpoints',
      'endpoints for service/api in "shop" have no addresses with port name "https"',
      {
        services: service(),
        endpoints: object({
          subsets: [{ notReadyAddresses: [{ ip: '10.1.0.4' }], ports: [{ name: 'https', port: 1 }] }],
        }),
      },
    ],
    [
      'MissingEndpoints',
      'endpoints for service/api in "shop" have no addresses with port name ""',
      { services: service({ ports: [{ port: 443 }] }), endpoints: ready },
    ],
    [
      'FailedDiscoveryCheck',
      'cannot route to service with ClusterIP "None"',
      { services: service({ clusterIP: 'None' }), endpoints: ready },
    ],
  ])('is missing: %s, %s', (reason, message, objects) => {
    expect(find(objects)).toEqual({ finding: { status: 'False', reason, message } });
  });
});
