/** The document of `/`: every path that leads on or answers by itself. */
import type { JsonObject } from '../contract/index.js';
import { formatGroupVersion } from '../objects/gvk.js';
import type { Registry } from '../registry/registry.js';
import { groupsOf } from './discovery.js';
import { type HealthCheck, hasCheck } from './health.js';

const always: readonly string[] = [
  '/api',
  '/apis',
  '/apis/',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/',
  '/version',
  '/metrics',
];

/** Lists the paths in the order of their names. */
export function rootPaths(registry: Registry, checks: readonly HealthCheck[], others: readonly string[]): JsonObject {
  const core = registry.resources.filter(({ module }) => module.group === '').map(({ module }) => module.version);
  const groups = groupsOf(registry).flatMap(({ group, versions }) => [
    `/apis/${group}`,
    ...versions.map((version) => `/apis/${formatGroupVersion(group, version)}`),
  ]);
  const health = (['healthz', 'livez', 'readyz'] as const).flatMap((endpoint) => [
    `/${endpoint}`,
    ...checks.flatMap(({ name }) => (hasCheck(endpoint, name, checks) ? `/${endpoint}/${name}` : [])),
  ]);
  const paths = new Set([...always, ...core.map((version) => `/api/${version}`), ...groups, ...health, ...others]);
  return { paths: [...paths].sort() };
}
