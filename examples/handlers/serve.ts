/** Serves widgets with their handlers: `npx tsx examples/handlers/serve.ts [port]`. */
import { startServer } from 'kindforge/server';
import { widgets } from './widgets.js';

const { url } = await startServer({
  naming: 'kubernetes',
  schemas: 'examples/shop/schemas',
  kinds: [{ handlers: [widgets] }],
  http: { port: Number(process.argv[2] ?? 8080) },
  authentication: { anonymous: 'administrator' },
});
console.log(`listening on ${url}`);
