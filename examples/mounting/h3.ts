/** Mounts the API in an app of h3: `npx tsx examples/mounting/h3.ts [port]`. */
import { H3, serve, withBase } from 'h3';
import { startServer } from 'kindforge/server';
import { port, shopOptions } from './shop.js';

const shop = await startServer({ ...shopOptions, http: false });

const app = new H3();
app.get('/', () => 'The API is below /shop.\n');
app.all('/shop/**', withBase('/shop', shop));

await serve(app, { port, hostname: '127.0.0.1', silent: true }).ready();
console.log(`listening on http://127.0.0.1:${port}`);
