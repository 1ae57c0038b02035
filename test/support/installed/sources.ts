/** Files for a new project besides the files of `kindforge init`: a program, a page, a Node test, all entry points. */
import { manifest } from '../package-build.js';

/** Imports everything that the package exports. */
const doors = Object.keys(manifest.exports)
  .filter((name) => name !== './package.json')
  .map((name, i) => `export * as door${i} from '${name.replace('.', 'kindforge')}';\n`)
  .join('');

/** Reads the created objects over the network. */
const main = `
import type { coreV1 } from 'kindforge';
import { createClient } from '../generated/client.js';

const client = createClient({ baseUrl: process.env['SERVER'] ?? '' });
const none: coreV1.ConfigMap[] = [];
const end = AbortSignal.timeout(60_000);
for await (const { object } of client.shop.v1.widgets.in('default').watch({ signal: end })) {
  if (object.metadata.name !== 'door' || object.status?.made !== object.spec.count) continue;
  console.log(object.metadata.name, 'made', (object.status?.made ?? 0) + none.length);
  break;
}
`;

/** A test with the runner of Node. */
const test = `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInvalid } from 'kindforge/client';
import { useTestServer } from 'kindforge/testing';
import { createClient } from '../generated/client.js';

const server = useTestServer({ project: false, definitions: 'schemas' });

test('an order is checked', async () => {
  const widgets = createClient(server().client).shop.v1.widgets.in('default');
  await assert.rejects(widgets.create({ metadata: { name: 'a' }, spec: { size: 'small', count: -1 } }), isInvalid);
  assert.equal((await widgets.create({ metadata: { name: 'a' }, spec: { size: 'small' } })).spec.count, 1);
});
`;

/** A page for browsers. The address of the page names the server. */
const page = `
import { createClient } from './generated/client.js';

const baseUrl = new URLSearchParams(location.search).get('server') ?? '';
const { items } = await createClient({ baseUrl }).shop.v1.widgets.in('default').list();
document.body.textContent = items.map(({ metadata, spec }) => \`\${metadata.name}: \${spec.size}\`).join();
document.title = 'done';
`;

/** The same for runtimes without Node's modules: imports only the client, by the package's name. */
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

const include = ['kindforge.config.ts', 'src', 'generated', 'more'];

/** The texts of all files, by name. */
export const sources: Readonly<Record<string, string>> = {
  'more/doors.ts': doors,
  'more/main.ts': main,
  'more/by-node.ts': test,
  'page.ts': page,
  'anywhere.mjs': anywhere,
  'index.html': '<!doctype html><body></body><script type="module" src="./page.ts"></script>',
  'order.yaml':
    'apiVersion: shop.example.com/v1\nkind: Widget\nmetadata: { name: door }\nspec: { size: large, count: 3 }\n',
  'tsconfig.strict.json': JSON.stringify({
    compilerOptions: { ...strict, module: 'NodeNext', moduleResolution: 'NodeNext' },
    include,
  }),
  'tsconfig.bundler.json': JSON.stringify({
    compilerOptions: { ...strict, module: 'ESNext', moduleResolution: 'Bundler', noEmit: true },
    include: ['page.ts', ...include],
  }),
};
