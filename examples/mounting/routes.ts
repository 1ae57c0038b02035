/** Puts routes beside the API: `npx tsx examples/mounting/routes.ts [port]`. */
import { createShop, port } from './shop.js';

const shop = await createShop((app) => {
  app.get('/whoami', (event) => `${event.context.user?.name}\n`);
  app.post('/orders/:widget', (event) => `ordered ${event.context.params?.widget}\n`);
});

const { url } = await shop.listen({ host: '127.0.0.1', port });
console.log(`listening on ${url}`);
