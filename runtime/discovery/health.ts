/** Health endpoints: `/healthz`, `/livez`, `/readyz`, whole or one check at a time. */
import type { Store } from '../contract/index.js';
import { type ApiResponse, queryOf } from '../request/api-request.js';
import { plainText, textNotFound } from './documents.js';

/** One check; `problem` returns an empty text if all is well. */
export interface HealthCheck {
  readonly name: string;
  readonly problem: () => string;
  /** Whether only readiness depends on the check. A server that waits for other systems must not be restarted. */
  readonly readinessOnly?: boolean;
}

/**
 * Finds a check that is served only by its name and is not part of `/healthz`; returns `undefined` if there is none.
 */
export type HealthOf = (name: string) => HealthCheck | undefined;

/**
 * Returns the checks of a server that has just started. They count for liveness only after the server has had time to
 * start.
 */
export const allAlive = (checks: readonly HealthCheck[]): readonly HealthCheck[] =>
  checks.map((check) => ({ ...check, problem: () => '' }));

/** Checks that all parts of the server are up to date with the store. */
export const followersCheck = (followers: { readonly problem: () => string }): HealthCheck => ({
  name: 'followers',
  problem: () => followers.problem(),
  readinessOnly: true,
});

export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';

/** Checks only that requests are answered. */
export const ping: HealthCheck = { name: 'ping', problem: () => '' };

/** Checks that the store can be reached and memory is up to date. */
export const storageCheck = (store: Pick<Store, 'health'>): HealthCheck => ({
  name: 'storage',
  problem: () => store.health(),
  readinessOnly: true,
});

/** Returns whether an endpoint has a check with a name. The endpoint as a whole has the empty name. */
export const hasCheck = (endpoint: HealthEndpoint, name: string | undefined, all: readonly HealthCheck[]): boolean =>
  name === undefined || all.some((check) => check.name === name && isPart(endpoint, check));

const isPart = (endpoint: HealthEndpoint, { readinessOnly }: HealthCheck): boolean =>
  !readinessOnly || endpoint === 'readyz';

/** Answers an endpoint, or one of its checks if the path names one. */
export function answerHealth(
  endpoint: HealthEndpoint,
  check: string | undefined,
  all: readonly HealthCheck[],
  search: string,
): ApiResponse {
  const checks = all.filter((check) => isPart(endpoint, check));
  if (check !== undefined) return answerCheck(check, checks);
  const query = queryOf(search);
  const excluded = new Set(query.all('exclude'));
  const lines: string[] = [];
  let failed = false;
  for (const { name, problem } of checks) {
    if (excluded.delete(name)) {
      lines.push(`[+]${name} excluded: ok`);
      continue;
    }
    const broken = problem() !== '';
    failed ||= broken;
    lines.push(broken ? `[-]${name} failed: reason withheld` : `[+]${name} ok`);
  }
  if (excluded.size > 0) {
    const names = [...excluded].sort().map((name) => JSON.stringify(name));
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names.join(',')}`);
  }
  if (failed) return plainText(500, `${lines.join('\n')}\n${endpoint} check failed\n`);
  return plainText(200, query.has('verbose') ? `${lines.join('\n')}\n${endpoint} check passed\n` : 'ok');
}

function answerCheck(name: string, checks: readonly HealthCheck[]): ApiResponse {
  const check = checks.find((one) => one.name === name);
  if (!check) return textNotFound();
  const problem = check.problem();
  return problem === '' ? plainText(200, 'ok') : plainText(500, `internal server error: ${problem}\n`);
}
