/** Serves widgets to teams with a namespace each: `npx tsx examples/authorization/serve.ts [port]`. */
import { readFileSync } from 'node:fs';
import { loadDefinitions, modulesOf } from 'kindforge/generator';
import { kubernetesNaming } from 'kindforge/objects';
import { defineAdministrators, defineInOrder, defineTokenFile } from 'kindforge/plugins';
import { attributeReader, createServer } from 'kindforge/runtime';
import { memoryBackend, openStore } from 'kindforge/storage';
import { defineTeams } from './teams.js';

const tokens = defineTokenFile(readFileSync('examples/authorization/tokens.csv', 'utf8'));
if (!tokens.ok) throw new Error(tokens.problem);

const modules = modulesOf(loadDefinitions('examples/shop/schemas').model);
const store = await openStore({ backend: memoryBackend(), readAttributes: attributeReader(modules, kubernetesNaming) });
const server = createServer({
  modules,
  naming: kubernetesNaming,
  store,
  authenticators: [tokens.authenticator],
  authorizer: defineInOrder([defineAdministrators(), defineTeams({ prefix: 'team:' })]),
  productVersion: '1.0.0',
  onDefect: (error) => console.error(error),
});
const { url } = await server.listen({ host: '127.0.0.1', port: Number(process.argv[2] ?? 8080) });
console.log(`listening on ${url}`);
