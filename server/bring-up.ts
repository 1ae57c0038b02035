/** The last step of a start: creates the objects that must exist, listens, and starts the controllers. */
import { createHash } from 'node:crypto';
import type { ResourceModule } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/names/naming.js';
import { emulate } from '../runtime/objects/release.js';
import { danglingReferences } from '../runtime/server/index.js';
import { defaultServiceRanges } from '../strategies/index.js';
import { authenticationInfoOf } from './aggregation/authentication-info.js';
import { type AuthenticationInfo, type BootstrapParts, bootstrapRoles } from './bootstrap/index.js';
import { ownKinds } from './builtin-kinds.js';
import { type Connected, connect, connectAs } from './connect.js';
import { type Console, consolePath } from './console/console.js';
import { startControllers } from './controllers/start.js';
import type { Api } from './create-api.js';
import { inProjectRelease } from './load-definitions.js';
import { reportRefused } from './maintenance/report-refused.js';
import type { OnProblem, ServerHook } from './options.js';
import { timeLimitsOf } from './parts/check-limits.js';
import { markRelease, releasesOf } from './parts/check-step-back.js';
import { idleKinds } from './parts/open-admission.js';
import { defineReplacement } from './replace-definitions.js';
import type { BootstrapHooks } from './run-hooks.js';
import type { RunningServer } from './running-server.js';
import type { ServerParts } from './server-parts.js';
import { checkPassedSocket } from './transport/check-transport.js';
import { clusterInfoOf } from './transport/cluster-info.js';
import { startListening } from './transport/listen.js';
import { watchFiles } from './transport/reloaded.js';
import type { OwnParts } from './workers/role.js';

/** Rejects if a required object cannot be created, or an address is not available. */
export async function bringUp(parts: ServerParts, api: Api): Promise<RunningServer> {
  const { options, storage, onProblem, role } = parts;
  const worker = role?.kind === 'worker' ? role : undefined;
  const owner = role?.kind === 'owner' ? role : undefined;
  const { store } = storage;
  const { server, tls, administrator, hooks, shutdown } = api;
  const connected = { server, naming: parts.naming, loopback: api.loopback };
  const bootstrap = bootstrapParts(parts, connected, () => authenticationInfoOf(parts, api));
  if (worker) for (const { skip } of hooks) skip(true);
  else await runAll(hooks, bootstrap, parts);
  parts.deferred.begin();
  const { disable = [] } = options.admission ?? {};
  const idle = idleKinds(disable, server.resources, parts.naming);
  const notify = worker ? (): void => undefined : onProblem;
  for (const notice of idle) notify(notice);
  for (const reference of danglingReferences(server.registry))
    notify(`${reference} is not a kind of this server, so the server refuses every object that names one`);
  const { http = {}, tls: option = {} } = options;
  const credentials = worker ? undefined : options.credentials;
  await worker?.mayListen(digestOf(parts));
  const listening = await startListening(server, {
    http,
    tls: tls && { ...tls, option },
    credentials,
    advertiseAddress: options.advertiseAddress,
    checkSocket: (place, fd, address) => checkPassedSocket(place, fd, address, options),
    token: administrator?.token,
    onProblem,
    limits: timeLimitsOf(options.limits),
    bind: owner?.bind,
    handed: worker?.handed,
  });
  const consoleLink =
    listening && api.console && !worker ? consoleLinkOf(api.console, api, listening.addresses) : undefined;
  worker?.connect({ metrics: parts.metrics, sessions: api.console?.sessions });
  if (worker) {
    api.console?.makeLinksBy(worker.console.link);
    api.console?.beginBy(worker.console.begin);
  }
  const workers = await owner?.start(ownParts(parts, api, consoleLink)).catch(async (error: unknown) => {
    await listening?.close(() => Promise.resolve());
    throw error;
  });
  const controllers = worker
    ? undefined
    : startControllers(parts, server, (agent) => connect(connected, agent ?? ownAgent(parts.naming)), {
        ...api.own,
        clusterInfo: listening && tls && (() => clusterInfoOf(listening, tls, options)),
      });
  api.controllers = controllers;
  api.aggregator.start(connect(connected, ownAgent(parts.naming)));
  const unfollow = watchFiles(api.followed, () => undefined, onProblem);
  const stopReport = worker ? undefined : reportRefused(parts, server);
  const stopHooks = worker ? [] : hooks.map(({ repeat }) => repeat(bootstrap, onProblem));
  const roles = defineRoleRenewal(parts, bootstrap);
  const replace = defineReplacement(parts, server.replaceModules);
  const running = Object.assign<typeof server, Omit<RunningServer, keyof typeof server>>(server, {
    client: (user) => connectAs(connected, user),
    replaceDefinitions: (all) => {
      const modules = inProjectRelease(all, options.projectRelease);
      const replaced = replace(modules);
      if (replaced.done) roles.renew(modules);
      return replaced;
    },
    store,
    place: storage.place,
    ...listening?.addresses,
    ...(consoleLink ? { consoleLink } : {}),
    ...(worker ? { worker: worker.number } : {}),
    stop: once(async () => {
      if (options.onStop) await callStopHook(options.onStop, running, onProblem);
      await Promise.all([shutdown.begin().then(() => workers?.closeDoors()), workers?.stop()]);
      await worker?.leave();
      unfollow();
      stopReport?.();
      parts.profiles?.close();
      for (const stopHook of stopHooks) stopHook();
      await controllers?.stop();
      await roles.settle();
      await (listening ? listening.close(() => store.close()) : store.close());
      parts.encryption?.close();
      await parts.audit?.close();
      await parts.tracing?.close();
      await parts.cluster?.close();
      worker?.end();
    }),
  });
  try {
    await options.onStart?.(running);
  } catch (error) {
    await running.stop();
    throw error;
  }
  await worker?.ready(running.stop);
  return running;
}

