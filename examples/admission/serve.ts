/** Serves widgets that belong to whoever ordered them: `npx tsx examples/admission/serve.ts [port]`. */
import { readFileSync } from 'node:fs';
import { loadDefinitions, modulesOf } from 'kindforge/generator';
import { kubernetesNaming } from 'kindforge/objects';
import { defineTokenFile } from 'kindforge/plugins';
import { attributeReader, createServer } from 'kindforge/runtime';
import { memoryBackend, openStore } from 'kindforge/storage';
import { defineOwnership } from './ownership.js';

const tokens = defineTokenFile(readFileSync('examples/admission/tokens.csv', 'utf8'));
if (!tokens.ok) throw new Error(tokens.problem);

const modules = modulesOf(loadDefinitions('examples/shop/schemas').model);
const store = await openStore({ backend: memoryBackend(), readAttributes: attributeReader(modules, kubernetesNaming) });
const server = createServer({
  modules,
  naming: kubernetesNaming,
  store,
  authenticators: [tokens.authenticator],
  plugins: [defineOwnership({ admins: 'shop:admins' })],
  productVersion: '1.0.0',
  onDefect: (error) => console.error(error),
});
const { url } = await server.listen({ host: '127.0.0.1', port: Number(process.argv[2] ?? 8080) });
console.log(`listening on ${url}`);
