/** SecurityContextDeny: no users, groups and options of SELinux of pods' own. */
import { describe, expect, it } from 'vitest';
import { defineSecurityContextDeny } from '../../../../../plugins/index.js';
import type { JsonObject } from '../../../../../runtime/contract/index.js';
import { runPlugin, testAdmissionPlugin } from '../../../../support/admission-suite.js';
import { contextOf } from '../attributes.js';
import { pods, writePod } from './pods.js';

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
  ])('with %j is let in', async (spec) => {
    expect(await runPlugin(plugin, writePod(spec), context)).toBeUndefined();
  });

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

  it('is not looked at in its subresources', () => {
    expect(plugin.handles(pods, 'UPDATE', 'ephemeralcontainers')).toBe(false);
  });
});

testAdmissionPlugin({
  plugin,
  admitted: writePod({}),
  refused: writePod({ securityContext: { runAsUser: 1 } }),
  context,
  words: ['securityContext', 'containers', 'runAsUser', 'seLinuxOptions'],
});
