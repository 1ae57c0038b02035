/** Mounts the verbs of one kind in an app of h3: `npx tsx examples/mounting/verbs.ts [port]`. */
import { H3, serve } from 'h3';
import { startServer } from 'kindforge/server';
import { widgetHandlers } from '../shop/generated/shop.example.com/v1/widgets/handlers.js';
import { port, shopOptions } from './shop.js';

const shop = await startServer({ ...shopOptions, http: false });
const widgets = widgetHandlers(shop, { namespace: 'front' });

const app = new H3();
app.use(async (event, next) => {
  const answer = await next();
  console.log(`${event.context.user?.name ?? 'nobody'}: ${event.req.method} ${event.url.pathname}`);
  return answer;
});
app.get('/widgets', widgets.list);
app.get('/widgets/:name', widgets.get);
app.put('/widgets/:name', widgets.apply);
app.get('/changes', widgets.watch);

await serve(app, { port, hostname: '127.0.0.1', silent: true }).ready();
console.log(`listening on http://127.0.0.1:${port}`);
