/** Counts the work that parts of the server report. */
import { createHash } from 'node:crypto';
import type {
  EncryptionObserver,
  Observer,
  ResourceModule,
  StorageObserver,
  WebhookDecision,
} from '../contract/index.js';
import { memoizeByObject } from '../objects/memoize.js';
import type { HistogramSeries } from './metric.js';
import type { Metrics } from './metrics.js';
import { metricTable } from './table.js';

/** The steps of webhooks, by their names in metrics. */
const webhookTypes = { admit: 'admit', validate: 'validating' } as const;
const conditionTypes = { admit: 'mutating', validate: 'validating', policy: 'validatingadmissionpolicy' } as const;

/** The error types that refuse a write; other outcomes let it pass. */
const rejections: Readonly<Partial<Record<WebhookDecision['outcome'], string>>> = {
  denied: 'no_error',
  unanswered: 'calling_webhook_error',
  unusable: 'apiserver_internal_error',
};

/** The greatest code that gets its own series, because webhooks may answer with any code. */
const mostCode = 600;

const outcomes = { allow: 'allowed', deny: 'denied', warn: 'denied', audit: 'denied' } as const;

export function observerOf(metrics: Metrics): Observer {
  const { requests, admission, storage } = metricTable;
  const steps = metrics.histogram(admission.metrics.steps);
  const plugins = metrics.histogram(admission.metrics.plugins);
  const checks = metrics.number(admission.metrics.policyChecks);
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
  const initEvents = metrics.number(requests.metrics.initEvents);
  const [lists, fetched, evaluated, returned] = [
    metrics.number(storage.metrics.lists),
    metrics.number(storage.metrics.fetched),
    metrics.number(storage.metrics.evaluated),
    metrics.number(storage.metrics.returned),
  ];
  // Looked up once per resource: otherwise a list is 10 % slower.
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
      const sent = events.with(group, names.kind, version);
      const sizes = hasOwnBuckets(module)
        ? eventSizes.with(group, names.kind, version)
        : eventSizes.with(all, all, all);
      const initial = initEvents.with(resourceName(group, names.plural));
      return {
        event(bytes) {
          sent.value++;
          sizes.observe(bytes);
        },
        initial() {
          initial.value++;
        },
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
    deprecatedUse({ group, removedRelease, resource, subresource, version }) {
      deprecated.with(group, removedRelease, resource, subresource, version).value = 1;
    },
    policyChecked({ policy, binding, action }, seconds) {
      const labels = [action, policy, binding, 'active', outcomes[action]];
      checks.with(...labels).value++;
      checkSeconds.with(...labels).observe(seconds);
    },
    podSecurityJudged({ mode, decision, level, version, operation, resource, subresource }) {
      judgements.with(decision, mode, '', level, version, operation.toLowerCase(), resource, subresource).value++;
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

/** The group, resource and version of the series that all kinds without buckets of their own share. */
export const all = '*';

/**
 * Reports whether a kind has histograms of its own. Built-in kinds do, and there are only so many of them. Kinds of
 * users share theirs: each would add 60 kB to every scrape.
 */
export const hasOwnBuckets = ({ group, decoding }: ResourceModule): boolean =>
  decoding === 'typed' && (!group.includes('.') || /\.(k8s|platform)\.io$/.test(group));

/** Returns the observer of storage. */
export function storageObserverOf(metrics: Metrics): StorageObserver {
  const { storage } = metricTable;
  const commits: HistogramSeries = metrics.histogram(storage.metrics.commitSeconds).with();
  const changes = metrics.number(storage.metrics.commitChanges).with();
  const asked = metrics.histogram(storage.metrics.etcdSeconds);
  const damaged = metrics.number(storage.metrics.damaged).with();
  return {
    committed(count, seconds) {
      commits.observe(seconds);
      changes.value += count;
    },
    asked: (operation, type, seconds) => asked.with(operation, type).observe(seconds),
    damaged: () => {
      damaged.value++;
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

/** Returns the name of a resource in storage metrics: `pods`, `deployments.apps`. */
export const resourceName = (group: string, plural: string): string => (group === '' ? plural : `${plural}.${group}`);

/** Returns that name for a module. */
export const nameOfModule = ({ group, names }: ResourceModule): string => resourceName(group, names.plural);
