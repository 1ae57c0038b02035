/**
 * Measures how long it takes until definitions of custom resources act: posts all those below a folder to a running
 * server, one after another or several at once, and waits until every one is established.
 *
 *   node bench/definitions.mjs --definitions FOLDER [--base http://127.0.0.1:8080] [--writers 4] [--token TOKEN]
 *
 * The server has to have none of them yet. Tells the time of the posts, the time until the last is established, and how
 * long the OpenAPI documents take that are built after that.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    definitions: { type: 'string' },
    base: { type: 'string', default: 'http://127.0.0.1:8080' },
    writers: { type: 'string', default: '4' },
    token: { type: 'string' },
  },
});
if (values.definitions === undefined) {
  console.error('say where definitions are: --definitions FOLDER');
  process.exit(2);
}
const folder = values.definitions;
const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.ya?ml$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));

const authorization = values.token === undefined ? {} : { authorization: `Bearer ${values.token}` };

/** The collection, whose group is called one way or another. */
async function collectionUrl() {
  const answer = await fetch(`${values.base}/apis`, { headers: authorization });
  const { groups } = await answer.json();
  const group = groups.find(({ name }) => name.startsWith('apiextensions.'));
  return `${values.base}/apis/${group.name}/v1/customresourcedefinitions`;
}

const collection = await collectionUrl();
const seconds = (from) => ((performance.now() - from) / 1000).toFixed(1);

async function post({ file, text }) {
  const headers = { 'content-type': 'application/yaml', ...authorization };
  const answer = await fetch(collection, { method: 'POST', body: text, headers });
  const body = await answer.json();
  if (answer.status !== 201) console.error(`${file}: ${answer.status} ${body.message}`);
  return answer.status === 201;
}

const established = ({ status }) =>
  status.conditions?.some(({ type, status: value }) => type === 'Established' && value === 'True');

const start = performance.now();
const waiting = [...texts];
let accepted = 0;
await Promise.all(
  Array.from({ length: Number(values.writers) }, async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) if (await post(next)) accepted++;
  }),
);
console.log(`${accepted} of ${texts.length} definitions posted in ${seconds(start)} s`);

for (;;) {
  const { items } = await (await fetch(collection, { headers: authorization })).json();
  const done = items.filter(established).length;
  if (done >= accepted || performance.now() - start > 300_000) {
    console.log(`${done} established ${seconds(start)} s after the first post`);
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
}

for (const path of ['/openapi/v3', '/openapi/v2', '/apis']) {
  for (const when of ['first', 'again']) {
    const from = performance.now();
    const bytes = (await (await fetch(values.base + path, { headers: authorization })).arrayBuffer()).byteLength;
    console.log(`${path} ${when}: ${bytes} bytes in ${Math.round(performance.now() - from)} ms`);
  }
}
