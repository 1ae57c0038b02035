/** The server that the examples beside this file mount: widgets in memory, for Anna of the team `front`. */
import { randomBytes } from 'node:crypto';
import { loadDefinitions, modulesOf } from 'kindforge/generator';
import { kubernetesNaming } from 'kindforge/objects';
import { type ApiServer, attributeReader, createServer, type DefineRoutes } from 'kindforge/runtime';
import { memoryBackend, openStore } from 'kindforge/storage';
import { definePasswords, passwordLine } from '../authentication/passwords.js';
import { defineTeams } from '../authorization/teams.js';

export async function createShop(routes?: DefineRoutes): Promise<ApiServer> {
  const anna = await passwordLine('anna', 'secret', randomBytes(16), 'team-front');
  const modules = modulesOf(loadDefinitions('examples/shop/schemas').model);
  return createServer({
    modules,
    naming: kubernetesNaming,
    store: await openStore({ backend: memoryBackend(), readAttributes: attributeReader(modules, kubernetesNaming) }),
    authenticators: [definePasswords(anna)],
    authorizer: defineTeams({ prefix: 'team-' }),
    productVersion: '1.0.0',
    ...(routes === undefined ? {} : { routes }),
    onDefect: (error) => console.error(error),
  });
}

/** The port to listen on: the first argument, or 8080. */
export const port = Number(process.argv[2] ?? 8080);
