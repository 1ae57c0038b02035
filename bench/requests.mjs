/** Sends requests to servers: over HTTP to servers of a build, and without a connection to servers in this process. */
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';

export const configMaps = '/api/v1/namespaces/default/configmaps';

const agents = {
  'http:': new http.Agent({ keepAlive: true, maxSockets: 48 }),
  'https:': new https.Agent({ keepAlive: true, rejectUnauthorized: false }),
};

/** Sends a request. Resolves to the code and the text of its answer, and its duration. */
export async function ask(url, { method = 'GET', object, headers = {} } = {}) {
  const { protocol } = new URL(url);
  const body = object === undefined ? '' : JSON.stringify(object);
  const began = performance.now();
  const call = (protocol === 'https:' ? https : http).request(url, {
    agent: agents[protocol],
    method,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
  });
  const [response] = await once(call.end(body), 'response');
  const chunks = [];
  for await (const chunk of response) chunks.push(chunk);
  return { code: response.statusCode, text: Buffer.concat(chunks).toString(), ms: performance.now() - began };
}

export async function create(url, object, headers) {
  const { code, text } = await ask(url, { method: 'POST', object, headers });
  if (code !== 201) throw new Error(`create answered ${code}: ${text}`);
  return JSON.parse(text);
}

/** Runs a job for the numbers from 0 on, several at a time. */
export async function inParallel(count, writers, job) {
  let next = 0;
  const write = async () => {
    while (next < count) await job(next++);
  };
  await Promise.all(Array.from({ length: writers }, write));
}

/** Resolves once an address answers 200, such as /readyz of a server. */
export async function untilOk(address) {
  for (;;) {
    const { code } = await ask(address).catch(() => ({ code: 0 }));
    if (code === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Starts a server in this process, from the sources of a checkout, in memory; everyone is an administrator. */
export async function startInProcess({ load }, options = {}) {
  const { startServer } = await load('server/index.ts');
  return startServer({
    naming: 'kubernetes',
    storage: 'memory',
    http: { port: 'auto' },
    authentication: { anonymous: 'administrator' },
    controllers: [],
    onProblem() {},
    ...options,
  });
}

const patchTypes = { PATCH: 'application/merge-patch+json', APPLY: 'application/apply-patch+yaml' };

/** Sends an object to a server in this process. The method `APPLY` is a patch of that kind. */
export async function send(server, method, path, object) {
  const sent = typeof object === 'string' ? Buffer.from(object) : Buffer.from(JSON.stringify(object));
  const answer = await server.handle({
    method: method === 'APPLY' ? 'PATCH' : method,
    path,
    search: method === 'APPLY' ? 'fieldManager=bench' : '',
    headers: { 'content-type': patchTypes[method] ?? 'application/json' },
    readBody: async () => ({ ok: true, value: sent }),
  });
  if (answer.code >= 300) throw new Error(`${method} ${path} answered ${answer.code}: ${String(answer.body)}`);
}
