/** Serves widgets that are stored in a file: `npx tsx examples/backends/serve.ts FILE [port]`. */
import { startServer } from 'kindforge/server';
import { defineJsonLines } from './json-lines.js';

const [file = 'widgets.jsonl', port = '8080'] = process.argv.slice(2);
const server = await startServer({
  naming: 'kubernetes',
  schemas: 'examples/shop/schemas',
  kinds: [],
  storage: { backend: defineJsonLines(file) },
  http: { port: Number(port) },
  authentication: { anonymous: 'administrator' },
});
console.log(`listening on ${server.url}`);

process.once('SIGTERM', () => server.stop());
