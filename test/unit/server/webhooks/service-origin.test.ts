/** Where Services are reached. */
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { serviceOrigin } from '../../../../server/webhooks/service-origin.js';

const originOf = (spec?: JsonObject) =>
  serviceOrigin(
    { namespace: 'shop', name: 'hook', port: 443 },
    () => spec && { apiVersion: 'v1', kind: 'Service', metadata: { name: 'hook' }, spec },
  );
const ports = [{ port: 443 }];

it.each([
  [{ type: 'ClusterIP', clusterIP: '10.0.0.7', ports }, 'https://10.0.0.7:443'],
  [{ type: 'NodePort', clusterIP: 'fd00::7', ports }, 'https://[fd00::7]:443'],
  [{ type: 'ExternalName', externalName: 'hooks.example.com' }, 'https://hooks.example.com:443'],
])('%j', (spec, origin) => {
  expect(originOf(spec)).toEqual({ ok: true, origin });
});

it.each([
  [undefined, 'service "hook" not found'],
  [{ type: 'ClusterIP', clusterIP: 'None', ports }, 'cannot route to service with ClusterIP "None"'],
  [{ type: 'ClusterIP', clusterIP: '10.0.0.7', ports: [{ port: 80 }] }, 'no service port 443 found for service "hook"'],
])('%j has no address', (spec, problem) => {
  expect(originOf(spec)).toEqual({ ok: false, problem });
});
