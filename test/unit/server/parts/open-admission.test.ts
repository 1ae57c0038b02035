import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createClient } from '../../../../generated/index.js';
import { configurationSchema, defineAdmissionPlugin } from '../../../../plugins/kit.js';
import type { AdmissionPlugin } from '../../../../runtime/contract/index.js';
import { forbiddenObject } from '../../../../runtime/objects/status.js';
import { type AdmissionOptions, type RunningServer, type StartOptions, startServer } from '../../../../server/index.js';
import { openAdmission } from '../../../../server/parts/open-admission.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const folder = scratchFolder();
const open: RunningServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop();
});

function limit(more: { readonly byDefault: { readonly most: number } } | { readonly required: true }): AdmissionPlugin {
  let allowed = 0;
  return defineAdmissionPlugin({
    name: 'MostKeys',
    configuration: {
      apiVersions: [],
      schema: configurationSchema.fields({ most: configurationSchema.whole({ least: 1 }) }),
      ...more,
    },
    start: (_host, { most }) => {
      allowed = most;
    },
    handles: (resource, operation) => resource.names.plural === 'configmaps' && operation === 'CREATE',
    validate: ({ object, resource, name }) =>
      Object.keys(object?.data ?? {}).length > allowed
        ? forbiddenObject(resource.group, resource.names.plural, name, `at most ${allowed} keys`)
        : undefined,
  });
}

async function started(admission: AdmissionOptions, more: Partial<StartOptions> = {}) {
  const notices: string[] = [];
  const server = await startServer({
    http: false,
    admission,
    onProblem: (problem) => notices.push(problem),
    ...more,
  });
  open.push(server);
  const maps = createClient(server.client()).core.v1.configMaps.in('default');
  const create = (name: string, keys: number) =>
    maps.create({
      metadata: { name },
      data: Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, ''])),
    });
  return { server, notices, create };
}

function fileWith(body: string): string {
  const file = join(folder, 'admission.yaml');
  writeFileSync(file, `apiVersion: apiserver.config.platform.io/v1\nkind: AdmissionConfiguration\nplugins:\n${body}`);
  return file;
}

describe('the configuration of a plugin', () => {
  it('comes from the file, and contains', async () => {
    const configurationFile = fileWith('- name: MostKeys\n  configuration: { most: 2 }\n');
    const { create, notices } = await started({ plugins: [limit({ byDefault: { most: 1 } })], configurationFile });
    await create('two', 2);
    await expect(create('three', 3)).rejects.toThrow('at most 2 keys');
    expect(notices).toEqual([]);
  });

  it("is the plugin's own if the file has none", async () => {
    const { create } = await started({ plugins: [limit({ byDefault: { most: 1 } })] });
    await expect(create('two', 2)).rejects.toThrow('at most 1 keys');
  });

  it('is required by plugins that cannot work without it', () =>
    expect(started({ plugins: [limit({ required: true })] })).rejects.toThrow(
      'the admission plugin MostKeys needs a configuration; give it one in the file of admission.configurationFile',
    ));

  it('is required by a built-in plugin that cannot work without it', () =>
    expect(started({ enable: ['EventRateLimit'] })).rejects.toThrow(
      'the admission plugin EventRateLimit needs a configuration; give it one in the file of admission.configurationFile',
    ));

  it('ends the start if it is wrong', async () => {
    const configurationFile = fileWith('- name: MostKeys\n  configuration: { most: 0 }\n');
    await expect(started({ plugins: [limit({ required: true })], configurationFile })).rejects.toThrow(
      `admission.configurationFile ${configurationFile}:5:26: plugins[0].configuration.most: 0 is less than 1`,
    );
  });

  it('of a plugin that does not run is reported', async () => {
    const configurationFile = fileWith('- name: MostKeys\n  configuration: { most: 1 }\n');
    const options = { plugins: [limit({ required: true })], disable: ['MostKeys'], configurationFile };
    const { create, notices } = await started(options);
    await create('three', 3);
    expect(notices).toEqual([
      `${configurationFile}: the configuration of MostKeys has no effect, because the plugin does not run`,
    ]);
  });
});

