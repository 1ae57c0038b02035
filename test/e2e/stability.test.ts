/** Flags that switch versions and kinds on and off: paths, discovery, OpenAPI and stored objects. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask } from '../support/ask.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { type ListeningServer, type ServingFlags, startServing } from '../support/serving.js';

const lamps = `
apiVersion: kindforge.dev/v1
kind: ResourceDefinition
metadata: { name: lamps.light.example.com }
spec:
  group: light.example.com
  names: { plural: lamps, kind: Lamp }
  scope: Namespaced
  versions:
    - name: v1
      storage: true
      stability: { level: stable }
      schema:
        openAPIV3Schema:
          type: object
          properties: { hue: { type: string, x-kindforge-feature-gate: ColouredLamps }, watts: { type: integer } }
    - name: v2alpha1
      storage: false
      stability: { level: alpha }
      schema: { openAPIV3Schema: { type: object, properties: { watts: { type: integer } } } }
    - name: v0
      storage: false
      stability: { level: stable, removed: "1.20" }
      schema: { openAPIV3Schema: { type: object, properties: { watts: { type: integer } } } }
`;

const schemas = scratchFolder({ 'lamps.yaml': lamps });

const group = '/apis/light.example.com';
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';

async function serving<T>(flags: ServingFlags, use: (url: string, running: ListeningServer) => Promise<T>): Promise<T> {
  const running = await startServing({ schemas, controllers: 'none', featureGates: '', runtimeConfig: '', ...flags });
  try {
    return await use(running.url, running);
  } finally {
    await running.stop();
  }
}

const textOf = async (url: string, accept = 'application/json'): Promise<string> =>
  (await fetch(url, { headers: { accept } })).text();
const codeOf = async (url: string): Promise<number> => (await fetch(url)).status;
type Fields = { readonly hue?: string; readonly spec?: { readonly seLinuxMount?: boolean } };
const post = async (url: string, body: object) => (await ask<Fields>({ url }, 'POST', '', body)).body;

describe('versions', () => {
  it('that are not served do not appear anywhere', { timeout: 60_000 }, async () => {
    await serving({ naming: 'kubernetes' }, async (url) => {
      for (const version of ['v2alpha1', 'v0']) {
        expect(await codeOf(`${url}${group}/${version}`)).toBe(404);
        expect(await codeOf(`${url}${group}/${version}/lamps`)).toBe(404);
        expect(await codeOf(`${url}/openapi/v3${group}/${version}`)).toBe(404);
        for (const path of ['/apis', group, '/openapi/v2', '/openapi/v3']) {
          expect([path, (await textOf(url + path)).includes(`light.example.com/${version}`)]).toEqual([path, false]);
        }
        expect(await textOf(`${url}/apis`, aggregated)).not.toContain(version);
      }
      // The same for alphas among the built-in kinds.
      expect(await codeOf(`${url}/apis/networking.k8s.io/v1alpha1/ipaddresses`)).toBe(404);
    });
  });

  it('are served on request, in the served naming', { timeout: 60_000 }, async () => {
    const runtimeConfig = 'light.example.com/v2alpha1,networking.k8s.io/v1alpha1/ipaddresses=true,api/v1/secrets=false';
    await serving({ naming: 'kubernetes', runtimeConfig }, async (url) => {
      expect(await codeOf(`${url}${group}/v2alpha1/lamps`)).toBe(200);
      expect(await codeOf(`${url}/apis/networking.k8s.io/v1alpha1/ipaddresses`)).toBe(200);
      expect(await codeOf(`${url}/api/v1/namespaces/default/secrets`)).toBe(404);
      expect(await codeOf(`${url}/api/v1/namespaces/default/configmaps`)).toBe(200);
      expect(await textOf(`${url}/api/v1`)).not.toContain('secrets');
      expect(await textOf(`${url}/openapi/v3/api/v1`)).not.toContain('/secrets');
    });
  });

  it('may be the stored version without being served, and keep the fields of managers', {
    timeout: 60_000,
  }, async () => {
    const storage = `lmdb:${join(schemas, 'data')}`;
    const place = `${group}/v1/namespaces/default/lamps`;
    const created = await serving({ storage }, (url) => post(url + place, { metadata: { name: 'a' }, watts: 1 }));
    expect(created).toMatchObject({ apiVersion: 'light.example.com/v1', watts: 1 });
    const runtimeConfig = 'light.example.com/v1=false,light.example.com/v2alpha1=true';
    await serving({ storage, runtimeConfig }, async (url) => {
      const alpha = `${url}${group}/v2alpha1/namespaces/default/lamps`;
      expect(await codeOf(url + place)).toBe(404);
      expect(await (await fetch(`${alpha}/a`)).json()).toMatchObject({
        apiVersion: 'light.example.com/v2alpha1',
        watts: 1,
      });
      const two = { apiVersion: 'light.example.com/v2alpha1', kind: 'Lamp', watts: 2 };
      const patch = 'application/apply-patch+yaml';
      const applied = await ask({ url: alpha }, 'PATCH', '/a?fieldManager=other', two, patch);
      // The creator owns the field in the version that is no longer served.
      expect([applied.code, applied.body.reason]).toEqual([409, 'Conflict']);
      await post(alpha, { metadata: { name: 'b' }, watts: 3 });
    });
    await serving({ storage }, async (url) => {
      expect(await (await fetch(`${url}${place}/b`)).json()).toMatchObject({
        apiVersion: 'light.example.com/v1',
        watts: 3,
      });
    });
  });
});

describe('fields', () => {
  it('behind a gate are always in OpenAPI, and in objects while the gate is on', { timeout: 60_000 }, async () => {
    const place = `${group}/v1/namespaces/default/lamps`;
    const lamp = { metadata: { name: 'a' }, hue: 'red' };
    const [off, on] = [
      await serving({}, async (url) => {
        expect(await textOf(`${url}/openapi/v3${group}/v1`)).toContain('"hue"');
        return post(url + place, lamp);
      }),
      await serving({ featureGates: 'ColouredLamps=true' }, (url) => post(url + place, lamp)),
    ];
    expect([off.hue, on.hue]).toEqual([undefined, 'red']);
  });

  it('of built-in kinds have gates of their own', { timeout: 60_000 }, async () => {
    const driver = { metadata: { name: 'a.example.com' }, spec: { seLinuxMount: true } };
    const made = (featureGates: string) =>
      serving({ featureGates }, (url) => post(`${url}/apis/storage.platform.io/v1/csidrivers`, driver));
    const [off, on] = [await made('SELinuxMountReadWriteOncePod=false'), await made('')];
    expect([off.spec?.seLinuxMount, on.spec?.seLinuxMount]).toEqual([undefined, true]);
  });
});

it('a kind needs both its gate and its version', async () => {
  const path = '/apis/resource.platform.io/v1alpha2/podschedulingcontexts';
  const codes: number[] = [];
  for (const [featureGates, runtimeConfig] of [
    ['DynamicResourceAllocation=true', ''],
    ['', 'api/alpha=true'],
    ['DynamicResourceAllocation=true', 'api/alpha=true'],
  ] as const) {
    codes.push(await serving({ featureGates, runtimeConfig }, (url) => codeOf(url + path)));
  }
  expect(codes).toEqual([404, 404, 200]);
}, 300_000);
