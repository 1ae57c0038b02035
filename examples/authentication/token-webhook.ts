/** A webhook that accepts one token: `npx tsx examples/authentication/token-webhook.ts [port]`. */
import { createServer } from 'node:http';

const [port = '9446'] = process.argv.slice(2);
const user = { username: 'wanda', groups: ['shop:admins'] };

createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const { apiVersion, spec } = JSON.parse(text);
  const status = spec.token === 'a-token-of-wanda' ? { authenticated: true, user } : { authenticated: false };
  response.end(JSON.stringify({ apiVersion, kind: 'TokenReview', status }));
}).listen(Number(port), '127.0.0.1');
