/** Starts a server in the test's own process, from the same flags that the command takes. */
import type { ServeFlags } from '../../bin/commands/serve.js';
import { loadModules } from '../../bin/serve/load-modules.js';
import { type Running, startServer } from '../../bin/serve/run-serve.js';
import { readSettings } from '../../bin/serve/settings.js';

const defaults: ServeFlags = {
  host: '127.0.0.1',
  httpPort: '0',
  storage: 'memory',
  onDamage: 'refuse',
  historyWindow: '5m',
  historySize: '64Mi',
  naming: 'platform',
  authorizationMode: 'RBAC',
  serviceAccountIssuer: 'https://platform.local',
  serviceAccountKeyFile: [],
  featureGates: 'DynamicResourceAllocation=true',
  runtimeConfig: 'api/all=true',
  controllers: '*',
  serviceClusterIpRange: '10.0.0.0/16',
  serviceNodePortRange: '30000-32767',
};

/** Flags that a test replaces. */
export type ServingFlags = Partial<ServeFlags>;

/** A server on a free loopback port, in memory and with every built-in kind where the flags say nothing else. */
export async function startServing(flags: ServingFlags = {}): Promise<Running> {
  const settings = readSettings({ ...defaults, ...letIn(flags), ...flags });
  if (!settings.ok) throw new Error(settings.failure.message);
  const modules = await loadModules(settings.value.schemas);
  if (!modules.ok) throw new Error(modules.failure.message);
  return startServer(settings.value, modules.value);
}

/** Tests that say nothing about credentials need none. */
const letIn = ({ tokenAuthFile, anonymousAuth, credentialsDir }: ServingFlags): ServingFlags =>
  (tokenAuthFile ?? anonymousAuth ?? credentialsDir) === undefined ? { allowEveryone: true } : {};
