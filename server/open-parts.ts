/** The first step of a start: reads the options, gathers the kinds, and opens the store and the audit log. */
import type { Damage } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/names/naming.js';
import { emulate } from '../runtime/objects/release.js';
import {
  attributeReader,
  encryptionObserverOf,
  Metrics,
  mayMatchLongerHosts,
  metricTable,
  minorOf,
  releaseBefore,
  storageObserverOf,
} from '../runtime/server/index.js';
import type { Cluster } from './aggregated/cluster.js';
import { builtinKinds } from './builtin-kinds.js';
import { checkOptions, namingIn } from './check-options.js';
import { readFeatures } from './features.js';
import { gatherKinds, type Kinds, readProductVersion } from './kinds.js';
import { refuseBreaks, withDefinitions } from './load-definitions.js';
import { defineLoading } from './loading.js';
import { OptionError } from './option-error.js';
import type { OnProblem, StartOptions } from './options.js';
import { refuseStepBack, releasesOf } from './parts/check-step-back.js';
import { checkFileGates, withConfigurationFiles } from './parts/configuration-files.js';
import { checkGates, openAdmission } from './parts/open-admission.js';
import type { OpenedAudit } from './parts/open-audit.js';
import type { OpenedEncryption } from './parts/open-encryption.js';
import { openStorage, refuseStrangers } from './parts/open-storage.js';
import type { OpenedTracing } from './parts/open-tracing.js';
import { defineDeferredSettings, type ServerParts } from './server-parts.js';
import { circuitSamples, OutgoingCalls } from './webhooks/outgoing-calls.js';
import type { Role } from './workers/role.js';

