/** Admission plugins follow objects in the version that they were written for, whichever is stored. */
import { afterEach, expect, it } from 'vitest';
import { createResourceClient, defineResource } from '../../../client/index.js';
import { defineAdmissionPlugin, objectsOf } from '../../../contract.js';
import type { DraftObject, FollowedObjects } from '../../../runtime/contract/index.js';
import { type RunningServer, startServer } from '../../../server/index.js';
import { modulesOfTexts } from '../../../server/load-definitions.js';

interface Gate {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly size?: number; readonly extent?: number };
}

const version = (name: string, field: string) => ({
  name,
  storage: name === 'v1',
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { [field]: { type: 'integer' } } } },
    },
  },
});
const definition = {
  apiVersion: 'kindforge.dev/v1',
  kind: 'ResourceDefinition',
  metadata: { name: 'gates.cases.example.com' },
  spec: {
    group: 'cases.example.com',
    names: { plural: 'gates', kind: 'Gate' },
    scope: 'Namespaced',
    versions: [
      version('v1', 'size'),
      {
        ...version('v1beta1', 'extent'),
        conversion: { steps: [{ move: { field: 'spec.extent', stored: 'spec.size' } }] },
      },
    ],
  },
};

const servers: RunningServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function followIn(name: string) {
  let gates: FollowedObjects<DraftObject<Gate>> | undefined;
  const plugin = defineAdmissionPlugin({
    name: 'Counting',
    handles: () => false,
    start: (host) => {
      gates = objectsOf<Gate>(host, `cases.example.com/${name}`, 'gates');
    },
  });
  const modules = await modulesOfTexts([{ path: 'gates.json', text: JSON.stringify(definition) }]);
  const server = await startServer({
    http: false,
    schemas: { modules },
    controllers: [],
    admission: { plugins: [plugin] },
  });
  servers.push(server);
  const client = createResourceClient(
    defineResource<Gate>()({
      group: 'cases.example.com',
      version: 'v1',
      plural: 'gates',
      kind: 'Gate',
      scope: 'Namespaced',
      subresources: [],
    } as const),
    server.client(),
  );
  await client.in('default').create({ metadata: { name: 'a' }, spec: { size: 3 } });
  return gates?.get('default', 'a');
}

it.each([
  ['v1', { size: 3 }],
  ['v1beta1', { extent: 3 }],
])('shows objects in %s', async (name, spec) => {
  const gate = await followIn(name);
  expect(gate).toMatchObject({ apiVersion: `cases.example.com/${name}`, kind: 'Gate', spec });
  expect(Object.isFrozen(gate?.spec)).toBe(true);
});

it('names the plugin and the removed version', async () => {
  await expect(followIn('v1alpha1')).rejects.toThrow(
    'the admission plugin Counting cannot start: gates.cases.example.com has no version v1alpha1; its stored version is v1',
  );
});
