/** Serves widgets with their strategy: `npx tsx examples/strategies/serve.ts [port]`. */
import { loadDefinitions, modulesOf, printDiagnostic } from 'kindforge/generator';
import { kubernetesNaming } from 'kindforge/objects';
import { attributeReader, createServer } from 'kindforge/runtime';
import { memoryBackend, openStore } from 'kindforge/storage';
import { defineWidgetStrategy } from './widget-strategy.js';

const { model, diagnostics } = loadDefinitions('examples/shop/schemas');
for (const diagnostic of diagnostics) console.error(printDiagnostic(diagnostic));
const modules = modulesOf(model);
const strategies = [defineWidgetStrategy()];

const store = await openStore({
  backend: memoryBackend(),
  readAttributes: attributeReader(modules, kubernetesNaming, strategies),
});
const server = createServer({
  modules,
  naming: kubernetesNaming,
  store,
  strategies,
  anonymous: { name: 'anyone', uid: '', groups: ['system:authenticated'], extra: {} },
  productVersion: '1.0.0',
  onDefect: (error) => console.error(error),
});
const { url } = await server.listen({ host: '127.0.0.1', port: Number(process.argv[2] ?? 8080) });
console.log(`listening on ${url}`);
