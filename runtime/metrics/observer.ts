/** Counts the work that parts of the server report: of admission, of storage, and of encryption at rest. */

import { createHash } from 'node:crypto';
import type {
  EncryptionObserver,
  Observer,
  ResourceModule,
  StorageObserver,
  WebhookDecision,
} from '../contract/index.js';
import { memoize, memoizeByObject } from '../objects/memoize.js';
import type { HistogramSeries } from './metric.js';
import type { Metrics } from './metrics.js';
import { metricTable } from './table.js';

/** The steps of webhooks, by their names in metrics. */
const webhookTypes = { admit: 'admit', validate: 'validating' } as const;
const conditionTypes = { admit: 'mutating', validate: 'validating', policy: 'validatingadmissionpolicy' } as const;

/** The error types that refuse a write. Any other outcome lets the write pass. */
const rejections: Readonly<Partial<Record<WebhookDecision['outcome'], string>>> = {
  denied: 'no_error',
  unanswered: 'calling_webhook_error',
  unusable: 'apiserver_internal_error',
};

/** The greatest code with a series of its own, because webhooks may answer with any code. */
const mostCode = 600;

const outcomes = { allow: 'allowed', deny: 'denied', warn: 'denied', audit: 'denied' } as const;

export function observerOf(metrics: Metrics): Observer {
  const { requests, admission, storage } = metricTable;
  const steps = metrics.histogram(admission.metrics.steps);
  const plugins = metrics.histogram(admission.metrics.plugins);
  const checks = metrics.number(admission.metrics.policyChecks);
  const [mutationChecks, mutationSeconds] = [
    metrics.number(admission.metrics.mutationChecks),
    metrics.histogram(admission.metrics.mutationSeconds),
  ];
  const checkSeconds = metrics.histogram(admission.metrics.policySeconds);
  const webhooks = metrics.histogram(admission.metrics.webhooks);
  const [webhookRequests, webhookRejections, webhookFailOpen, conditionErrors] = [
    metrics.number(admission.metrics.webhookRequests),
    metrics.number(admission.metrics.webhookRejections),
    metrics.number(admission.metrics.webhookFailOpen),
    metrics.number(admission.metrics.conditionErrors),
  ];
  const compilation = metrics.histogram(admission.metrics.compilation).with();
  const evaluation = metrics.histogram(admission.metrics.evaluation).with();
  const judgements = metrics.number(admission.metrics.podSecurityJudgements);
  const exemptions = metrics.number(admission.metrics.podSecurityExemptions);
  const events = metrics.number(requests.metrics.watchEvents);
  const eventSizes = metrics.histogram(requests.metrics.watchEventSizes);
  const deprecated = metrics.number(requests.metrics.deprecated);
  const watchLists = metrics.has(requests.metrics.watchLists)
    ? metrics.histogram(requests.metrics.watchLists)
    : undefined;
  const initEvents = metrics.number(requests.metrics.initEvents);
  const [lists, fetched, evaluated, returned] = [
    metrics.number(storage.metrics.lists),
    metrics.number(storage.metrics.fetched),
    metrics.number(storage.metrics.evaluated),
    metrics.number(storage.metrics.returned),
  ];
  // Looked up once per resource. Otherwise a list takes 10 % longer.
  const listsOf = memoizeByObject((resource: ResourceModule) => {
    const name = nameOfModule(resource);
    return {
      lists: lists.with(name),
      fetched: fetched.with(name),
      evaluated: evaluated.with(name),
      returned: returned.with(name),
    };
  });
  return {
    admission({ plugin, step, operation }) {
      const seriesOf = (rejected: boolean): HistogramSeries => {
        const of = [operation, String(rejected), step];
        return plugin === undefined ? steps.with(...of) : plugins.with(plugin, ...of);
      };
      const known: { admitted?: HistogramSeries; rejected?: HistogramSeries } = {};
      return (rejected, seconds) => {
        const outcome = rejected ? 'rejected' : 'admitted';
        known[outcome] ??= seriesOf(rejected);
        known[outcome].observe(seconds);
      };
    },
    watching(module) {
      const { group, names, version } = module;
      const of = { group, kind: names.kind, resource: names.plural, version };
      const ofBuckets = hasOwnBuckets(module) ? of : ofAll;
      const sent = events.at(of);
      const sizes = eventSizes.at(ofBuckets);
      const initial = initEvents.with(resourceName(group, names.plural));
      return {
        event(bytes) {
          sent.value++;
          sizes.observe(bytes);
        },
        initial() {
          initial.value++;
        },
        ...(watchLists && { stateSent: (scope, seconds) => watchLists.at({ ...ofBuckets, scope }).observe(seconds) }),
      };
    },
    listed(resource, read, answered) {
      const of = listsOf(resource);
      of.lists.value++;
      of.fetched.value += read;
      of.evaluated.value += read;
      of.returned.value += answered;
    },
    compiled: (seconds) => compilation.observe(seconds),
    evaluated: (seconds) => evaluation.observe(seconds),
    ...kindsObserverOf(metrics),
    mutationChecked({ policy, binding, failed }, seconds) {
      const labels = [failed ? 'invalid_error' : 'no_error', policy, binding];
      mutationChecks.with(...labels).value++;
      mutationSeconds.with(...labels).observe(seconds);
    },
    deprecatedUse({ group, removedRelease, resource, subresource, version }) {
      deprecated.with(group, removedRelease, resource, subresource, version).value = 1;
    },
    policyChecked({ policy, binding, action }, seconds) {
      const labels = [action, policy, binding, 'active', outcomes[action]];
      checks.with(...labels).value++;
      checkSeconds.with(...labels).observe(seconds);
    },
    podSecurityJudged({ mode, decision, level, version, operation, resource, subresource }) {
      const policy = { policy_level: level, policy_version: version };
      const request = { request_operation: operation.toLowerCase(), resource, subresource };
      judgements.at({ decision, mode, ...policy, ...request }).value++;
    },
    podSecurityExempted({ operation, resource, subresource }) {
      exemptions.with(operation.toLowerCase(), resource, subresource).value++;
    },
    webhookAsked({ name, step, operation, outcome, code }, seconds) {
      const type = webhookTypes[step];
      const bounded = String(Math.min(code, mostCode));
      const error = rejections[outcome];
      const rejected = String(error !== undefined);
      webhookRequests.with(bounded, name, operation, rejected, type).value++;
      webhooks.with(name, operation, rejected, type).observe(seconds);
      if (error !== undefined) webhookRejections.with(error, name, operation, bounded, type).value++;
      if (outcome === 'passed over') webhookFailOpen.with(name, type).value++;
    },
    conditionsFailed({ name, kind }, mistakes) {
      conditionErrors.with(name, conditionTypes[kind]).value += mistakes;
    },
  };
}