/** Returns the owner's parts that workers use. */
function ownParts(parts: ServerParts, api: Api, link: (() => string) | undefined): OwnParts {
  const { options, storage, secret = new Uint8Array(), metrics, audit, onProblem } = parts;
  // Each process has its own copy of the program's sinks.
  const own = options.audit?.sinks?.length ?? 0;
  return {
    store: storage.embedded,
    secret,
    metrics,
    sinks: audit ? audit.sinks.slice(0, audit.sinks.length - own) : [],
    sessions: api.console?.sessions,
    link: link ?? (() => consolePath),
    digest: digestOf(parts),
    onProblem,
  };
}

/** Returns a digest of the served API. It lets the processes of a server notice that they do not serve the same. */
const digestOf = ({ kinds, options }: ServerParts): string =>
  createHash('sha256')
    .update(JSON.stringify([kinds.modules, options.shownFlags ?? {}, options.naming, options.emulatedVersion]))
    .digest('hex');

/**
 * Returns a function that makes links to the console: over loopback with a code for the administrator, if there is one.
 */
function consoleLinkOf(
  app: Console,
  { administrator }: Api,
  { url, plainUrl = url }: { readonly url: string; readonly plainUrl?: string },
): () => string {
  const isLoopback = /^(localhost|127\.|\[::1\])/.test(new URL(plainUrl).hostname);
  const link = (): string => {
    const code = isLoopback && administrator ? app.sessions.newCode() : undefined;
    return `${plainUrl}${consolePath}${code === undefined ? '' : `#code=${code}`}`;
  };
  app.makeLinksBy(link);
  return link;
}

/** Updates the roles of kinds for new definitions, one update after the other. */
interface RoleRenewal {
  renew(modules: readonly ResourceModule[]): void;
  /** Resolves once nothing is left to write. Never rejects. */
  settle(): Promise<void>;
}

function defineRoleRenewal(
  { options, kinds, definitions, naming, onProblem }: ServerParts,
  bootstrap: BootstrapParts,
): RoleRenewal {
  const others = kinds.modules.filter((module) => !definitions.includes(module));
  let last = Promise.resolve();
  return {
    renew(modules) {
      if (options.bootstrapped) return;
      last = last
        .then(() => bootstrapRoles.run({ ...bootstrap, ownKinds: ownKinds([...others, ...modules], naming) }))
        .catch((error: unknown) => onProblem('the roles of kinds could not be written', error));
    },
    settle: () => last,
  };
}

/** Calls the hook, and reports its error, because the stop continues. */
async function callStopHook(hook: ServerHook, server: RunningServer, onProblem: OnProblem): Promise<void> {
  try {
    await hook(server);
  } catch (error) {
    onProblem('the hook onStop has failed', error);
  }
}

/** Returns a function that acts at its first call only. All calls wait for this act. */
function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= act();
    return done;
  };
}

/** Returns the user agent of the server's own writes. Kubernetes clients look for the name of its server. */
const ownAgent = ({ id }: Naming): string => (id === 'kubernetes' ? 'kube-apiserver' : 'kindforge');

function bootstrapParts(
  { options, naming, features, kinds }: ServerParts,
  connected: Connected,
  authentication: () => AuthenticationInfo,
): BootstrapParts {
  const { serviceRanges = defaultServiceRanges, http = {}, tls } = options;
  // Programs in a cluster use TLS, if the server has it.
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
    release: emulate(options.emulatedVersion),
    authentication,
    ownKinds: ownKinds(kinds.modules, naming),
  };
}

/** Runs all hooks, one list after the other. All hooks of a new store must succeed. */
async function runAll(
  hooks: readonly BootstrapHooks[],
  bootstrap: BootstrapParts,
  { storage, options, onProblem }: ServerParts,
): Promise<void> {
  const isNew = storage.store.revision === 0;
  const problem = await markRelease(storage.store, releasesOf(options));
  if (problem !== undefined) onProblem(problem);
  // If the disk is full, the server still starts: clients can read objects, and delete some.
  if (options.bootstrapped) for (const { skip } of hooks) skip();
  for (const { run } of hooks) await run(bootstrap, isNew ? undefined : onProblem);
  // No client can have seen a revision from before the server listened. Requests for such a revision get a 410.
  if (isNew) storage.forgetHistory();
}
