/** Mounts the API in a server of Node: `npx tsx examples/mounting/node.ts [port]`. */
import { createServer } from 'node:http';
import { startServer } from 'kindforge/server';
import { port, shopOptions } from './shop.js';

const shop = await startServer({ ...shopOptions, http: false });
const api = shop.listenerUnder('/shop');

const server = createServer((request, response) => {
  if (request.url?.startsWith('/shop')) api(request, response);
  else response.end('The API is below /shop.\n');
});

server.listen(port, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}`));
