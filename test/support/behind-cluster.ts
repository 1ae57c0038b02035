/** A cluster, and a server behind its aggregation layer, as `kindforge aggregate` sets them up. */
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { partsOf } from '../../client/create-client.js';
import { dynamicClient } from '../../client/index.js';
import { requestObject } from '../../client/requests.js';
import type { JsonObject } from '../../runtime/contract/index.js';
import { getOwn, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { printAggregated } from '../../server/aggregated/print-manifests.js';
import { type ListeningServer, type RequestRecord, type StartOptions, startServer } from '../../server/index.js';
import type { IssuedPair, TestAuthority } from './certificate-authority.js';

export const trustMap = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';

/** A cluster with a record of the requests that it has answered. */
export interface TestCluster {
  readonly server: ListeningServer;
  readonly requests: RequestRecord[];
  /** The authority of the cluster's own proxy, in PEM; empty without a proxy. */
  readonly ownProxies: string;
  send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<JsonObject>;
  /** The printed objects, once `install` has applied them. */
  readonly manifests: string;
  /** Writes a kubeconfig of a service account, with a new token. */
  kubeconfigOf(namespace: string, account: string): Promise<string>;
}

/** Starts the cluster, names the authorities of its proxies and clients, and applies what `kindforge aggregate` prints. */
export async function startCluster(
  folder: string,
  { proxies, clients }: { readonly proxies: TestAuthority; readonly clients: TestAuthority },
  options: Pick<StartOptions, 'admission'> = {},
): Promise<TestCluster> {
  const requests: RequestRecord[] = [];
  const server = await startServer({
    naming: 'kubernetes',
    tls: {},
    http: false,
    authentication: { anonymous: 'anonymous' },
    onRequest: (record) => requests.push(record),
    ...options,
  });
  const requester = partsOf(server.client());
  const send: TestCluster['send'] = (method, path, body) =>
    requestObject(requester, {
      method,
      path,
      ...(body === undefined ? {} : { body }),
      ...(method === 'PATCH' ? { contentType: 'application/merge-patch+json' } : {}),
    });
  const own = await send('GET', trustMap).catch(() => ({}));
  const ownProxies = stringAt(objectAt(own, 'data'), 'requestheader-client-ca-file');
  await dynamicClient(server.client()).apply(
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'extension-apiserver-authentication', namespace: 'kube-system' },
      data: trustData(ownProxies + proxies.cert, clients.cert),
    },
    { fieldManager: 'test', force: true },
  );
  const manifests = await printAggregated({
    ...{ schemas: 'examples/shop/schemas', name: 'shop', namespace: 'shop', withNamespace: true },
    ...{ image: 'shop:1.0', authorityFile: undefined },
  });
  await dynamicClient(server.client()).applyAll(manifests, { fieldManager: 'test' });
  return {
    server,
    ownProxies,
    requests,
    send,
    manifests,
    async kubeconfigOf(namespace, account) {
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
      const token = stringAt(objectAt(await send('POST', path, {}), 'status'), 'token');
      const file = join(folder, `${account}.kubeconfig`);
      const [admin] = loadAll(server.kubeconfig);
      writeFileSync(file, JSON.stringify({ ...(isObject(admin) ? admin : {}), users: usersWith(admin, token) }));
      return file;
    },
  };
}

/** Replaces the credentials of the users in a kubeconfig by a token. */
function usersWith(config: unknown, token: string): readonly unknown[] {
  const users = isObject(config) ? getOwn(config, 'users') : undefined;
  return Array.isArray(users) ? users.map((user) => ({ ...(isObject(user) ? user : {}), user: { token } })) : [];
}

export const trustData = (proxies: string, clients: string, names: readonly string[] = ['front-proxy-client']) => ({
  'client-ca-file': clients,
  'requestheader-client-ca-file': proxies,
  'requestheader-allowed-names': JSON.stringify(names),
  'requestheader-username-headers': '["X-Remote-User"]',
  'requestheader-group-headers': '["X-Remote-Group"]',
  'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
});

/** Starts the server behind the cluster, with the certificate of the printed Secret. */
export function startBehind(cluster: TestCluster, kubeconfig: string, port?: number): Promise<ListeningServer> {
  return startServer({
    naming: 'kubernetes',
    schemas: 'examples/shop/schemas',
    http: false,
    tls: { certificate: servingOf(cluster.manifests).pair, port: port ?? 'auto' },
    aggregated: { kubeconfig },
  });
}

/** Reads the serving certificate and its authority from printed objects. */
export function servingOf(manifests: string): { readonly pair: IssuedPair; readonly authority: string } {
  const objects = loadAll(manifests).filter(isObject);
  const of = (kind: string): JsonObject => objects.find((one) => one.kind === kind) ?? {};
  const decoded = (object: JsonObject | undefined, key: string): string =>
    Buffer.from(stringAt(object, key), 'base64').toString();
  const data = objectAt(of('Secret'), 'data');
  return {
    pair: { cert: decoded(data, 'tls.crt'), key: decoded(data, 'tls.key') },
    authority: decoded(objectAt(of('APIService'), 'spec'), 'caBundle'),
  };
}

/** An answer of the server behind the cluster. */
export interface BehindAnswer {
  readonly code: number;
  readonly text: string;
  readonly body: JsonObject;
}

/** The way to call the server: as a proxy or client with a certificate, or only with headers. */
export interface BehindCall {
  readonly method?: string;
  readonly body?: unknown;
  readonly pair?: IssuedPair | undefined;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** Returns a function that calls the server as the aggregation layer does: by the name of its Service. */
export function callBehind(url: string, manifests: string): (path: string, call?: BehindCall) => Promise<BehindAnswer> {
  const { authority } = servingOf(manifests);
  return (path, { method = 'GET', body, pair, headers = {} } = {}) =>
    new Promise((resolve, reject) => {
      const sent = request(
        `${url}${path}`,
        {
          ...{ method, ca: authority, servername: 'shop.shop.svc', agent: false },
          ...(pair ?? {}),
          headers: { 'content-type': 'application/json', ...headers },
        },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)));
          answer.on('end', () => {
            const read: unknown = text.startsWith('{') ? JSON.parse(text) : {};
            resolve({ code: answer.statusCode ?? 0, text, body: isObject(read) ? read : {} });
          });
        },
      );
      sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
}
