/** A webhook that lets Wanda do everything in the namespace `shop`: `npx tsx examples/authorization/webhook.ts [port]`. */
import { createServer } from 'node:http';

const [port = '9444'] = process.argv.slice(2);

createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const { apiVersion, spec } = JSON.parse(text);
  const { user, resourceAttributes: asked } = spec;
  const status =
    user === 'wanda' && asked?.namespace === 'shop'
      ? { allowed: true, reason: 'the shop is hers' }
      : { allowed: false, denied: asked?.resource === 'secrets' };
  response.end(JSON.stringify({ apiVersion, kind: 'SubjectAccessReview', status }));
}).listen(Number(port), '127.0.0.1');