/** The group, resource and version of the shared series of all kinds without buckets of their own. */
export const all = '*';

const ofAll = { group: all, kind: all, resource: all, version: all };

/** The verbs of requests with bodies, by method. */
const bodyVerbs: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

type KindsObserver = Pick<Observer, 'bodyRead' | 'ratcheted' | 'allocated' | 'certificateIssued'>;

/** Counts bodies by resource, and events of single kinds. */
function kindsObserverOf(metrics: Metrics): KindsObserver {
  const { requests, admission, kinds } = metricTable;
  const { bodySizes } = requests.metrics;
  const { ratchets } = admission.metrics;
  const sizes = metrics.histogram(bodySizes);
  const sizesOf = memoizeByObject((module: ResourceModule) => {
    const { group, names } = hasOwnBuckets(module) ? module : { group: all, names: { plural: all } };
    return memoize((method) => sizes.at({ group, resource: names.plural, verb: bodyVerbs[method] ?? '' }));
  });
  return {
    ...(metrics.has(bodySizes) && {
      bodyRead: (module, method, bytes) => sizesOf(module)(method).observe(bytes),
    }),
    ...(metrics.has(ratchets) && { ratcheted: (took) => metrics.histogram(ratchets).with().observe(took) }),
    allocated({ pool, block, isAsked, isGiven }, took) {
      const isAddress = pool === 'clusterIPs';
      const { addresses, addressErrors, addressSeconds, ports, portErrors } = kinds.metrics;
      const [given, refused] = isAddress ? [addresses, addressErrors] : [ports, portErrors];
      const counted = metrics.number(isGiven ? given : refused);
      counted.at({ cidr: block, scope: isAsked ? 'static' : 'dynamic' }).value++;
      if (isAddress && isGiven && !isAsked) metrics.histogram(addressSeconds).with(block).observe(took);
    },
    certificateIssued(signer, isHonored) {
      metrics.number(kinds.metrics.requestedDurations).with(signer).value++;
      if (isHonored) metrics.number(kinds.metrics.honoredDurations).with(signer).value++;
    },
  };
}