/** Opens the parts. If it fails, closes all of them, and rejects as `startServer` does. */
export async function openParts(given: StartOptions, role?: Role): Promise<ServerParts> {
  const options = await withConfigurationFiles(given);
  checkOptions(options);
  const { aggregated, onProblem = printProblem } = options;
  if (!aggregated) return openWith(options, undefined, role);
  // Only servers behind a cluster load the reader of kubeconfigs.
  const { openCluster } = await import('./aggregated/cluster.js');
  const { withCluster } = await import('./aggregated/option.js');
  const cluster = await openCluster(aggregated, namingIn(options), onProblem);
  try {
    return await openWith(withCluster(options, cluster), cluster, role);
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

async function openWith(
  options: StartOptions,
  cluster: Cluster | undefined,
  role: Role | undefined,
): Promise<ServerParts> {
  const { onDamage = 'refuse', history, maxObjectBytes, onProblem = printProblem } = options;
  const naming = namingIn(options);
  const worker = role?.kind === 'worker' ? role : undefined;
  // Only the owner reports problems of the options.
  const notify = worker ? (): void => undefined : onProblem;
  const unsetTimes = !emulate(options.emulatedVersion).does('withoutUnsetTimestamps');
  const calls = new OutgoingCalls(onProblem, undefined, unsetTimes);
  const deferred = defineDeferredSettings(options, calls, onProblem);
  const given = gatherKinds(options.kinds ?? [builtinKinds], naming, deferred.settings);
  const kinds = await withDefinitions(given, options.schemas, {
    review: refuseBreaks({ ...options, onProblem: notify }),
    release: options.projectRelease,
  });
  const admission = await openAdmission(kinds, options.admission);
  // Servers with plain HTTP only do not load TLS, because this takes 3 % of a start.
  const tls =
    options.tls &&
    (await import('./transport/given-tls.js')).openGivenTls(options.tls, options.authentication, cluster);
  const features = readFeatures(options, kinds.modules, naming, kinds.laterModules);
  checkGates(admission.plugins, features.featureEnabled);
  checkFileGates(options, features.featureEnabled);
  for (const notice of [...features.notices, ...originNotices(options), ...admission.notices]) notify(notice);
  const readAttributes = attributeReader(kinds.modules, naming, kinds.handlers, kinds.conversions);
  const metrics = openMetrics({ onDeprecatedMetric: onProblem, ...options }, naming);
  metrics.sample(metricTable.admission.metrics.circuits, () => circuitSamples(calls));
  const ownerSocket = worker?.storePath;
  // While a worker reads the data, others answer.
  const loading = defineLoading(worker ? { http: false } : options);
  const observer = storageObserverOf(metrics);
  const reportDamage = ({ key, problem }: Damage, more = ''): void => {
    observer.damaged(key);
    onProblem(`not served: ${key === '' ? '(key unknown)' : key}: ${problem}${more}`);
  };
  // Only servers that encrypt load this. A worker needs it for snapshots, even if the owner encrypts what is stored.
  // The owner has already printed its notices.
  const encryption = await openEncryptionFor(options, metrics, kinds.modules, worker ? () => {} : onProblem);
  const storage = await openStorage(
    ownerSocket === undefined ? (options.storage ?? 'memory') : { owner: ownerSocket },
    {
      // The owner has already decided about damage.
      onDamage: worker ? 'serve-rest' : onDamage,
      encryption: ownerSocket === undefined ? encryption?.encryption : undefined,
      history,
      maxObjectBytes,
      now: nowOf(options),
      readAttributes,
      observer,
      onDamageFound: (damage) => reportDamage(damage, `; ${damage.cure}`),
      onWatchError: (error) => onProblem('a reader of changes has failed, and its watch has ended', error),
      onLoading: loading.onLoading,
      onNotice: notify,
    },
  )
    .catch((error: unknown) => {
      encryption?.close();
      throw error;
    })
    .finally(loading.end);
  if (!worker) for (const damage of storage.damage) reportDamage(damage);
  const { bytes } = storage;
  if (bytes) metrics.collect(() => observer.sized('lmdb-0', bytes()));
  let audit: OpenedAudit | undefined;
  let tracing: OpenedTracing | undefined;
  const close = async (): Promise<void> => {
    await storage.store.close();
    encryption?.close();
    await audit?.close();
    await tracing?.close();
    await cluster?.close();
  };
  try {
    await refuseStepBack(storage, kinds, naming, releasesOf(options));
    refuseStrangers(readAttributes.strangersIn(storage.store), storage.place);
    // Only servers with traces load OpenTelemetry.
    if (options.tracing) {
      const { openTracing } = await import('./parts/open-tracing.js');
      tracing = await openTracing(options.tracing, options.productVersion);
    }
    const profiles = options.profiling ? (await import('./profiles.js')).defineProfiles() : undefined;
    // Only servers with audit load the reader of kubeconfigs, because it loads an HTTP client.
    if (options.audit) {
      const { openAudit } = await import('./parts/open-audit.js');
      audit = await openAudit(options.audit, naming, calls, onProblem, tracing?.tracer);
    }
    return {
      options,
      naming,
      kinds,
      definitions: kinds.modules.filter((module) => !given.modules.includes(module)),
      admission,
      deferred,
      tls,
      cluster,
      features,
      audit,
      tracing,
      profiles,
      storage,
      secret: storage.store.secret ?? role?.secret,
      role,
      encryption,
      metrics,
      calls,
      onProblem,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openEncryptionFor(
  { encryption: option }: StartOptions,
  metrics: Metrics,
  modules: Kinds['modules'],
  onProblem: OnProblem,
): Promise<OpenedEncryption | undefined> {
  if (!option) return undefined;
  const { openEncryption, unknownResources } = await import('./parts/open-encryption.js');
  const encryption = await openEncryption(option, encryptionObserverOf(metrics));
  for (const notice of unknownResources(encryption, modules)) onProblem(notice);
  return encryption;
}

const nowOf = ({ clock }: StartOptions) => clock && (() => clock.monotonicMs());

/** Warns about patterns that the reference accepts, but that match more than they seem to match. */
const originNotices = ({ corsAllowedOrigins = [] }: StartOptions): readonly string[] =>
  corsAllowedOrigins
    .filter(mayMatchLongerHosts)
    .map((one) => `the origins ${one} may be of hosts with longer names, too; end the expression with (:|$)`);

const printProblem: OnProblem = (problem, error) =>
  error === undefined ? console.error(`kindforge: ${problem}`) : console.error(`kindforge: ${problem}:`, error);

type MetricOptions = Pick<
  StartOptions,
  'productVersion' | 'emulatedVersion' | 'showHiddenMetricsFor' | 'onDeprecatedMetric'
>;

/** Returns the metrics. Throws an `OptionError` if the option `showHiddenMetricsFor` is not the previous release. */
export function openMetrics(options: MetricOptions, naming: Naming): Metrics {
  const { productVersion = readProductVersion(), showHiddenMetricsFor: showHiddenFor } = options;
  const before = releaseBefore(productVersion);
  if (showHiddenFor !== undefined && showHiddenFor !== before) {
    const usable = before === undefined ? 'there is none before this one, so leave it out' : `use ${before}`;
    throw new OptionError(
      (nameOf) => `${nameOf('showHiddenMetricsFor')} ${showHiddenFor} is not the previous release; ${usable}`,
    );
  }
  return new Metrics({
    release: minorOf(productVersion),
    api: emulate(options.emulatedVersion),
    prefix: naming.id,
    ...(showHiddenFor === undefined ? {} : { showHiddenFor }),
    onDeprecated: options.onDeprecatedMetric,
  });
}
