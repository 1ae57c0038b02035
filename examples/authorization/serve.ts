/** Serves widgets to teams. Each team has a namespace: `npx tsx examples/authorization/serve.ts [port]`. */
import { startServer } from 'kindforge/server';
import { defineTeams } from './teams.js';

const { url } = await startServer({
  naming: 'kubernetes',
  schemas: 'examples/shop/schemas',
  kinds: [],
  http: { port: Number(process.argv[2] ?? 8080) },
  authentication: { tokenFile: 'examples/authorization/tokens.csv' },
  authorization: { authorizer: defineTeams({ prefix: 'team:' }) },
});
console.log(`listening on ${url}`);
