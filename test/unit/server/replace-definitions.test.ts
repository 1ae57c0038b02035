import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createResourceClient, defineResource } from '../../../client/index.js';
import { loadDefinitions } from '../../../generator/check/load-definitions.js';
import { modulesOf } from '../../../generator/emit/modules.js';
import type { ResourceModule } from '../../../runtime/contract/index.js';
import { type RunningServer, type StorageOption, startServer } from '../../../server/index.js';

interface Version {
  readonly name: string;
  readonly fields: readonly string[];
  readonly storage?: boolean;
}

/** Makes a definition of `widgets`, or of another plural. */
const definition = (
  versions: readonly Version[],
  { plural = 'widgets', kind = 'Widget', scope = 'Namespaced', more = '' } = {},
): string => `
apiVersion: kindforge.dev/v1
kind: ResourceDefinition
metadata: { name: ${plural}.shop.example.com }
spec:
  group: shop.example.com
  names: { plural: ${plural}, kind: ${kind} }
  scope: ${scope}
  versions:
${versions
  .map(
    ({ name, fields, storage = true }) => `
    - name: ${name}
      served: true
      storage: ${storage}
${more}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties: { ${fields.map((field) => `${field}: { type: string }`).join(', ')} }
`,
  )
  .join('')}`;

const folders: string[] = [];
const servers: RunningServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function modules(...texts: readonly string[]): readonly ResourceModule[] {
  const folder = mkdtempSync(join(tmpdir(), 'kindforge-replace-'));
  folders.push(folder);
  texts.forEach((text, index) => {
    writeFileSync(join(folder, `${index}.yaml`), text);
  });
  const { model, diagnostics } = loadDefinitions(folder);
  expect(diagnostics).toEqual([]);
  return modulesOf(model);
}

async function serve(given: readonly ResourceModule[], storage: StorageOption = 'memory'): Promise<RunningServer> {
  const server = await startServer({ http: false, schemas: { modules: given }, controllers: [], storage });
  servers.push(server);
  return server;
}

const one = definition([{ name: 'v1', fields: ['size'] }]);

const widgetsOf = (server: RunningServer) =>
  createResourceClient(
    defineResource<{
      apiVersion: string;
      kind: string;
      metadata: { name: string };
      spec?: Record<string, string>;
    }>()({
      group: 'shop.example.com',
      version: 'v1',
      plural: 'widgets',
      kind: 'Widget',
      scope: 'Namespaced',
      subresources: [],
    } as const),
    server.client(),
  ).in('default');

const create = (server: RunningServer, name: string, spec: Record<string, string>) =>
  widgetsOf(server).create({ metadata: { name }, spec }, { fieldValidation: 'Strict' });

