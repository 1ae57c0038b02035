/** Two servers in one process. The server behind has a kind of its own, and the server in front sends it requests. */
import { join } from 'node:path';
import { type ListeningServer, type StartOptions, startServer } from '../../server/index.js';
import { filesIn, scratchFolder } from './scratch-folder.js';

/** The kind of the server behind. */
const gadgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gadgets.behind.example.com }
spec:
  group: behind.example.com
  names: { plural: gadgets, kind: Gadget, shortNames: [gd], categories: [all] }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      additionalPrinterColumns: [{ name: Size, type: string, jsonPath: .spec.size }]
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              description: What it is to be.
              properties: { size: { type: string, enum: [small, large] } }
            status: { type: object, properties: { phase: { type: string } } }
`;

/** The users of the server in front. */
const users = `admin-token,admin,u-1,"system:masters"
jane-token,jane,u-2,"makers,testers"
eve-token,eve,u-3
`;

export interface Servers {
  readonly front: ListeningServer;
  /** The address of the server in front, without TLS. */
  readonly url: string;
  /** Starts the server behind, or starts it again on the same data and port. */
  startBehind(): Promise<ListeningServer>;
  /** Writes an object as the administrator of the server in front. */
  write(path: string, object: object, method?: string): Promise<Response>;
  /** Sends a request to the server in front. */
  ask(path: string, token: string, init?: RequestInit): Promise<Response>;
  /** Registers the server behind. */
  register(change?: object): Promise<void>;
  /** Waits until the condition Available of an APIService has a reason, and returns its message. */
  available(reason: string, name?: string): Promise<string>;
  stop(): Promise<void>;
}

export const servicePath = '/apis/apiregistration.k8s.io/v1/apiservices';
export const gadgetsPath = '/apis/behind.example.com/v1/namespaces/default/gadgets';
const serviceName = 'v1.behind.example.com';

export async function startServers(options: Partial<StartOptions> = {}): Promise<Servers> {
  const folder = scratchFolder();
  const file = filesIn(folder);
  file('gadgets.yaml', gadgets);
  const front = await startServer({
    naming: 'kubernetes',
    authentication: { tokenFile: file('users.csv', users) },
    ...options,
    tls: {},
  });
  const { plainUrl: url = '' } = front;
  let behind: ListeningServer | undefined;
  let port: number | 'auto' = 'auto';
  const ask: Servers['ask'] = (path, token, init = {}) =>
    fetch(`${url}${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
  const write: Servers['write'] = (path, object, method = 'POST') =>
    ask(path, 'admin-token', {
      method,
      body: JSON.stringify(object),
      headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
    });
  const info = await (
    await ask('/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication', 'admin-token')
  ).json();
  const clientCaFile = file('front-proxy.crt', info.data['requestheader-client-ca-file']);
  return {
    front,
    url,
    ask,
    write,
    async startBehind() {
      await behind?.stop();
      behind = await startServer({
        naming: 'kubernetes',
        schemas: folder,
        storage: { lmdb: join(folder, 'behind') },
        http: false,
        tls: { port, names: ['api.shop.svc'] },
        authentication: {
          requestHeader: {
            clientCaFile,
            usernameHeaders: JSON.parse(info.data['requestheader-username-headers']),
            groupHeaders: JSON.parse(info.data['requestheader-group-headers']),
            extraHeadersPrefixes: JSON.parse(info.data['requestheader-extra-headers-prefix']),
            allowedNames: JSON.parse(info.data['requestheader-allowed-names']),
          },
        },
      });
      port = Number(new URL(behind.url).port);
      return behind;
    },
    async register(change = {}) {
      await write('/api/v1/namespaces', { metadata: { name: 'shop' } });
      await write('/api/v1/namespaces/shop/services', {
        metadata: { name: 'api' },
        spec: { type: 'ExternalName', externalName: 'localhost' },
      });
      const { clusters } = JSON.parse(behind?.kubeconfig ?? '{"clusters":[]}');
      await write(servicePath, {
        metadata: { name: serviceName },
        spec: {
          group: 'behind.example.com',
          version: 'v1',
          groupPriorityMinimum: 1500,
          versionPriority: 15,
          service: { namespace: 'shop', name: 'api', port },
          caBundle: clusters[0]?.cluster['certificate-authority-data'],
          ...change,
        },
      });
    },
    async available(reason, name = serviceName) {
      for (let tries = 0; ; tries++) {
        const object = await (await ask(`${servicePath}/${name}`, 'admin-token')).json();
        const [found] = object.status?.conditions ?? [];
        if (found?.reason === reason) return found.message;
        if (tries === 200) throw new Error(`${name} is ${JSON.stringify(object.status)}, and not ${reason}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async stop() {
      await behind?.stop();
      await front.stop();
    },
  };
}
