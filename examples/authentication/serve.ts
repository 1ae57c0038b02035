/** Serves widgets to users with a password: `npx tsx examples/authentication/serve.ts PASSWORD_FILE [port]`. */
import { readFileSync } from 'node:fs';
import { startServer } from 'kindforge/server';
import { definePasswords } from './passwords.js';

const [file = 'passwords', port = '8080'] = process.argv.slice(2);
const { url } = await startServer({
  naming: 'kubernetes',
  schemas: 'examples/shop/schemas',
  kinds: [],
  http: { port: Number(port) },
  authentication: { authenticators: [definePasswords(readFileSync(file, 'utf8'))] },
  authorization: { modes: ['AlwaysAllow'] },
});
console.log(`listening on ${url}`);
