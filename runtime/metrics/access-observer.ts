/** Counts the work of the files about authentication and authorization. */
import { createHash } from 'node:crypto';
import type { AccessDecision, Authorizer } from '../contract/index.js';
import { access, accessFiles } from './access-metrics.js';
import type { Metric } from './metric.js';
import type { Metrics } from './metrics.js';

const table = accessFiles.metrics;

/** The server's only identity is its address. The label with its hash is empty, as in the reference in this case. */
const noId = '';

const hashOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Returns the observer of an AuthenticationConfiguration. */
export function authenticationObserverOf(metrics: Metrics) {
  const seconds = metrics.histogram(table.jwtSeconds);
  const fetchedAt = metrics.number(table.keysFetchedAt);
  /** Hashes of keys by the hash of their issuer. */
  const hashes = new Map<string, string>();
  metrics.sample(table.fetchedKeys, () =>
    [...hashes].map(([jwt_issuer_hash, hash]) => ({
      labels: { apiserver_id_hash: noId, hash, jwt_issuer_hash },
      value: 1,
    })),
  );
  return {
    ...fileObserver(metrics, table.authenticationReloads, table.authenticationReloadedAt, table.authenticationConfig),
    authenticated: (issuerUrl: string, recognized: boolean, took: number): void =>
      seconds.with(hashOf(issuerUrl), recognized ? 'success' : 'failure').observe(took),
    /** Returns a function that records the fetched keys of an issuer; `undefined` if the fetch failed. */
    fetched(issuerUrl: string): (keys: string | undefined) => void {
      const issuer = hashOf(issuerUrl);
      return (keys) => {
        fetchedAt.with(noId, issuer, keys === undefined ? 'failure' : 'success').value = Date.now() / 1000;
        if (keys !== undefined) hashes.set(issuer, hashOf(keys));
      };
    },
  };
}

/** Returns a function that counts uses of service account tokens. */
export function tokenCounterOf(metrics: Metrics): (use: 'valid' | 'stale' | 'legacy' | 'auto' | 'manual') => void {
  const { validTokens, staleTokens, legacyTokens, autoTokens, manualTokens } = access.metrics;
  const series = {
    valid: metrics.number(validTokens).with(),
    stale: metrics.number(staleTokens).with(),
    legacy: metrics.number(legacyTokens).with(),
    auto: metrics.number(autoTokens).with(),
    manual: metrics.number(manualTokens).with(),
  };
  return (use) => {
    series[use].value++;
  };
}

/** Returns the observer of an AuthorizationConfiguration. */
export function authorizationObserverOf(metrics: Metrics) {
  const decisions = metrics.number(table.decisions);
  const calls = metrics.number(table.webhookCalls);
  const callSeconds = metrics.histogram(table.webhookSeconds);
  return {
    ...fileObserver(metrics, table.authorizationReloads, table.authorizationReloadedAt, table.authorizationConfig),
    webhook(name: string) {
      const labels = [name, 'Webhook'] as const;
      const conditionSeconds = metrics.histogram(table.conditionSeconds).with(...labels);
      return {
        matched(outcome: 'met' | 'excluded' | 'error', took: number): void {
          conditionSeconds.observe(took);
          if (outcome === 'error') metrics.number(table.conditionErrors).with(...labels).value++;
          if (outcome === 'excluded') metrics.number(table.conditionExclusions).with(...labels).value++;
        },
        asked(result: string, took: number): void {
          calls.with(name, result).value++;
          callSeconds.with(name, result).observe(took);
        },
        failedOpen(result: string): void {
          metrics.number(table.webhookFailOpen).with(name, result).value++;
        },
      };
    },
    /** Returns the authorizer with a count of its decisions. */
    counted(type: string, name: string, authorizer: Authorizer): Authorizer {
      const count = (decided: AccessDecision): AccessDecision => {
        if (decided.decision === 'allow') decisions.with('allowed', name, type).value++;
        if (decided.decision === 'deny') decisions.with('denied', name, type).value++;
        return decided;
      };
      return {
        ...authorizer,
        decide(attributes) {
          const decided = authorizer.decide(attributes);
          return decided instanceof Promise ? decided.then(count) : count(decided);
        },
      };
    },
  };
}

function fileObserver(
  metrics: Metrics,
  reloads: Metric & { type: 'counter' },
  reloadedAt: Metric & { type: 'gauge' },
  config: Metric,
) {
  let hash = '';
  return {
    /** Records the hash of the text in use. */
    read(text: string): void {
      if (hash === '') metrics.sample(config, () => [{ labels: { apiserver_id_hash: noId, hash }, value: 1 }]);
      hash = hashOf(text);
    },
    /** Counts a change of the file. `used`: whether the new file is valid. */
    reloaded(used: boolean): void {
      const status = used ? 'success' : 'failure';
      metrics.number(reloads).with(noId, status).value++;
      metrics.number(reloadedAt).with(noId, status).value = Date.now() / 1000;
    },
  };
}
