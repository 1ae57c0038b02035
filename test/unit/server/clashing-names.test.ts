import { expect, it } from 'vitest';
import { platformNaming } from '../../../runtime/objects/names/naming.js';
import { gatherKinds } from '../../../server/kinds.js';
import { modulesOfTexts, withDefinitions } from '../../../server/load-definitions.js';

const definition = (names: string, group = 'shop.example.com'): string => {
  const plural = /plural: (\w+)/.exec(names)?.[1] ?? '';
  return `
apiVersion: kindforge.dev/v1
kind: ResourceDefinition
metadata: { name: ${plural}.${group} }
spec:
  group: ${group}
  names: { ${names} }
  scope: Cluster
  versions: [{ name: v1, schema: { openAPIV3Schema: { type: object } } }]
`;
};

const modulesOf = (text: string) => modulesOfTexts([{ path: 'own.yaml', text }]);

/** Lists the plurals of a server with `widgets` that gets a definition. */
async function served(text: string): Promise<readonly string[]> {
  const builtIn = await modulesOf(definition('plural: widgets, kind: Widget, shortNames: [wd]'));
  const kinds = gatherKinds([{ modules: builtIn }], platformNaming, {});
  const { modules } = await withDefinitions(kinds, { modules: await modulesOf(text) });
  return modules.map(({ names }) => names.plural);
}

it.each([
  ['plural: gadgets, kind: Widget, singular: gadget, listKind: Gadgets', 'Widget'],
  ['plural: gadgets, kind: WidgetList', 'WidgetList'],
  ['plural: gadgets, kind: Gadget, listKind: Widget', 'Widget'],
  ['plural: gadgets, kind: Gadget, shortNames: [wd]', 'wd'],
  ['plural: gadgets, kind: Gadget, singular: widgets', 'widgets'],
  ['plural: wd, kind: Gadget', 'wd'],
])('%s is refused', (names, name) =>
  expect(served(definition(names))).rejects.toThrow(
    new RegExp(`^\\w+\\.shop\\.example\\.com in own\\.yaml has the name "${name}", which is one of widgets\\.shop`),
  ),
);

it('accepts free names, names in another group, and the place of a replaced kind', async () => {
  expect(await served(definition('plural: gadgets, kind: Gadget'))).toEqual(['widgets', 'gadgets']);
  expect(await served(definition('plural: gadgets, kind: Widget', 'other.example.com'))).toEqual([
    'widgets',
    'gadgets',
  ]);
  expect(await served(definition('plural: widgets, kind: Wonder, shortNames: [wd]'))).toEqual(['widgets']);
});
