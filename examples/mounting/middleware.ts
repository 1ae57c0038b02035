/** Puts middleware before the API: `npx tsx examples/mounting/middleware.ts [port]`. */
import { HTTPError } from 'h3';
import { startServer } from 'kindforge/server';
import { port, shopOptions } from './shop.js';

const { url } = await startServer({
  ...shopOptions,
  http: { port },
  routes: (app) => {
    app.use((event) => {
      event.res.headers.set('x-user', event.context.user?.name ?? '');
    });
    app.use('/apis/**', ({ req }) => {
      if (req.method === 'DELETE') throw new HTTPError({ status: 403, message: 'nothing is deleted on Fridays' });
    });
    app.use(async (event, next) => {
      const began = performance.now();
      const answer = await next();
      console.error(`${event.req.method} ${event.url.pathname} took ${performance.now() - began} ms`);
      return answer;
    });
  },
});
console.log(`listening on ${url}`);
