import { expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { defineAPIServices } from '../../../../strategies/apiregistration.platform.io/apiservices.js';
import { errorFieldsOf, objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const handlers = defineAPIServices();
const service = (spec: JsonObject, name = 'v1.example.com', status: JsonObject = {}): ApiObject =>
  objectOf(
    handlers,
    { spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10, ...spec }, status },
    { name },
  );
const remote = { service: { namespace: 'default', name: 'api', port: 443 } };

it.each([
  [{}, 'v2.example.com', ['metadata.name']],
  [{ group: '' }, 'v1.', []],
  [{ group: '', version: 'v2' }, 'v2.', ['spec.group']],
  [{ version: 'V1' }, 'V1.example.com', ['spec.version']],
  [
    { groupPriorityMinimum: 0, versionPriority: 1001 },
    'v1.example.com',
    ['spec.groupPriorityMinimum', 'spec.versionPriority'],
  ],
  [
    { caBundle: 'YQ==', insecureSkipTLSVerify: true },
    'v1.example.com',
    ['spec.caBundle', 'spec.insecureSkipTLSVerify'],
  ],
  [{ service: {} }, 'v1.example.com', ['spec.service.namespace', 'spec.service.name']],
  [{ service: { ...remote.service, port: 0 } }, 'v1.example.com', ['spec.service.port']],
  [{ ...remote, caBundle: 'YQ==', insecureSkipTLSVerify: true }, 'v1.example.com', ['spec.insecureSkipTLSVerify']],
])('%j called %s', (spec, name, expected) => expect(errorFieldsOf(handlers, service(spec, name))).toEqual(expected));

it('is available at once if the server answers itself', () => {
  const local = service({});
  handlers.prepareForCreate?.(local, contextOf());
  expect(local.status).toMatchObject({ conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] });
  const elsewhere = service(remote);
  handlers.prepareForCreate?.(elsewhere, contextOf());
  expect(elsewhere.status).toEqual({});
});

it('shows its service, and whether it is available', () => {
  const down = { conditions: [{ type: 'Available', status: 'False', reason: 'Gone' }] };
  const object = service(remote, 'v1.example.com', down);
  expect([handlers.columns?.Service?.(object, 0), handlers.columns?.Available?.(object, 0)]).toEqual([
    'default/api',
    'False (Gone)',
  ]);
  expect([handlers.columns?.Service?.(service({}), 0), handlers.columns?.Available?.(service({}), 0)]).toEqual([
    'Local',
    'Unknown',
  ]);
});