describe('switching plugins', () => {
  it('turns off one that is on by default', async () => {
    const { server } = await started({ disable: ['NamespaceLifecycle'] });
    const maps = createClient(server.client()).core.v1.configMaps.in('nowhere');
    expect((await maps.create({ metadata: { name: 'a' } })).metadata.namespace).toBe('nowhere');
  });

  it('refuses unknown names', () =>
    expect(started({ enable: ['NamespaceLifecycl'] })).rejects.toThrow(
      'admission.enable: "NamespaceLifecycl" is unknown; did you mean `NamespaceLifecycle`?',
    ));

  it('turns on one that needs a gate together with the gate only', async () => {
    const enable = ['SecurityContextDeny'];
    await expect(started({ enable })).rejects.toThrow(
      'admission.enable: SecurityContextDeny needs SecurityContextDeny=true in featureGates',
    );
    expect((await started({ enable }, { featureGates: 'SecurityContextDeny=true' })).notices).toEqual([]);
    expect((await started({})).notices).toEqual([]);
  });

  it('reports kinds that have no effect then, unless they are not served', async () => {
    const disable = ['ValidatingAdmissionPolicy'];
    const place = 'admissionregistration.platform.io/v1alpha1/validatingadmissionpolicies';
    expect((await started({ disable }, { runtimeConfig: 'api/all=true' })).notices).toEqual([
      `ValidatingAdmissionPolicy is off, so objects of ${place} have no effect; add ${place}=false to the runtime config`,
    ]);
    expect((await started({ disable })).notices).toEqual([]);
  });

  it.each([
    ['MutatingAdmissionWebhook', 'mutatingwebhookconfigurations'],
    ['ValidatingAdmissionWebhook', 'validatingwebhookconfigurations'],
  ])('reports %s', async (name, resource) => {
    const place = `admissionregistration.k8s.io/v1/${resource}`;
    const options = { naming: 'kubernetes' } as const;
    expect((await started({ disable: [name] }, options)).notices).toEqual([
      `${name} is off, so objects of ${place} have no effect; add ${place}=false to the runtime config`,
    ]);
    const unserved = { ...options, runtimeConfig: `${place}=false` };
    expect((await started({ disable: [name] }, unserved)).notices).toEqual([]);
  });

  it('lets a server start that denies every write', async () => {
    const { create, server } = await started({ enable: ['AlwaysDeny'] });
    await expect(create('a', 1)).rejects.toThrow('admission control is denying all modifications');
    expect((await createClient(server.client()).core.v1.namespaces.list()).items.length).toBeGreaterThan(0);
  });

  it('labels volumes with the given function', async () => {
    const enable = ['PersistentVolumeLabel'];
    const label = 'topology.platform.io/zone';
    const { server, notices } = await started({ enable, volumeLabels: () => ({ [label]: 'a' }) });
    const made = await createClient(server.client()).core.v1.persistentVolumes.create({
      metadata: { name: 'v' },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' } },
    });
    expect(made.metadata.labels).toEqual({ [label]: 'a' });
    expect(made.spec?.nodeAffinity?.required?.nodeSelectorTerms).toHaveLength(1);
    expect(notices).toEqual(['the admission plugin PersistentVolumeLabel is deprecated and will be removed']);
  });

  it('labels no volumes if nothing knows their labels, and reports it once', async () => {
    const { server, notices } = await started({ enable: ['PersistentVolumeLabel'] });
    const volumes = createClient(server.client()).core.v1.persistentVolumes;
    for (const name of ['a', 'b']) {
      const spec = {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce' as const],
        hostPath: { path: '/data' },
      };
      expect((await volumes.create({ metadata: { name }, spec })).metadata.labels).toBeUndefined();
    }
    expect(notices.filter((notice) => notice.includes('no labels'))).toEqual([
      'the admission plugin PersistentVolumeLabel adds no labels, because no source of labels is configured',
    ]);
  });

  it('reports deprecated plugins that run', async () => {
    const plugin: AdmissionPlugin = { name: 'AlwaysAdmit', handles: () => false };
    const kinds = {
      modules: [],
      laterModules: [],
      handlers: [],
      conversions: [],
      virtualHandlers: [],
      plugins: [],
      optionalPlugins: [plugin],
    };
    expect((await openAdmission(kinds)).notices).toEqual([]);
    expect((await openAdmission(kinds, { enable: ['AlwaysAdmit'] })).notices).toEqual([
      'the admission plugin AlwaysAdmit is deprecated and will be removed',
    ]);
  });
});
