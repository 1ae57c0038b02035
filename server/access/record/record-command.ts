/** The job of `kindforge access record`: runs a command, and finds the smallest roles that let it do what it did. */
import { discoverVersions } from '../../../client/index.js';
import { connectionOf, withoutPlugin } from '../../../client/connection/kubeconfig.js';
import { kubeconfigPaths, readKubeconfigs } from '../../../client/node/kubeconfig-files.js';
import type { AccessAttributes } from '../../../runtime/contract/index.js';
import { dns1123Label } from '../../../runtime/objects/names/dns-names.js';
import { askedBy } from '../../../runtime/server/index.js';
import { reachedBy, type WebhookConnection } from '../../webhooks/webhook-file.js';
import { connectTo, type ServerChoice } from '../connection.js';
import { defineEveryone } from './everyone.js';
import { startProxy } from './recording-proxy.js';
import { smallestRules } from './rights.js';
import { roleText } from './role-text.js';
import { runCommand } from './run-command.js';

export interface RecordOptions {
  readonly server: ServerChoice;
  readonly command: readonly string[];
  /** Of the roles. */
  readonly name: string;
  /** The namespace that the command is about where it names none; that of the context where absent. */
  readonly namespace?: string | undefined;
}

export interface Recorded {
  /** The exit code of the command. */
  readonly code: number;
  /** Roles in YAML; empty where none are needed. */
  readonly text: string;
  readonly remarks: readonly string[];
}

/** Rejects where the server cannot be reached. */
export async function recordCommand({ server, command, name, namespace }: RecordOptions): Promise<Recorded> {
  const connection = connectTo(server);
  const versions = await discoverVersions(connection.client);
  const groupOf = (prefix: string, usual: string): string =>
    versions.find(({ group }) => group.startsWith(prefix))?.group ?? usual;
  const authentication = groupOf('authentication.', 'authentication.k8s.io');
  const asked = new Map<string, AccessAttributes>();
  let others = 0;
  const proxy = await startProxy(upstreamOf(server), (seen) => {
    const rights = askedBy(seen, authentication);
    for (const right of rights) asked.set(JSON.stringify(right), right);
    if (rights.some(({ verb }) => verb === 'impersonate')) others++;
  });
  try {
    const place = namespace ?? connection.namespace;
    const { code, remark } = await runCommand(command, kubeconfigOf(proxy, place));
    const isForEveryone = defineEveryone();
    const scopes = smallestRules([...asked.values()].filter((one) => isPossible(one) && !isForEveryone(one)));
    const remarks = [
      ...(remark === undefined ? [] : [remark]),
      ...(scopes.length === 0 ? ['the command asked the server for nothing that needs a role'] : []),
      ...(others === 0 ? [] : [`${others} requests were made as somebody else, whose rights are not among these`]),
    ];
    return { code, text: roleText(scopes, name, groupOf('rbac.authorization.', 'rbac.authorization.k8s.io')), remarks };
  } finally {
    await proxy.close();
  }
}

/** Paths may name namespaces that there cannot be. */
const isPossible = (asked: AccessAttributes): boolean =>
  'path' in asked || !asked.namespace || dns1123Label(asked.namespace).length === 0;

function upstreamOf({ server, kubeconfig, context }: ServerChoice): WebhookConnection {
  if (server !== undefined) return reachedBy({ baseUrl: server, tls: { insecure: false } }, '.');
  const paths = kubeconfigPaths(kubeconfig);
  const { config } = readKubeconfigs(paths);
  return reachedBy(withoutPlugin(connectionOf(config, context)), paths[0] ?? '');
}

const kubeconfigOf = (
  { url, ca, token }: { readonly url: string; readonly ca: string; readonly token: string },
  namespace: string,
): object => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [
    {
      name: 'record',
      cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') },
    },
  ],
  users: [{ name: 'record', user: { token } }],
  contexts: [{ name: 'record', context: { cluster: 'record', user: 'record', namespace } }],
  'current-context': 'record',
});
