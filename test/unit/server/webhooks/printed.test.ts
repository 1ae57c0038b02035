/** The documents with the address of the webhook: patches and definitions, and warnings about the limits of these. */
import { describe, expect, it } from 'vitest';
import { analyseFolder } from '../../../../generator/check/load-definitions.js';
import { folderOfTexts } from '../../../../generator/load/load-folder.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/names/naming.js';
import { printForServer } from '../../../../server/webhooks/start-webhook.js';

const definition = (name: string, spec: string): string => `
apiVersion: kindforge.dev/v1
kind: ResourceDefinition
metadata: { name: ${name}.example.com }
spec:
  group: example.com
  names: { plural: ${name}, kind: ${name.toUpperCase()} }
  scope: Namespaced
  versions:
    - name: v1
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties: { spec: { type: object, properties: ${spec} } }
`;

const resources = (...texts: readonly string[]) =>
  analyseFolder(folderOfTexts(texts.map((text, at) => ({ path: `${at}.yaml`, text })))).model.resources;

const options = { place: { url: 'https://a.example.com/convert' }, authority: undefined, path: '/convert' };

describe('the printed document', () => {
  it("is a patch for each definition, under the naming's names", () => {
    const two = resources(definition('lamps', '{}'), definition('bulbs', '{}'));
    const { text, warnings } = printForServer(two, { ...options, naming: kubernetesNaming, what: 'patch' });
    expect(warnings).toEqual([]);
    expect(text.split('---\n')).toHaveLength(2);
    expect(text.split('---\n')[0]).toBe(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: bulbs.example.com
spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        url: https://a.example.com/convert
      conversionReviewVersions:
        - v1
`);
    expect(printForServer(two, { ...options, naming: platformNaming, what: 'patch' }).text).toContain(
      'apiVersion: apiextensions.platform.io/v1\n',
    );
  });

  it('warns of parts that a server would refuse, and of parts that are left out', () => {
    const items = '{ type: object, properties: { name: { type: string, x-kindforge-presence: implicit } } }';
    const list = `{ type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: ${items} }`;
    const of = resources(
      definition('lamps', `{ parts: ${list}, colour: { type: string, x-kindforge-immutable: true } }`),
    );
    const printed = printForServer(of, { ...options, naming: kubernetesNaming, what: 'crd' });
    expect(printed.text).not.toContain('x-kindforge');
    expect(printed.warnings).toEqual([
      'servers refuse lamps.example.com: key `name` may be missing from an item',
      'lamps.example.com: x-kindforge-immutable of `spec.colour` is left out',
    ]);
  });
});
