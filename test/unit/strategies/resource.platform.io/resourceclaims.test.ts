import { expect, it } from 'vitest';
import { registry } from '../../../../generated/registry.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { type EmulatedVersion, emulate } from '../../../../runtime/objects/release.js';
import { modulesInRelease } from '../../../../runtime/registry/modules-in-release.js';
import { conversions, kindHandlers } from '../../../../strategies/index.js';
import { checkSelectors } from '../../../../strategies/resource.platform.io/device-selectors.js';
import { everyVersion } from '../../../support/kind-api.js';
import { suiteApi } from '../../../support/test-api.js';

const api = await suiteApi(
  modulesInRelease(registry, emulate('latest')).filter(({ names }) => names.plural === 'resourceclaims'),
  {
    handlers: kindHandlers(platformNaming),
    conversions,
    featureEnabled: () => true,
    runtimeConfig: everyVersion,
  },
);

const place = (version: string): string => `/apis/resource.platform.io/${version}/namespaces/default/resourceclaims`;
const create = (version: string, name: string, request: JsonObject) =>
  api.send('POST', place(version), {
    apiVersion: `resource.platform.io/${version}`,
    kind: 'ResourceClaim',
    metadata: { name },
    spec: { devices: { requests: [{ name: 'gpu', ...request }] } },
  });

it('keeps the fields of a v1beta1 request below `exactly`', async () => {
  const { code: status } = await create('v1beta1', 'flat', { deviceClassName: 'gpu.example.com' });
  expect(status).toBe(201);
  const exactly = { deviceClassName: 'gpu.example.com', allocationMode: 'ExactCount', count: 1 };
  const { body } = await api.send('GET', `${place('v1')}/flat`);
  expect(body).toMatchObject({ spec: { devices: { requests: [{ name: 'gpu', exactly }] } } });
});

it('refuses a selector that is not a condition on devices', async () => {
  const select = (expression: string): JsonObject => ({
    exactly: { deviceClassName: 'gpu.example.com', selectors: [{ cel: { expression } }] },
  });
  const good =
    'device.attributes["gpu.example.com"].model == "a" && device.capacity["d"].m.isGreaterThan(quantity("1Gi"))';
  expect((await create('v1', 'good', select(good))).code).toBe(201);
  expect((await create('v1', 'text', select('device.driver'))).code).toBe(422);
  expect((await create('v1', 'unknown', select('device.name == "a"'))).code).toBe(422);
});

it('lets a selector use functions of the release before, and semantic versions', () => {
  const problems = (expression: string, release: EmulatedVersion): number =>
    [...checkSelectors([{ cel: { expression } }], 'selectors', emulate(release))].length;
  const versions = `cel.bind(a, device.attributes['x'], a.version.isLessThan(semver('1.2.0')))`;
  const lists = '[1].reverse() == [1]';
  expect([problems(versions, '1.32'), problems(lists, '1.34'), problems(lists, '1.35')]).toEqual([0, 1, 0]);
  // An attribute has at most 64 characters, so its cost has a limit.
  expect(problems("device.attributes['x'].a.matches('^a+$')", 'latest')).toBe(0);
});
