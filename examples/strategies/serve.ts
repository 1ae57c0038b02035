/** Serves widgets with their strategy: `npx tsx examples/strategies/serve.ts [port]`. */
import { startServer } from 'kindforge/server';
import { defineWidgetStrategy } from './widget-strategy.js';

const { url } = await startServer({
  naming: 'kubernetes',
  schemas: 'examples/shop/schemas',
  kinds: [{ strategies: [defineWidgetStrategy()] }],
  http: { port: Number(process.argv[2] ?? 8080) },
  authentication: { anonymous: 'administrator' },
});
console.log(`listening on ${url}`);
