/** Serves widgets that belong to their buyers, while the stock lasts: `npx tsx examples/admission/serve.ts [port]`. */
import { startServer } from 'kindforge/server';
import { defineOwnership } from './ownership.js';
import { defineStock } from './stock.js';

const { url } = await startServer({
  naming: 'kubernetes',
  schemas: 'examples/shop/schemas',
  kinds: [],
  http: { port: Number(process.argv[2] ?? 8080) },
  authentication: { tokenFile: 'examples/admission/tokens.csv' },
  authorization: { modes: ['AlwaysAllow'] },
  admission: {
    plugins: [defineOwnership(), defineStock()],
    configurationFile: 'examples/admission/admission.yaml',
  },
});
console.log(`listening on ${url}`);
