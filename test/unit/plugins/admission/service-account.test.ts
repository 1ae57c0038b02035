import { describe, expect, it } from 'vitest';
import { defineServiceAccount } from '../../../../plugins/index.js';
import type { AdmissionAttributes, AdmissionContext, JsonObject } from '../../../../runtime/contract/index.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/names/naming.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { contextOf, object } from './attributes.js';
import { pod, pods, writePod } from './pods.js';

const atOnce = (): Promise<void> => Promise.resolve();
const plugin = defineServiceAccount(kubernetesNaming, atOnce);
const account = (name: string, more: JsonObject = {}, annotations: Record<string, string> = {}) =>
  object({ metadata: { name, annotations }, ...more });
const context = contextOf({
  '/serviceaccounts/team/default': account('default'),
  '/serviceaccounts/team/builder': account('builder', { imagePullSecrets: [{ name: 'registry' }] }),
  '/serviceaccounts/team/quiet': account('quiet', { automountServiceAccountToken: false }),
  '/serviceaccounts/team/strict': account(
    'strict',
    { secrets: [{ name: 'mine' }], imagePullSecrets: [{ name: 'registry' }] },
    { 'kubernetes.io/enforce-mountable-secrets': 'true' },
  ),
});
const path = '/var/run/secrets/kubernetes.io/serviceaccount';
const container = (more: JsonObject = {}): JsonObject => ({ name: 'c', image: 'i', ...more });
const noToken = { automountServiceAccountToken: false, containers: [container()] };

/** Returns the spec that a pod gets, or why it is refused. */
async function specOf(sent: JsonObject, by = plugin, within: AdmissionContext = context): Promise<unknown> {
  const spec = structuredClone(sent);
  const failure = await runPlugin(by, writePod(spec), within);
  return failure?.message ?? spec;
}

describe('the account of a pod', () => {
  it('is the default one, or the one that it names in either field', async () => {
    const as = (name: string) => ({ ...noToken, serviceAccountName: name, serviceAccount: name });
    expect(await specOf(noToken)).toEqual(as('default'));
    expect(await specOf({ ...noToken, serviceAccountName: 'quiet' })).toEqual(as('quiet'));
    expect(await specOf({ ...noToken, serviceAccount: 'quiet' })).toEqual(as('quiet'));
    expect(await specOf({ ...noToken, serviceAccountName: 'quiet', serviceAccount: 'x' })).toEqual(as('quiet'));
  });

  it('must exist', async () => {
    const missing = (name: string) =>
      `pods "a" is forbidden: error looking up service account team/${name}: serviceaccount "${name}" not found`;
    expect(await specOf({ ...noToken, serviceAccountName: 'none' })).toBe(missing('none'));
    expect(await specOf(noToken, plugin, contextOf({}))).toBe(missing('default'));
  });

  it('is waited for if it is the default one', async () => {
    let asked = 0;
    const late = { ...context, get: () => (++asked > 3 ? account('default') : undefined) };
    expect(await specOf(noToken, plugin, late)).toMatchObject({ serviceAccountName: 'default' });
    asked = 0;
    expect(await specOf({ ...noToken, serviceAccountName: 'none' }, plugin, late)).toMatch('not found');
    expect(asked).toBe(1);
  });

  it('gives its pull secrets to pods that have none', async () => {
    const spec = { ...noToken, serviceAccountName: 'builder' };
    expect(await specOf(spec)).toMatchObject({ imagePullSecrets: [{ name: 'registry' }] });
    const own = { imagePullSecrets: [{ name: 'own' }] };
    expect(await specOf({ ...spec, ...own })).toMatchObject(own);
  });
});

