/**
 * `kindforge dev` serves a project while people edit it. It replaces definitions in the running server, and starts
 * again for changes of code.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createResourceClient } from '../../client/index.js';
import { type DevProcess, startDev } from '../support/dev-process.js';
import { eventually } from '../support/eventually.js';
import { makeFolder, write } from '../support/project-folder.js';

const definition = (...fields: readonly string[]): string => `apiVersion: kindforge.dev/v1
kind: ResourceDefinition
metadata: { name: widgets.shop.example.com }
spec:
  group: shop.example.com
  names: { plural: widgets, kind: Widget }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties: { ${fields.map((field) => `${field}: { type: string }`).join(', ')} }
`;

const plugin = (message: string): string => `import type { AdmissionPlugin } from 'kindforge/contract';
import { wrong } from './words.js';

export const noRed: AdmissionPlugin = {
  name: 'NoRed',
  handles: ({ group }) => group === 'shop.example.com',
  validate: ({ name }) => (name === 'red' ? { reason: 'Forbidden', message: \`\${wrong}: ${message}\` } : undefined),
};
`;

let folder: string;
let dev: DevProcess;

beforeAll(async () => {
  folder = makeFolder({
    'package.json': '{ "type": "module" }',
    'kindforge.config.ts': `import { defineConfig } from 'kindforge/config';
import { noRed } from './no-red.js';

export default defineConfig({ naming: 'kubernetes', admissionPlugins: [noRed] });
`,
    'no-red.ts': plugin('red'),
    'words.ts': "export const wrong = 'wrong';\n",
    'schemas/widgets.yaml': definition('size'),
    'seed/objects.yaml': `apiVersion: shop.example.com/v1
kind: Widget
metadata: { name: seeded, namespace: shop }
spec: { size: large }
---
apiVersion: v1
kind: Namespace
metadata: { name: shop }
---
apiVersion: example.com/v1
kind: Later
metadata: { name: one }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: laters.example.com }
spec:
  group: example.com
  names: { plural: laters, kind: Later }
  scope: Cluster
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }
`,
    'seed/wrong.yaml': 'apiVersion: example.com/v1\nkind: Unknown\nmetadata: { name: one }\n',
  });
  dev = await startDev(folder, '--seed', 'seed');
});
afterAll(async () => {
  await dev.stop();
  rmSync(folder, { recursive: true, force: true });
});

const widgets = (namespace = 'default') =>
  createResourceClient(
    {
      group: 'shop.example.com',
      version: 'v1',
      plural: 'widgets',
      kind: 'Widget',
      scope: 'Namespaced',
      subresources: [],
    },
    { baseUrl: dev.url },
  ).in(namespace);

const create = (name: string, spec: object = {}): Promise<unknown> => {
  const object = { metadata: { name }, spec };
  return widgets().create(object, { fieldValidation: 'Strict' });
};

describe('kindforge dev', () => {
  it('applies the objects of a folder, namespaces and definitions first', async () => {
    const printed = await dev.until('seed: 4 applied');
    expect(printed).toContain('seed/wrong.yaml: Unknown one: the server has no Unknown in example.com/v1');
    await expect(widgets('shop').get('seeded')).resolves.toMatchObject({ spec: { size: 'large' } });
  });

  it.each([
    ['http://localhost:5173', 'http://localhost:5173'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
    ['http://localhost.example.com', null],
    ['https://shop.example.com', null],
  ])('allows pages of this machine and no others: %s', async (origin, allowed) => {
    const response = await fetch(`${dev.url}/version`, { headers: { origin } });
    expect(response.headers.get('access-control-allow-origin')).toBe(allowed);
  });

  it('generates the code of the definitions', async () => {
    await dev.until('generated: 1 resource generated');
    expect(readFileSync(join(folder, 'generated/shop.example.com/v1/widgets/types.ts'), 'utf8')).toContain('size?:');
  });

  it('replaces definitions while clients watch, and generates their code', async () => {
    const events = widgets().watch();
    const next = events.next();
    await expect(create('wrong', { colour: 'red' })).rejects.toThrow('unknown field "spec.colour"');
    write(folder, { 'schemas/widgets.yaml': definition('size', 'colour') });
    await dev.until('definitions replaced');
    await eventually(() => create('one', { colour: 'red' }));
    expect((await next).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'one' } } });
    await dev.until('generated: 1 resource generated');
    expect(readFileSync(join(folder, 'generated/shop.example.com/v1/widgets/types.ts'), 'utf8')).toContain('colour?:');
    const after = events.next();
    await create('two');
    expect((await after).value).toMatchObject({ object: { metadata: { name: 'two' } } });
    await events.return(undefined);
  });

  it('shows mistakes with their lines, and serves the earlier definitions', async () => {
    write(folder, { 'schemas/widgets.yaml': definition('size', 'colour').replace('type: string', 'type: strng') });
    const printed = await dev.until('1 error in schemas');
    expect(printed).toMatch(/widgets\.yaml:18:\d+ KF\d+ .*\n/);
    expect(printed).toContain('  18 |               properties: { size: { type: strng }');
    await create('three', { colour: 'red' });
    write(folder, { 'schemas/widgets.yaml': '' });
    await dev.until('schemas/widgets.yaml is empty');
    await create('four', { colour: 'red' });
  });

  it('adds a definition, from a file that an editor renames into place', async () => {
    const next = join(folder, 'schemas/.widgets.yaml.swap');
    writeFileSync(next, definition('size', 'colour', 'weight'));
    renameSync(next, join(folder, 'schemas/widgets.yaml'));
    await dev.until('definitions replaced');
    await eventually(() => create('five', { weight: 'much' }));
    const gadgets = definition('size').replaceAll('widgets', 'gadgets').replace('Widget', 'Gadget');
    write(folder, { 'schemas/deep/er/gadgets.yaml': gadgets });
    await dev.until('definitions replaced');
    const gadgetsPath = `${dev.url}/apis/shop.example.com/v1/gadgets`;
    await eventually(async () => expect((await fetch(gadgetsPath)).status).toBe(200));
  });

  it('starts again if code has changed, at the same address and over the same data', async () => {
    await expect(create('red')).rejects.toThrow('wrong: red');
    write(folder, { 'no-red.ts': plugin('very red') });
    await dev.until(`serving again at ${dev.url}`);
    await expect(create('red')).rejects.toThrow('wrong: very red');
    await expect(widgets().get('five')).resolves.toMatchObject({ spec: { weight: 'much' } });
    await expect(widgets('shop').list()).resolves.toMatchObject({ items: [{ metadata: { name: 'seeded' } }] });
  });

  it('keeps watches of clients if only the head of imported generated code changes', async () => {
    const words = `import { widgets } from './generated/shop.example.com/v1/widgets/resource.js';
export const wrong = widgets.kind;
`;
    write(folder, { 'words.ts': words });
    await dev.until(`serving again at ${dev.url}`);
    await expect(create('red')).rejects.toThrow('Widget: very red');
    const events = widgets().watch({ fieldSelector: 'metadata.name=six' });
    const next = events.next();
    write(folder, { 'schemas/widgets.yaml': definition('size', 'colour', 'weight', 'height'), 'words.ts': words });
    await dev.until('definitions replaced');
    const types = join(folder, 'generated/shop.example.com/v1/widgets/types.ts');
    await eventually(() => expect(readFileSync(types, 'utf8')).toContain('height?:'));
    // The command notices a change within a second.
    await sleep(1_100);
    await eventually(() => create('six', { height: 'much' }));
    expect((await next).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'six' } } });
    await events.return(undefined);
    write(folder, { 'words.ts': "export const wrong = 'wrong';\n" });
    await dev.until(`serving again at ${dev.url}`);
  });

  it('continues while code has mistakes, and accepts the correction', async () => {
    write(folder, { 'words.ts': 'export const wrong = ;\n' });
    const printed = await dev.until('the previous version is still served');
    expect(printed).toContain('changed: words.ts');
    expect(printed).toMatch(/words\.ts:1:22: syntax error: /);
    await expect(create('red')).rejects.toThrow('wrong: very red');
    write(folder, { 'words.ts': "import { other } from './other.js';\nexport const wrong = other;\n" });
    await dev.until('the previous version is still served');
    write(folder, { 'other.ts': "export const other = 'mended';\n" });
    await dev.until(`serving again at ${dev.url}`);
    await expect(create('red')).rejects.toThrow('mended: very red');
  });

  it('starts again if definitions cannot be replaced, and ignores other files', async () => {
    write(folder, { 'notes.ts': 'export const a = 1;', 'README.md': 'text' });
    rmSync(join(folder, 'schemas/deep'), { recursive: true });
    const printed = await dev.until(`serving again at ${dev.url}`);
    expect(printed).toContain('starting again: gadgets.shop.example.com/v1 was removed');
    expect(printed).not.toContain('changed:');
    expect((await fetch(`${dev.url}/apis/shop.example.com/v1/gadgets`)).status).toBe(404);
    expect(existsSync(join(folder, '.kindforge/data'))).toBe(true);
  });

  it('stops on a signal to its server, without reporting a failure', async () => {
    expect(await dev.stop(Number(readFileSync(join(folder, '.kindforge/data/owner'), 'utf8')))).toBe(0);
    expect(dev.printed()).not.toContain('the server ended');
    await expect(fetch(dev.url)).rejects.toThrow();
  });
});
