/** The generated client: names of groups and resources, the tree, and what its types allow. */
import { describe, expect, it } from 'vitest';
import { groupProperties, resourceProperty, versionProperty } from '../../../../generator/emit/resource-names.js';
import type { ResourceModel } from '../../../../generator/model/model.js';
import { customResource, emit, emitted, modelOf, typeErrors } from './emitting.js';

const named = (kind: string, plural: string): ResourceModel => {
  const [resource] = modelOf(customResource({ kind, plural })).resources;
  if (resource === undefined) throw new Error('no resource');
  return resource;
};

describe('resource properties', () => {
  it.each([
    ['CSIDriver', 'csidrivers', 'csiDrivers'],
    ['CertificateSigningRequest', 'certificatesigningrequests', 'certificateSigningRequests'],
    ['ConfigMap', 'configmaps', 'configMaps'],
    ['Endpoints', 'endpoints', 'endpoints'],
    ['Ingress', 'ingresses', 'ingresses'],
    ['NetworkPolicy', 'networkpolicies', 'networkPolicies'],
    ['IPAddress', 'ipaddresses', 'ipAddresses'],
    ['PodMetrics', 'pods', 'pods'],
    ['Gateway', 'istiogws', 'istiogws'],
    ['Import', 'import', 'import_'],
    ['Widget', 'my-widgets', 'myWidgets'],
    ['Then', 'then', 'then_'],
  ])('%s, %s is %s', (kind, plural, property) => expect(resourceProperty(named(kind, plural))).toBe(property));
});

describe('group properties', () => {
  const propertiesOf = (...groups: string[]): Record<string, string> =>
    Object.fromEntries(groupProperties(modelOf(...groups.map((group) => customResource({ kind: 'Widget', group })))));

  it('are the first label in camel case', () => {
    expect(propertiesOf('storage.platform.io', 'cert-manager.io', '3scale.net')).toEqual({
      'storage.platform.io': 'storage',
      'cert-manager.io': 'certManager',
      '3scale.net': '_3scale',
    });
  });

  it('are all of the group if two groups share the first label', () => {
    expect(propertiesOf('networking.istio.io', 'networking.other.io', 'storage.other.io')).toEqual({
      'networking.istio.io': 'networkingIstioIo',
      'networking.other.io': 'networkingOtherIo',
      'storage.other.io': 'storage',
    });
  });

  it('are never the same', () => {
    expect(new Set(Object.values(propertiesOf('a.b-c', 'a-b.c', 'a.b.c', 'a.bc'))).size).toBe(4);
  });
});

it('versions are properties', () =>
  expect([versionProperty('v1'), versionProperty('v1alpha2')]).toEqual(['v1', 'v1alpha2']));

describe('the tree', () => {
  const model = modelOf(
    customResource({
      kind: 'Widget',
      versions: ['v1', 'v2'],
      spec: { type: 'object', properties: { size: { type: 'integer' } } },
    }),
    customResource({ kind: 'Widget', group: 'other.org' }),
  );

  it('has each resource under its group and version', () => {
    const content = emitted(model, 'client.ts');
    expect(content).toContain("import { widgets } from './example.com/v1/widgets/resource.js';");
    expect(content).toContain("import { widgets as exampleV2Widgets } from './example.com/v2/widgets/resource.js';");
    expect(content).toContain("import { widgets as otherV1Widgets } from './other.org/v1/widgets/resource.js';");
    expect(content).toContain(
      [
        'const tree = {',
        '  example: { v1: { widgets }, v2: { widgets: exampleV2Widgets } },',
        '  other: { v1: { widgets: otherV1Widgets } },',
        '} as const;',
      ].join('\n'),
    );
  });

  const use = (body: string): readonly string[] => {
    const files = new Map(emit(model));
    files.set(
      'use.ts',
      [
        "import { createClient, type exampleV1 } from './index.js';",
        "const api = createClient({ baseUrl: 'http://localhost' });",
        'export const use = async (): Promise<exampleV1.Widget> => {',
        body,
        '};',
      ].join('\n'),
    );
    return typeErrors(files).filter((error) => error.startsWith('use.ts'));
  };

  it('gives typed requests', () => {
    const create = "api.example.v1.widgets.in('a').create({ metadata: { name: 'w' }, spec: { size: 1 } })";
    expect(use(`return await ${create};`)).toEqual([]);
    expect(use(`return await ${create.replace('size: 1', 'size: "1"')};`)).toHaveLength(1);
    expect(use('return await api.other.v1.widgets.in("a").get("w");').join()).toContain('not assignable');
    expect(use('return await api.example.v1.widgets.get("w");').join()).toContain("Property 'get' does not exist");
    const unknown = use("return await api.example.v1.widgets.in('a').subresource('status').get('w');");
    expect(unknown.join()).toContain(`Argument of type '"status"' is not assignable`);
  });

  it('has the Kubernetes group of each platform group', () => {
    const storage = modelOf(customResource({ kind: 'Disk', group: 'storage.platform.io' }));
    expect(emitted(storage, 'storage.platform.io/v1/disks/resource.ts')).toContain(
      "kubernetesGroup: 'storage.k8s.io',",
    );
    expect(emitted(model, 'example.com/v1/widgets/resource.ts')).not.toContain('kubernetesGroup');
  });
});

describe('versions that are not served', () => {
  it('have a module for servers, and nothing in the client', () => {
    const document = JSON.parse(JSON.stringify(customResource({ kind: 'Widget', versions: ['v1', 'v0'] })));
    document.spec.versions[1].served = false;
    const files = emit(modelOf(document));
    expect(files.get('client.ts')).not.toContain('v0');
    const own = [...files.keys()].filter((path) => path.startsWith('example.com/v0/'));
    expect(own).toEqual(['example.com/v0/widgets/schema.ts', 'example.com/v0/widgets/resource.ts']);
    expect(files.get('registry.ts')).toContain('example.com/v0/widgets/resource.js');
  });
});
