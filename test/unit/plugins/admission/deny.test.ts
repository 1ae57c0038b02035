import { describe, expect, it } from 'vitest';
import {
  defineAlwaysAdmit,
  defineAlwaysDenyAdmission,
  defineDenyServiceExternalIPs,
  defineLimitPodHardAntiAffinityTopology,
  defineSecurityContextDeny,
} from '../../../../plugins/index.js';
import type { JsonObject, Operation } from '../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { moduleOf } from '../../../support/modules.js';
import { contextOf, contextWith, namespaces, object, write } from './attributes.js';
import { pods, writePod } from './pods.js';

describe('DenyServiceExternalIPs', () => {
  const services = moduleOf('', 'services', 'Service');
  const plugin = defineDenyServiceExternalIPs();
  const withAddresses = (...externalIPs: string[]) => object({ spec: { externalIPs } });
  const create = (...addresses: string[]) => write({ resource: services, object: withAddresses(...addresses) });
  const update = (now: readonly string[], old: readonly string[]) =>
    write({
      operation: 'UPDATE',
      resource: services,
      object: withAddresses(...now),
      oldObject: withAddresses(...old),
    });

  testAdmissionPlugin({
    plugin,
    admitted: create(),
    refused: create('192.0.2.1'),
    context: contextWith({}),
    words: ['externalIPs'],
  });

  describe('external addresses', () => {
    it.each([
      [['192.0.2.1'], ['192.0.2.1']],
      [['192.0.2.2'], ['192.0.2.1', '192.0.2.2']],
      [[], ['192.0.2.1']],
    ])('may become %j from %j', async (now, old) =>
      expect(await runPlugin(plugin, update(now, old), contextWith({}))).toBeUndefined(),
    );

    it.each([
      [['192.0.2.1'], []],
      [
        ['192.0.2.1', '192.0.2.3'],
        ['192.0.2.1', '192.0.2.2'],
      ],
    ])('may not become %j from %j', async (now, old) =>
      expect(await runPlugin(plugin, update(now, old), contextWith({}))).toMatchObject({
        reason: 'Forbidden',
        message: 'services "a" is forbidden: Use of external IPs is denied by admission control',
      }),
    );

    it('are not checked in the status, which cannot change them', () => {
      expect(plugin.handles(services, 'UPDATE', 'status')).toBe(false);
      expect(plugin.handles(services, 'DELETE', '')).toBe(false);
    });
  });
});

describe('AlwaysAdmit and AlwaysDeny', () => {
  const operations: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

  describe.each(operations)('%s', (operation) => {
    const writes = [
      write({ operation, object: object() }),
      write({ operation, resource: namespaces, namespace: '', subresource: 'status', oldObject: object() }),
    ];

    it.each(writes)('passes AlwaysAdmit (%#)', async (one) =>
      expect(await runPlugin(defineAlwaysAdmit(), one, contextWith({}))).toBeUndefined(),
    );

    it.each(writes)('does not pass AlwaysDeny, by either of its stages (%#)', async (one) => {
      const plugin = defineAlwaysDenyAdmission();
      const message = `${one.resource.names.plural} "a" is forbidden: admission control is denying all modifications`;
      expect(await runPlugin(plugin, one, contextWith({}))).toMatchObject({ reason: 'Forbidden', message });
      expect(await plugin.validate?.(one, contextWith({}))).toMatchObject({ reason: 'Forbidden', message });
    });
  });

  describe('the server itself', () => {
    const itself = { name: 'system:apiserver', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} };
    const by = (user: typeof itself) => runPlugin(defineAlwaysDenyAdmission(), write({ user }), contextWith({}));

    it('passes AlwaysDeny, because it would not start otherwise', async () => expect(await by(itself)).toBeUndefined());

    it('is not identified by its name alone', async () => {
      expect(await by({ ...itself, groups: ['system:authenticated'] })).toMatchObject({ reason: 'Forbidden' });
      expect(await by({ ...itself, name: 'admin' })).toMatchObject({ reason: 'Forbidden' });
    });
  });
});

describe('LimitPodHardAntiAffinityTopology', () => {
  const plugin = defineLimitPodHardAntiAffinityTopology(kubernetesNaming);
  const context = contextOf({});
  const host = 'kubernetes.io/hostname';
  const zone = 'topology.kubernetes.io/zone';
  const apart = (...keys: string[]): JsonObject => ({
    affinity: {
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: keys.map((topologyKey) => ({ topologyKey })) },
    },
  });
  const together: JsonObject = {
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: zone }] } },
  };
  const preferred: JsonObject = {
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: zone } }],
      },
    },
  };

  it.each([{}, apart(), apart(host), together, preferred])('accepts a pod with %j', async (spec) =>
    expect(await runPlugin(plugin, writePod(spec), context)).toBeUndefined(),
  );

  it.each([
    [apart(zone), zone],
    [apart(host, 'example.com/rack', zone), 'example.com/rack'],
  ])('refuses a pod with %j', async (spec, key) => {
    const failure = await runPlugin(plugin, writePod(spec), context);
    const said = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${key}`;
    expect(failure?.message).toBe(`pods "a" is forbidden: ${said} but only key ${host} is allowed`);
  });

  testAdmissionPlugin({
    plugin,
    admitted: writePod(apart(host)),
    refused: writePod(apart(zone)),
    context,
    words: ['affinity', 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'topologyKey'],
  });
});

describe('SecurityContextDeny', () => {
  const plugin = defineSecurityContextDeny();
  const context = contextOf({});
  const containers = (securityContext: JsonObject): JsonObject[] => [{ name: 'c', securityContext }];

  describe('a pod', () => {
    it.each<JsonObject>([
      {},
      { securityContext: {} },
      { securityContext: { runAsGroup: 1, runAsNonRoot: true, fsGroupChangePolicy: 'Always' } },
      { containers: containers({ runAsGroup: 1, privileged: true }) },
      { ephemeralContainers: containers({ runAsUser: 1 }) },
    ])('with %j is accepted', async (spec) => expect(await runPlugin(plugin, writePod(spec), context)).toBeUndefined());

    it.each<[JsonObject, string]>([
      [{ securityContext: { supplementalGroups: [] } }, 'pod.Spec.SecurityContext.SupplementalGroups'],
      [{ securityContext: { runAsUser: 1, seLinuxOptions: {} } }, 'pod.Spec.SecurityContext.SELinuxOptions'],
      [{ securityContext: { fsGroup: 1, runAsUser: 0 } }, 'pod.Spec.SecurityContext.RunAsUser'],
      [{ securityContext: { fsGroup: 1 } }, 'pod.Spec.SecurityContext.FSGroup'],
      [{ containers: [{ name: 'a' }, ...containers({ runAsUser: 0 })] }, 'SecurityContext.RunAsUser'],
      [{ initContainers: containers({ seLinuxOptions: { level: 's0' } }) }, 'SecurityContext.SELinuxOptions'],
    ])('with %j is refused', async (spec, field) => {
      const failure = await runPlugin(plugin, writePod(spec), context);
      expect(failure?.message).toBe(`pods "a" is forbidden: ${field} is forbidden`);
    });

    it('is not checked in its subresources', () =>
      expect(plugin.handles(pods, 'UPDATE', 'ephemeralcontainers')).toBe(false));
  });

  testAdmissionPlugin({
    plugin,
    admitted: writePod({}),
    refused: writePod({ securityContext: { runAsUser: 1 } }),
    context,
    words: ['securityContext', 'containers', 'runAsUser', 'seLinuxOptions'],
  });
});
