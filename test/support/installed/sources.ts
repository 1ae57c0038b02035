/** The files of a project of somebody who has installed the package, by their names. */

const definition = `
apiVersion: kindforge.dev/v1
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
      subresources: { status: {} }
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              required: [size]
              properties:
                size: { type: string, enum: [small, large] }
                count: { type: integer, format: int32, minimum: 0, default: 1 }
            status:
              type: object
              properties:
                made: { type: integer, format: int32 }
`;

/** Makes what is ordered. */
const maker = `
import { defineController, watch } from 'kindforge/controllers';
import { createResourceClient } from 'kindforge/client';
import { widgets } from './generated/shop.example.com/v1/widgets/client.js';

export default defineController({
  name: 'maker',
  watches: [watch(widgets)],
  async reconcile(key, { client, cacheOf, signal }) {
    const order = cacheOf(widgets).get(key);
    if (order === undefined || order.status?.made === order.spec.count) return;
    const { name = '', namespace = '' } = order.metadata;
    const orders = createResourceClient(widgets, client).in(namespace).subresource('status');
    await orders.patch(name, { status: { made: order.spec.count ?? 0 } }, { signal });
  },
});
`;

/** Reads what was made, over the network. */
const main = `
import { createClient } from './generated/client.js';

const client = createClient({ baseUrl: process.env['SERVER'] ?? '' });
const end = AbortSignal.timeout(60_000);
for await (const { object } of client.shop.v1.widgets.in('default').watch({ signal: end })) {
  if (object.status?.made !== object.spec.count) continue;
  console.log(object.metadata.name, 'made', object.status?.made);
  break;
}
`;

/** A test with the runner of Node. */
const test = `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInvalid } from 'kindforge/client';
import { startServer } from 'kindforge/server';
import { createClient } from './generated/client.js';

test('an order is checked', async () => {
  const server = await startServer({
    schemas: 'schemas',
    storage: 'memory',
    http: { port: 'auto' },
    authentication: { anonymous: 'administrator' },
  });
  const widgets = createClient({ baseUrl: server.url }).shop.v1.widgets.in('default');
  await assert.rejects(widgets.create({ metadata: { name: 'a' }, spec: { size: 'small', count: -1 } }), isInvalid);
  assert.equal((await widgets.create({ metadata: { name: 'a' }, spec: { size: 'small' } })).spec.count, 1);
  await server.stop();
});
`;

/** A page for browsers: the server is the one that the address of the page names. */
const page = `
import { createClient } from './generated/client.js';

const baseUrl = new URLSearchParams(location.search).get('server') ?? '';
const { items } = await createClient({ baseUrl }).shop.v1.widgets.in('default').list();
document.body.textContent = items.map(({ metadata, spec }) => \`\${metadata.name}: \${spec.size}\`).join();
document.title = 'done';
`;

/** The same for runtimes that know no Node: nothing but the client, by the package's name. */
const anywhere = `
import { createClientFrom, defineResource } from 'kindforge/client';

const widgets = defineResource()({
  group: 'shop.example.com',
  version: 'v1',
  plural: 'widgets',
  kind: 'Widget',
  scope: 'Namespaced',
  subresources: ['status'],
});
const client = createClientFrom({ shop: { v1: { widgets } } }, { baseUrl: globalThis.Deno.args[0] });
const { items } = await client.shop.v1.widgets.in('default').list();
console.log(items.map(({ metadata }) => metadata.name).join());
`;

const strict = {
  target: 'ES2022',
  lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  outDir: 'out',
  rootDir: '.',
} as const;

const include = ['*.ts', 'generated'];

/** Names and texts. */
export const sources: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'shop', private: true, type: 'module' }),
  'schemas/widgets.yaml': definition,
  'maker.ts': maker,
  'main.ts': main,
  'widgets.test.ts': test,
  'page.ts': page,
  'anywhere.mjs': anywhere,
  'index.html': '<!doctype html><body></body><script type="module" src="./page.ts"></script>',
  'order.yaml':
    'apiVersion: shop.example.com/v1\nkind: Widget\nmetadata: { name: door }\nspec: { size: large, count: 3 }\n',
  'tsconfig.json': JSON.stringify({
    compilerOptions: { ...strict, module: 'NodeNext', moduleResolution: 'NodeNext', skipLibCheck: true },
    include,
  }),
  'tsconfig.bundler.json': JSON.stringify({
    compilerOptions: { ...strict, module: 'ESNext', moduleResolution: 'Bundler', noEmit: true },
    include: ['page.ts', 'generated/index.ts'],
  }),
};