describe('the token', () => {
  const mounted = (name: unknown, mountPath = path) => ({ name, readOnly: true, mountPath });

  it('is a volume that all containers mount', async () => {
    const spec = { containers: [container()], initContainers: [container({ volumeMounts: [{ mountPath: '/x' }] })] };
    const name = expect.stringMatching(/^kube-api-access-[a-z0-9]{5}$/);
    expect(await specOf(spec)).toMatchObject({
      containers: [{ volumeMounts: [mounted(name)] }],
      initContainers: [{ volumeMounts: [{ mountPath: '/x' }, mounted(name)] }],
      volumes: [
        {
          name,
          projected: {
            defaultMode: 420,
            sources: [
              { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
              { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
              {
                downwardAPI: {
                  items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
                },
              },
            ],
          },
        },
      ],
    });
    const platform = await specOf(spec, defineServiceAccount(platformNaming, atOnce));
    const mountPath = '/var/run/secrets/platform.io/serviceaccount';
    expect(platform).toMatchObject({ containers: [{ volumeMounts: [mounted(name, mountPath)] }] });
  });

  it('is not mounted if the pod or its account opts out', async () => {
    expect(await specOf(noToken)).not.toHaveProperty('volumes');
    const quiet = { containers: [container()], serviceAccountName: 'quiet' };
    expect(await specOf(quiet)).not.toHaveProperty('volumes');
    expect(await specOf({ ...quiet, automountServiceAccountToken: true })).toHaveProperty('volumes');
  });

  it('is replaced by another mount at its path', async () => {
    const taken = { containers: [container({ volumeMounts: [{ name: 'v', mountPath: path }] })] };
    expect(await specOf(taken)).toEqual({ ...taken, serviceAccountName: 'default', serviceAccount: 'default' });
  });

  it('reuses a volume with the name of a token volume', async () => {
    const volumes = [{ name: 'kube-api-access-mine', emptyDir: {} }];
    expect(await specOf({ containers: [container()], volumes })).toMatchObject({
      volumes,
      containers: [{ volumeMounts: [mounted('kube-api-access-mine')] }],
    });
  });
});

describe('an account that limits secrets', () => {
  const strict = { ...noToken, serviceAccountName: 'strict' };
  const env = (name: string) => [{ name: 'E', valueFrom: { secretKeyRef: { name, key: 'k' } } }];
  const ends = (what: string) => `is not allowed because service account strict does not reference that ${what}`;

  it.each<[string, JsonObject]>([
    ['a volume of its secret', { volumes: [{ name: 'v', secret: { secretName: 'mine' } }] }],
    ['a variable of its secret', { containers: [container({ env: env('mine') })] }],
    ['its pull secret', { imagePullSecrets: [{ name: 'registry' }] }],
    ['all variables of another', { containers: [container({ envFrom: [{ secretRef: { name: 'other' } }] })] }],
  ])('allows %s', async (_, more) => expect(await specOf({ ...strict, ...more })).toMatchObject(more));

  it.each<[JsonObject, string]>([
    [{ volumes: [{ secret: { secretName: 'other' } }] }, `volume with secret.secretName="other" ${ends('secret')}`],
    [
      { containers: [container({ env: env('other') })] },
      `container c with envVar E referencing secret.secretName="other" ${ends('secret')}`,
    ],
    [
      { initContainers: [container({ env: env('other') })] },
      `init container c with envVar E referencing secret.secretName="other" ${ends('secret')}`,
    ],
    [
      { imagePullSecrets: [{ name: 'registry' }, { name: 'other' }] },
      `imagePullSecrets[1].name="other" ${ends('imagePullSecret')}`,
    ],
  ])('refuses %j', async (more, why) =>
    expect(await specOf({ ...strict, ...more })).toBe(`pods "a" is forbidden: ${why}`),
  );

  it('limits secrets as a whole after release 1.29', async () => {
    const containers = [container({ envFrom: [{ secretRef: { name: 'mine' } }, { secretRef: { name: 'other' } }] })];
    const later = defineServiceAccount(kubernetesNaming, atOnce, emulate('1.30'));
    expect(await specOf({ ...strict, containers }, later)).toBe(
      `pods "a" is forbidden: container c with envFrom referencing secret.secretName="other" ${ends('secret')}`,
    );
    expect(await specOf({ ...strict, containers })).toBeTypeOf('object');
  });

  it('limits ephemeral containers as well', async () => {
    const adding = (name: string): AdmissionAttributes =>
      writePod(
        { ...strict, ephemeralContainers: [container({ env: env(name) })] },
        { operation: 'UPDATE', subresource: 'ephemeralcontainers' },
      );
    expect(await runPlugin(plugin, adding('mine'), context)).toBeUndefined();
    const said = 'ephemeral container c with envVar E referencing secret.secretName="other"';
    expect((await runPlugin(plugin, adding('other'), context))?.message).toMatch(`${said} ${ends('secret')}`);
  });
});

describe('a mirror pod', () => {
  const mirror = (spec: JsonObject): AdmissionAttributes => {
    const annotations = { 'kubernetes.io/config.mirror': 'x' };
    return writePod({}, { object: pod(spec, { metadata: { name: 'a', annotations } }) });
  };

  it('does not change', async () => {
    const attributes = mirror({ containers: [container()] });
    expect(await runPlugin(plugin, attributes, contextOf({}))).toBeUndefined();
    expect(attributes.object?.spec).toEqual({ containers: [container()] });
  });

  it.each<[JsonObject, string]>([
    [{ serviceAccountName: 'default' }, 'reference service accounts'],
    [{ volumes: [{ secret: { secretName: 's' } }] }, 'reference secrets'],
    [
      { volumes: [{ projected: { sources: [{ serviceAccountToken: { path: 'p' } }] } }] },
      'use ServiceAccountToken volume projections',
    ],
  ])('with %j is refused', async (spec, what) => {
    // Both stages refuse it, so that plugins that change pods do not come first.
    for (const refused of [plugin.admit?.(mirror(spec), context), plugin.validate?.(mirror(spec), context)]) {
      expect((await refused)?.message).toBe(`pods "a" is forbidden: a mirror pod may not ${what}`);
    }
  });
});

it('ignores other writes', () => {
  const others = [
    plugin.handles(pods, 'UPDATE', ''),
    plugin.handles(pods, 'CREATE', 'binding'),
    plugin.handles(pods, 'DELETE', ''),
  ];
  expect(others).toEqual([false, false, false]);
});

testAdmissionPlugin({
  plugin,
  admitted: writePod(noToken),
  refused: writePod({ ...noToken, serviceAccountName: 'none' }),
  context,
  words: ['serviceAccountName', 'volumes', 'containers', 'imagePullSecrets', 'automountServiceAccountToken'],
});
