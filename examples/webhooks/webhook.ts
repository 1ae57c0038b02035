/** Two admission webhooks over TLS: `npx tsx examples/webhooks/webhook.ts <port> <certificate> <key>`. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const [port, cert = '', key = ''] = process.argv.slice(2);

/** Adds the label `team` to objects without it. */
function label({ object }: { object: { metadata: { labels?: Record<string, string> } } }): object {
  if (object.metadata.labels?.team) return { allowed: true };
  const labels = { ...object.metadata.labels, team: 'nobody' };
  const patch = [{ op: 'add', path: '/metadata/labels', value: labels }];
  return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
}

/** Refuses to delete marked objects. */
function keep({ oldObject }: { oldObject: { metadata: { labels?: Record<string, string> } } }): object {
  if (oldObject.metadata.labels?.keep !== 'yes') return { allowed: true };
  return { allowed: false, status: { code: 403, reason: 'Forbidden', message: 'it must be kept' } };
}

createServer({ cert: readFileSync(cert), key: readFileSync(key) }, async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const { apiVersion, kind, request: asked } = JSON.parse(text);
  const answer = request.url?.startsWith('/label') ? label(asked) : keep(asked);
  response.end(JSON.stringify({ apiVersion, kind, response: { uid: asked.uid, ...answer } }));
}).listen(Number(port), '127.0.0.1');
