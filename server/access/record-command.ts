/** Runs a command for `kindforge access record`, and finds the smallest roles with which it can do the same again. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { connectionOf, withoutPlugin } from '../../client/connection/kubeconfig.js';
import { discoverVersions } from '../../client/index.js';
import { kubeconfigPaths, readKubeconfigs } from '../../client/node/kubeconfig-files.js';
import { type PolicyRule, RuleTable } from '../../plugins/index.js';
import type { AccessAttributes } from '../../runtime/contract/index.js';
import { dns1123Label } from '../../runtime/objects/names/name-checks.js';
import { kubernetesNaming, platformNaming } from '../../runtime/objects/names/naming.js';
import { emulate } from '../../runtime/objects/release.js';
import { askedBy } from '../../runtime/server/index.js';
import { rulesOfSystemRole } from '../bootstrap/index.js';
import { reachedBy, type WebhookConnection } from '../webhooks/webhook-file.js';
import { connectTo, type ServerChoice } from './connect.js';
import { startProxy } from './recording-proxy.js';
import { type ScopedRules, smallestRules } from './rights.js';

export interface RecordOptions {
  readonly server: ServerChoice;
  readonly command: readonly string[];
  /** The name of the roles. */
  readonly name: string;
  /** The namespace of a command without one; by default the namespace of the context. */
  readonly namespace?: string | undefined;
}

export interface Recorded {
  /** The exit code of the command. */
  readonly code: number;
  /** Roles in YAML; empty if the command needs none. */
  readonly text: string;
  readonly remarks: readonly string[];
}

/** Runs the command. Rejects if the server cannot be reached. */
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
      ...(others === 0
        ? []
        : [`${others} some requests impersonated another user; these roles do not have that user's rights`]),
    ];
    return { code, text: roleText(scopes, name, groupOf('rbac.authorization.', 'rbac.authorization.k8s.io')), remarks };
  } finally {
    await proxy.close();
  }
}

/** Returns whether a role can grant this: the path of a request may have a namespace that cannot exist. */
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

/** The roles of every authenticated user. */
const roles = ['system:basic-user', 'system:discovery', 'system:public-info-viewer'];

/** Returns a function that reports whether every authenticated user may do a thing, under either naming. */
export function defineEveryone(): (asked: AccessAttributes) => boolean {
  const table = new RuleTable<true>();
  for (const naming of [platformNaming, kubernetesNaming]) {
    for (const rule of roles.flatMap((role) => rulesOfSystemRole(role, naming, emulate()))) table.add(rule, true);
  }
  return (asked) => ('path' in asked ? table.ofPath(asked.verb, asked.path) : table.ofResource(asked)) === true;
}

/** Prints roles as YAML, or nothing if no role is needed; `group` is the API group of roles on the server. */
export const roleText = (scopes: readonly ScopedRules[], name: string, group: string): string =>
  scopes.map((scope) => documentOf(scope, name, group)).join('---\n');

function documentOf({ namespace, rules }: ScopedRules, name: string, group: string): string {
  const isCluster = namespace === '';
  const bind = isCluster
    ? `kubectl create clusterrolebinding ${name} --clusterrole ${name} --user <user>`
    : `kubectl create rolebinding ${name} --role ${name} --user <user> --namespace ${namespace}`;
  const object = {
    apiVersion: `${group}/v1`,
    kind: isCluster ? 'ClusterRole' : 'Role',
    metadata: isCluster ? { name } : { name, namespace },
    rules: rules.map(fieldsOf),
  };
  return `# To grant it:\n#   ${bind}\n${dump(object, { lineWidth: 120, flowLevel: 3 })}`;
}

/** Returns a rule without its empty fields. */
function fieldsOf({ apiGroups, resources, resourceNames, nonResourceURLs, verbs }: PolicyRule): object {
  if (nonResourceURLs.length > 0) return { nonResourceURLs, verbs };
  return { apiGroups, resources, ...(resourceNames.length === 0 ? {} : { resourceNames }), verbs };
}

/** The exit codes of shells. */
const [cannotRun, notFound, bySignal] = [126, 127, 128];

/** The exit code of a command, with a remark if it did not run. */
interface CommandEnd {
  readonly code: number;
  readonly remark?: string;
}

/** Runs a command with the input and output of this process. Passes on signals to the command. */
async function runCommand([program = '', ...args]: readonly string[], kubeconfig: object): Promise<CommandEnd> {
  const folder = mkdtempSync(join(tmpdir(), 'kindforge-record-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const path = join(folder, 'config');
    writeFileSync(path, JSON.stringify(kubeconfig), { mode: 0o600, flag: 'wx' });
    const cache = { KUBECACHEDIR: join(folder, 'cache') };
    return await ended(program, args, { ...cache, ...process.env, KUBECONFIG: path });
  } finally {
    remove();
    process.removeListener('exit', remove);
  }
}

function ended(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandEnd> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'inherit', env });
    const pass = (signal: NodeJS.Signals): void => {
      // A terminal sends this signal to the command itself.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, pass);
    const done = (end: CommandEnd): void => {
      for (const signal of signals) process.removeListener(signal, pass);
      resolve(end);
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      const code = error.code === 'ENOENT' ? notFound : cannotRun;
      done({ code, remark: `${program} cannot be run: ${error.message}` });
    });
    child.on('exit', (code, signal) => done({ code: code ?? bySignal + (signal ? constants.signals[signal] : 0) }));
  });
}
