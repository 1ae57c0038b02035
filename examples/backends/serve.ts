/** Serves widgets that are kept in a file: `npx tsx examples/backends/serve.ts FILE [port]`. */
import { loadDefinitions, modulesOf } from 'kindforge/generator';
import { kubernetesNaming } from 'kindforge/objects';
import { attributeReader, createServer } from 'kindforge/runtime';
import { openStore } from 'kindforge/storage';
import { defineJsonLines } from './json-lines.js';

const [file = 'widgets.jsonl', port = '8080'] = process.argv.slice(2);
const modules = modulesOf(loadDefinitions('examples/shop/schemas').model);
const readAttributes = attributeReader(modules, kubernetesNaming);
const store = await openStore({ backend: defineJsonLines(file), readAttributes });
const server = createServer({
  modules,
  naming: kubernetesNaming,
  store,
  anonymous: { name: 'anyone', uid: '', groups: ['system:authenticated'], extra: {} },
  productVersion: '1.0.0',
  onDefect: (error) => console.error(error),
});
const listening = await server.listen({ host: '127.0.0.1', port: Number(port) });
console.log(`listening on ${listening.url}`);

process.once('SIGTERM', async () => {
  await listening.close();
  await store.close();
});
