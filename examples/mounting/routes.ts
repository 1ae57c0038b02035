/** Puts routes beside the API: `npx tsx examples/mounting/routes.ts [port]`. */
import { startServer } from 'kindforge/server';
import { port, shopOptions } from './shop.js';

const { url } = await startServer({
  ...shopOptions,
  http: { port },
  routes: (app) => {
    app.get('/whoami', (event) => `${event.context.user?.name}\n`);
    app.post('/orders/:widget', (event) => `ordered ${event.context.params?.widget}\n`);
  },
});
console.log(`listening on ${url}`);
