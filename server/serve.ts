/** Serves the stored objects: assembles the server, makes what must exist, listens, and starts the controllers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningControllers } from '../controllers/index.js';
import { defineAdministrator, defineLoopback } from '../plugins/index.js';
import type { Naming } from '../runtime/objects/naming.js';
import type { HealthCheck } from '../runtime/server/index.js';
import { defaultServiceRanges } from '../strategies/index.js';
import { assembleServer, type ServerParts } from './assemble-server.js';
import { type BootstrapParts, firstHooks, laterHooks } from './bootstrap/index.js';
import { type Connected, connect, connectAs } from './connect.js';
import { openOwnParts } from './controllers/own-parts.js';
import { healthOfControllers, startControllers } from './controllers/start.js';
import { timeLimitsOf } from './parts/check-limits.js';
import { idleKinds } from './parts/open-admission.js';
import { defineReplacement } from './replace-definitions.js';
import { type BootstrapHooks, defineHooks } from './run-hooks.js';
import type { RunningServer } from './running-server.js';
import { openServiceAccounts } from './service-accounts.js';
import { checkPassedSocket } from './transport/check-transport.js';
import { clusterInfoOf } from './transport/cluster-info.js';
import { writtenAuthority } from './transport/credentials-folder.js';
import { startListening } from './transport/listen.js';
import type { OpenTls } from './transport/open-tls.js';
import { type Follow, type Reloaded, watchFiles } from './transport/reloaded.js';

/** Rejects where an option cannot be used, or an object that must exist cannot be made. */
export async function serve(parts: ServerParts): Promise<RunningServer> {
  const { options, storage, onProblem } = parts;
  const { store } = storage;
  const { administrator: wanted = true } = options.authentication ?? {};
  const loopback = defineLoopback();
  const administrator = wanted ? defineAdministrator(store.secret) : undefined;
  const hooks = [firstHooks, laterHooks].map(defineHooks);
  const shutdown = defineShutdown(options.shutdownDelayMs);
  const healthChecks = [...hooks.flatMap(({ checks }) => checks), shutdown.check];
  const tls = await openTlsFor(parts);
  const followed: Reloaded<unknown>[] = [];
  const follow: Follow = (value) => void followed.push(value);
  const serviceAccounts = await openServiceAccounts(
    options.authentication?.serviceAccounts,
    parts.naming,
    store.secret,
    options.clock,
  );
  const own = openOwnParts(parts, { tls, issuer: serviceAccounts.secretIssuer }, follow);
  let controllers: RunningControllers | undefined;
  const healthOf = healthOfControllers(() => controllers?.states);
  const server = await assembleServer(
    parts,
    { loopback, administrator, tls, follow, serviceAccounts, healthOf },
    healthChecks,
  );
  const connected = { server, naming: parts.naming, loopback };
  const bootstrap = bootstrapParts(parts, connected);
  await runAll(hooks, bootstrap, parts);
  parts.deferred.begin();
  const { disable = [] } = options.admission ?? {};
  const idle = idleKinds(disable, server.resources, parts.naming);
  for (const notice of idle) onProblem(notice);
  const { http = {}, tls: option = {}, credentials } = options;
  const listening = await startListening(server, {
    http,
    tls: tls && { ...tls, option },
    credentials,
    advertiseAddress: options.advertiseAddress,
    checkSocket: (place, fd, address) => checkPassedSocket(place, fd, address, options),
    token: administrator?.token,
    onProblem,
    limits: timeLimitsOf(options.limits),
  });
  controllers = startControllers(parts, server, (agent) => connect(connected, agent ?? ownAgent(parts.naming)), {
    ...own,
    clusterInfo: listening && tls && (() => clusterInfoOf(listening, tls, options)),
  });
  const unfollow = watchFiles(followed, () => undefined, onProblem);
  const stopHooks = hooks.map(({ repeat }) => repeat(bootstrap, onProblem));
  return Object.assign<typeof server, Omit<RunningServer, keyof typeof server>>(server, {
    client: (user) => connectAs(connected, user),
    replaceDefinitions: defineReplacement(parts, server.replaceModules),
    store,
    place: storage.place,
    ...listening?.told,
    stop: once(async () => {
      await shutdown.begin();
      unfollow();
      parts.profiles?.close();
      for (const stopHook of stopHooks) stopHook();
      await controllers?.stop();
      await (listening ? listening.close(() => store.close()) : store.close());
      await parts.audit?.close();
      await parts.tracing?.close();
    }),
  });
}

/** Does a thing at the first call; all calls wait for it. */
function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= act();
    return done;
  };
}

/** The name that the server's own writes are recorded under; clients of Kubernetes look for that of its server. */
const ownAgent = ({ id }: Naming): string => (id === 'kubernetes' ? 'kube-apiserver' : 'kindforge');

function bootstrapParts({ options, naming, features }: ServerParts, connected: Connected): BootstrapParts {
  const { serviceRanges = defaultServiceRanges, http = {}, tls } = options;
  // Programs in a cluster come with TLS, where there is any.
  const place = tls ?? http;
  const { host = '127.0.0.1', port = 'auto', fd } = place === false ? { host: '' } : place;
  const client = connect(connected, ownAgent(naming));
  return {
    client,
    naming,
    serviceRanges,
    port: port === 'auto' || fd !== undefined ? 0 : port,
    host: options.advertiseAddress ?? host,
    featureEnabled: features.featureEnabled,
  };
}

/** Runs all hooks, one list after the other. */
async function runAll(
  hooks: readonly BootstrapHooks[],
  bootstrap: BootstrapParts,
  { storage, options }: ServerParts,
): Promise<void> {
  const isNew = storage.store.revision === 0;
  if (options.bootstrapped) for (const { skip } of hooks) skip();
  else for (const { run } of hooks) await run(bootstrap);
  // No client can have seen a revision from before the server listened; asking for one is answered with 410.
  if (isNew) storage.forgetHistory();
}

/** TLS with all of its certificates, those that the server makes included; `undefined` without it. */
async function openTlsFor({ options, tls: given, storage }: ServerParts): Promise<OpenTls | undefined> {
  const { tls: option, serviceRanges = defaultServiceRanges, credentials, advertiseAddress } = options;
  if (!option || !given) return undefined;
  const { openTls } = await import('./transport/open-tls.js');
  const { serverNames } = await import('./transport/own-certificates.js');
  return openTls({
    given,
    option,
    secret: storage.store.secret,
    kept: writtenAuthority(credentials?.folder),
    // Where others have bound the socket, its address is not known yet.
    names: serverNames({
      host: option.fd === undefined ? (option.host ?? '127.0.0.1') : '0.0.0.0',
      names: [...(advertiseAddress === undefined ? [] : [advertiseAddress]), ...(option.names ?? [])],
      addresses: serviceRanges.addresses,
    }),
  });
}

/** The end of a server. */
interface Shutdown {
  /** The check of readiness that fails from the beginning of the end; the reference has it under the same name. */
  readonly check: HealthCheck;
  /** From now on the server is not ready. Resolves once those who send it requests have had time to notice. */
  begin(): Promise<void>;
}

function defineShutdown(delayMs = 0): Shutdown {
  let hasBegun = false;
  return {
    check: { name: 'shutdown', problem: () => (hasBegun ? 'process is shutting down' : ''), readinessOnly: true },
    async begin() {
      hasBegun = true;
      if (delayMs > 0) await sleep(delayMs);
    },
  };
}