/**
 * Returns whether a kind has histograms of its own. Built-in kinds have, and their number is limited. Kinds of users
 * share histograms: each kind would add 60 kB to every scrape.
 */
export const hasOwnBuckets = ({ group, decoding }: ResourceModule): boolean =>
  decoding === 'typed' && (!group.includes('.') || /\.(k8s|platform)\.io$/.test(group));

/** Returns the name of a resource in storage metrics: `pods`, `deployments.apps`. */
export const resourceName = (group: string, plural: string): string => (group === '' ? plural : `${plural}.${group}`);

/** Returns that name of a module. */
export const nameOfModule = ({ group, names }: ResourceModule): string => resourceName(group, names.plural);

/** Returns the observer of storage. */
export function storageObserverOf(metrics: Metrics): StorageObserver {
  const { storage } = metricTable;
  const commits: HistogramSeries = metrics.histogram(storage.metrics.commitSeconds).with();
  const changes = metrics.number(storage.metrics.commitChanges).with();
  const asked = metrics.histogram(storage.metrics.etcdSeconds);
  const [requests, errors] = [metrics.number(storage.metrics.etcdRequests), metrics.number(storage.metrics.etcdErrors)];
  const damaged = metrics.number(storage.metrics.damaged).with();
  const count = (operation: string, type: string, seconds: number): void => {
    const labels = { operation, type, resource: type };
    asked.at(labels).observe(seconds);
    requests.at(labels).value++;
  };
  return {
    committed(count, seconds) {
      commits.observe(seconds);
      changes.value += count;
    },
    asked: count,
    failed(operation, type, seconds) {
      count(operation, type, seconds);
      errors.at({ operation, type, resource: type }).value++;
    },
    sized(cluster, bytes) {
      metrics.number(storage.metrics.bytes).with(cluster).value = bytes;
    },
    damaged(key) {
      damaged.value++;
      const [group = '', plural = ''] = key.split('/');
      metrics.number(storage.metrics.decodeErrors).with(plural === '' ? '' : resourceName(group, plural)).value++;
    },
  };
}

/** Returns the observer of encryption at rest. */
export function encryptionObserverOf(metrics: Metrics): EncryptionObserver {
  const table = metricTable.encryption.metrics;
  const [seconds, keySeconds, kmsSeconds] = [
    metrics.histogram(table.seconds),
    metrics.histogram(table.keySeconds).with(),
    metrics.histogram(table.kmsSeconds),
  ];
  const [operations, misses, keyUses, keyUsedAt, keyNamedAt] = [
    metrics.number(table.operations),
    metrics.number(table.misses).with(),
    metrics.number(table.keyUses),
    metrics.number(table.keyUsedAt),
    metrics.number(table.keyNamedAt),
  ];
  const hashes = new Map<string, string>();
  const hashOf = (keyId: string): string => {
    const known = hashes.get(keyId) ?? `sha256:${createHash('sha256').update(keyId).digest('hex')}`;
    hashes.set(keyId, known);
    return known;
  };
  return {
    transformed(type, prefix, took, problem) {
      operations.with(problem === '' ? 'OK' : 'unknown-non-grpc', type, prefix).value++;
      if (problem === '') seconds.with(type, prefix).observe(took);
    },
    asked: (provider, method, took, code) => kmsSeconds.with(code, method, provider).observe(took),
    keyUsed(type, provider, keyId) {
      const labels = [hashOf(keyId), provider, type];
      keyUses.with(...labels).value++;
      keyUsedAt.with(...labels).value = Date.now() / 1000;
    },
    statusKey(provider, keyId) {
      keyNamedAt.with(hashOf(keyId), provider).value = Date.now() / 1000;
    },
    invalidKey(provider, error) {
      metrics.number(table.invalidKeys).with(error, provider).value++;
    },
    missed() {
      misses.value++;
    },
    made: (took) => keySeconds.observe(took),
    reloaded(used) {
      metrics.number(used ? table.reloads : table.failedReloads).with().value++;
      metrics.number(table.reloadedAt).with(used ? 'success' : 'failure').value = Date.now() / 1000;
    },
  };
}
