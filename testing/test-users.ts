/** Connects users to a test server. */
import { inProcessTransport } from '../client/in-process.js';
import { type ClientOptions, ConnectionError, createResourceClient, type Transport } from '../client/index.js';
import type { UserInfo } from '../runtime/contract/index.js';
import type { ListeningServer } from '../server/index.js';
import type { TemporaryFiles } from './temporary-files.js';
import type { TestUser } from './test-server.js';
import type { TestUsers } from './users.js';

/** Returns how a user reaches a server in the same process. `agent` is the name of the client. */
export type Connect = (user: UserInfo, agent?: string) => ClientOptions;

export interface Connection {
  /** The server's `enter`, or its `handle`. */
  readonly handle: ListeningServer['handle'];
  readonly users: TestUsers;
  readonly naming: NonNullable<ClientOptions['naming']>;
  /** Aborted when the server is disposed of. All later requests fail. */
  readonly ended: AbortSignal;
}

export const connectBy =
  ({ handle, users, naming, ended }: Connection): Connect =>
  (user, agent = 'kindforge-test') => ({
    transport: openUntil(
      ended,
      inProcessTransport(handle, { authorization: `Bearer ${users.tokenOf(user)}`, 'user-agent': agent }),
    ),
    naming,
  });

/** Makes an error with the code of an unreachable server, so that clients do not retry at once. */
const disposedOf = (): Error => Object.assign(new Error('it has been disposed of'), { code: 'ECONNREFUSED' });

const openUntil = (ended: AbortSignal, transport: Transport): Transport => ({
  async send(request) {
    if (ended.aborted) throw new ConnectionError('no answer from the test server', disposedOf());
    return transport.send(request);
  },
});

export interface UserSurroundings {
  readonly server: ListeningServer;
  readonly users: TestUsers;
  readonly files: TemporaryFiles;
  readonly connect: Connect;
}

export function testUserOf({ server, users, files, connect }: UserSurroundings, user: UserInfo): TestUser {
  const token = users.tokenOf(user);
  const kubeconfig = kubeconfigFor(server.kubeconfig, user.name, token);
  const client = connect(user);
  let path: string | undefined;
  return {
    user,
    client,
    token,
    kubeconfig,
    kubeconfigFile: () => {
      path ??= files.write(kubeconfig);
      return path;
    },
    resource: (descriptor) => createResourceClient(descriptor, client),
  };
}

interface Kubeconfig {
  readonly clusters: readonly { readonly name: string; readonly cluster: { readonly server: string } }[];
  readonly contexts: readonly { readonly context: { readonly user: string } }[];
}

/** Returns a kubeconfig. kubectl sends tokens over TLS only; over plain HTTP it sends the password in the address. */
function kubeconfigFor(administrators: string, user: string, token: string): string {
  const config: Kubeconfig = JSON.parse(administrators);
  const text = JSON.stringify(
    {
      ...config,
      clusters: config.clusters.map(({ name, cluster }) => ({
        name,
        cluster: { ...cluster, server: withToken(cluster.server, token) },
      })),
      users: [{ name: user, user: { token } }],
      contexts: config.contexts.map(({ context, ...rest }) => ({ ...rest, context: { ...context, user } })),
    },
    undefined,
    2,
  );
  return `${text}\n`;
}

function withToken(server: string, token: string): string {
  const url = new URL(server);
  if (url.protocol === 'http:') {
    url.username = 'user';
    url.password = token;
  }
  return url.href.replace(/\/$/, '');
}