describe('definitions of a running server', () => {
  it('are replaced, and an earlier watch continues', async () => {
    const server = await serve(modules(one));
    const events = widgetsOf(server).watch();
    await create(server, 'before', { size: 'large' });
    expect((await events.next()).value).toMatchObject({ object: { metadata: { name: 'before' } } });
    await expect(create(server, 'wrong', { colour: 'red' })).rejects.toThrow('unknown field "spec.colour"');

    const replaced = server.replaceDefinitions(modules(definition([{ name: 'v1', fields: ['size', 'colour'] }])));
    expect(replaced).toEqual({ done: true });
    await create(server, 'after', { colour: 'red' });
    expect((await events.next()).value).toMatchObject({
      object: { metadata: { name: 'after' }, spec: { colour: 'red' } },
    });
    await events.return(undefined);
  });

  it('are announced in discovery and OpenAPI documents', async () => {
    const server = await serve(modules(one));
    const read = async (path: string): Promise<string> => {
      const { transport } = server.client();
      const answer = await transport?.send({ method: 'GET', path, headers: {} });
      return answer?.text() ?? '';
    };
    expect(await read('/openapi/v3/apis/shop.example.com/v1')).not.toContain('colour');
    server.replaceDefinitions(
      modules(
        definition([{ name: 'v1', fields: ['size', 'colour'] }]),
        definition([{ name: 'v1', fields: [] }], { plural: 'gadgets', kind: 'Gadget' }),
      ),
    );
    expect(await read('/openapi/v3/apis/shop.example.com/v1')).toContain('colour');
    expect(await read('/apis/shop.example.com/v1')).toContain('gadgets');
  });

  it('do not change any other resources', async () => {
    const server = await serve(modules(one));
    const pods = server.registry.find('', 'v1', 'pods');
    const widgets = server.registry.find('shop.example.com', 'v1', 'widgets');
    server.replaceDefinitions(modules(definition([{ name: 'v1', fields: ['colour'] }])));
    expect(server.registry.find('', 'v1', 'pods')).toBe(pods);
    expect(server.registry.find('shop.example.com', 'v1', 'widgets')).not.toBe(widgets);
  });

  it('have one more version', async () => {
    const server = await serve(modules(one));
    const both = definition([
      { name: 'v1', fields: ['size'] },
      { name: 'v2', fields: ['size'], storage: false },
    ]);
    expect(server.replaceDefinitions(modules(both))).toEqual({ done: true });
    await create(server, 'one', { size: 'large' });
    const read = await createResourceClient(
      {
        group: 'shop.example.com',
        version: 'v2',
        plural: 'widgets',
        kind: 'Widget',
        scope: 'Namespaced',
        subresources: [],
      },
      server.client(),
    )
      .in('default')
      .get('one');
    expect(read).toMatchObject({ apiVersion: 'shop.example.com/v2', spec: { size: 'large' } });
  });

  it.each<[string, string[], string]>([
    ['a resource goes', [], 'widgets.shop.example.com/v1 was removed'],
    [
      'another version is stored',
      [
        definition([
          { name: 'v1', fields: ['size'], storage: false },
          { name: 'v2', fields: ['size'] },
        ]),
      ],
      'widgets.shop.example.com/v1 has another value of storage',
    ],
    [
      'the scope changes',
      [definition([{ name: 'v1', fields: ['size'] }], { scope: 'Cluster' })],
      'widgets.shop.example.com/v1 has another value of scope',
    ],
    [
      'the kind has another name',
      [definition([{ name: 'v1', fields: ['size'] }], { kind: 'Ornament' })],
      'widgets.shop.example.com/v1 has another kind',
    ],
    [
      'fields become selectable',
      [definition([{ name: 'v1', fields: ['size'] }], { more: '      selectableFields: [{ jsonPath: .spec.size }]' })],
      'widgets.shop.example.com/v1 has another value of selectableFields',
    ],
  ])('need a restart if %s', async (_what, texts, because) => {
    const given = modules(one);
    const server = await serve(given);
    const next = texts.length === 0 ? [] : modules(...texts);
    expect(server.replaceDefinitions(next)).toEqual({ done: false, because });
    await expect(create(server, 'one', { size: 'large' })).resolves.toMatchObject({ spec: { size: 'large' } });
  });

  it('need a restart if stored objects were never read with them', async () => {
    const lmdb = mkdtempSync(join(tmpdir(), 'kindforge-replace-'));
    folders.push(lmdb);
    const first = await serve(modules(one), { lmdb });
    await create(first, 'one', { size: 'large' });
    await first.stop();
    const server = await serve([], { lmdb });
    expect(server.replaceDefinitions(modules(one))).toEqual({
      done: false,
      because: 'there are objects of widgets.shop.example.com/v1 already',
    });
    const gadgets = modules(definition([{ name: 'v1', fields: [] }], { plural: 'gadgets', kind: 'Gadget' }));
    expect(server.replaceDefinitions(gadgets)).toEqual({ done: true });
  });

  it.each(['kindforge.dev/v1', 'apiextensions.k8s.io/v1'])(
    'show objects that were stored before their kind had another name, if they are of %s',
    async (format) => {
      const lmdb = mkdtempSync(join(tmpdir(), 'kindforge-replace-'));
      folders.push(lmdb);
      const kindOf = { 'kindforge.dev/v1': 'ResourceDefinition' }[format] ?? 'CustomResourceDefinition';
      const named = (kind: string): readonly ResourceModule[] =>
        modules(
          definition([{ name: 'v1', fields: ['size'] }], { kind })
            .replace('kindforge.dev/v1', format)
            .replace('ResourceDefinition', kindOf),
        );
      const first = await serve(named('Widget'), { lmdb });
      await create(first, 'one', { size: 'large' });
      await create(first, 'two', { size: 'small' });
      await first.stop();

      const server = await serve(named('Ornament'), { lmdb });
      const { items } = await widgetsOf(server).list();
      expect(items.map(({ metadata, spec }) => [metadata.name, spec?.size])).toEqual([
        ['one', 'large'],
        ['two', 'small'],
      ]);
      expect(await widgetsOf(server).get('one')).toMatchObject({ kind: 'Ornament', spec: { size: 'large' } });
      const events = widgetsOf(server).watch({ resourceVersion: '0' });
      expect((await events.next()).value).toMatchObject({ type: 'ADDED', object: { kind: 'Ornament' } });
      await events.return(undefined);
      const changed = await widgetsOf(server).patch('two', { spec: { size: 'large' } });
      expect(changed).toMatchObject({ kind: 'Ornament', metadata: { name: 'two' }, spec: { size: 'large' } });
    },
  );

  it.each([
    ['Namespaced', 'Cluster'],
    ['Cluster', 'Namespaced'],
  ])('refuse to start with objects of scope %s once their kind has scope %s', async (before, after) => {
    const lmdb = mkdtempSync(join(tmpdir(), 'kindforge-replace-'));
    folders.push(lmdb);
    const scoped = (scope: string): readonly ResourceModule[] =>
      modules(definition([{ name: 'v1', fields: ['size'] }], { scope }));
    const first = await serve(scoped(before), { lmdb });
    const path = before === 'Cluster' ? '' : '/namespaces/default';
    const made = await first.client().transport?.send({
      method: 'POST',
      path: `/apis/shop.example.com/v1${path}/widgets`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name: 'one' } }),
    });
    expect(made?.status).toBe(201);
    await first.stop();
    await expect(serve(scoped(after), { lmdb })).rejects.toThrow(
      `stored there are 1 object of widgets.shop.example.com with scope ${before}, which the definitions do not have; give`,
    );
    const again = await serve(scoped(before), { lmdb });
    expect(again.store.count('shop.example.com/widgets/')).toBe(1);
  });
});
