/** Serves widgets to users with a password: `npx tsx examples/authentication/serve.ts PASSWORD_FILE [port]`. */
import { readFileSync } from 'node:fs';
import { loadDefinitions, modulesOf } from 'kindforge/generator';
import { kubernetesNaming } from 'kindforge/objects';
import { attributeReader, createServer } from 'kindforge/runtime';
import { memoryBackend, openStore } from 'kindforge/storage';
import { definePasswords } from './passwords.js';

const [file = 'passwords', port = '8080'] = process.argv.slice(2);
const modules = modulesOf(loadDefinitions('examples/shop/schemas').model);
const store = await openStore({ backend: memoryBackend(), readAttributes: attributeReader(modules, kubernetesNaming) });
const server = createServer({
  modules,
  naming: kubernetesNaming,
  store,
  authenticators: [definePasswords(readFileSync(file, 'utf8'))],
  productVersion: '1.0.0',
  onDefect: (error) => console.error(error),
});
const { url } = await server.listen({ host: '127.0.0.1', port: Number(port) });
console.log(`listening on ${url}`);
