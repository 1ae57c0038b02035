/** Shows users of a test server how to reach it. */
import { inProcessTransport } from '../client/in-process.js';
import { type ClientOptions, createResourceClient } from '../client/index.js';
import type { UserInfo } from '../runtime/contract/index.js';
import type { ListeningServer } from '../server/index.js';
import { kubeconfigFor } from './kubeconfig.js';
import type { TemporaryFiles } from './temporary-files.js';
import type { TestUser } from './test-server.js';
import type { TestUsers } from './users.js';

/** How requests of a user reach a server in the same process; `agent` is the name of the client. */
export type Connect = (user: UserInfo, agent?: string) => ClientOptions;

export const connectBy =
  (handle: ListeningServer['handle'], users: TestUsers): Connect =>
  (user, agent = 'kindforge-test') => ({
    transport: inProcessTransport(handle, { authorization: `Bearer ${users.tokenOf(user)}`, 'user-agent': agent }),
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
