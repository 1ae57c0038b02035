import { describe, expect, it } from 'vitest';
import { defineDefaultIngressClass, defineDefaultStorageClass } from '../../../../plugins/index.js';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import { runPlugin } from '../../../support/admission-suite.js';
import { moduleOf } from '../../../support/modules.js';
import { contextWith, object, started, write } from './attributes.js';

const ingresses = moduleOf('networking.k8s.io', 'ingresses', 'Ingress');

const ingressClass = (name: string, mark = 'true'): ApiObject =>
  object({ metadata: { name, annotations: { 'ingressclass.kubernetes.io/is-default-class': mark } } });

/** Creates an ingress on a server with these classes. */
async function create(classes: readonly ApiObject[], spec?: JsonObject, annotations: Record<string, string> = {}) {
  const plugin = defineDefaultIngressClass(kubernetesNaming);
  started(plugin, 'ingressclasses', classes);
  const ingress = object({ metadata: { name: 'a', annotations }, ...(spec ? { spec } : {}) });
  const failure = await runPlugin(plugin, write({ resource: ingresses, object: ingress }), contextWith({}));
  return failure?.message ?? ingress.spec;
}

it('gives the default class to an ingress that names none', async () => {
  expect(await create([ingressClass('b'), ingressClass('a', 'True')], { rules: [] })).toEqual({
    rules: [],
    ingressClassName: 'b',
  });
  expect(await create([ingressClass('b')])).toEqual({ ingressClassName: 'b' });
  expect(await create([], { rules: [] })).toEqual({ rules: [] });
});

it('refuses the ingress if there are several defaults', async () => {
  const why = 'Internal error occurred: 2 default IngressClasses were found, only 1 allowed';
  expect(await create([ingressClass('a'), ingressClass('b')], {})).toBe(
    `ingresses.networking.k8s.io "a" is forbidden: ${why}`,
  );
});

it('refuses even an ingress that names its class if there are several defaults', async () => {
  const several = [ingressClass('a'), ingressClass('b'), ingressClass('c')];
  const why = 'Internal error occurred: 3 default IngressClasses were found, only 1 allowed';
  const refusal = `ingresses.networking.k8s.io "a" is forbidden: ${why}`;
  expect(await create(several, { ingressClassName: 'a' })).toBe(refusal);
  expect(await create(several, {}, { 'kubernetes.io/ingress.class': 'mine' })).toBe(refusal);
});

it('does not change an ingress that names its class, by its field or its annotation', async () => {
  const one = [ingressClass('a'), ingressClass('b', 'false')];
  expect(await create(one, { ingressClassName: 'mine' })).toEqual({ ingressClassName: 'mine' });
  expect(await create(one, {}, { 'kubernetes.io/ingress.class': 'mine' })).toEqual({});
});

it('ignores updates', () =>
  expect(defineDefaultIngressClass(kubernetesNaming).handles(ingresses, 'UPDATE', '')).toBe(false));

const claims = moduleOf('', 'persistentvolumeclaims', 'PersistentVolumeClaim');

const storageClass = (name: string, second: number, mark = 'storageclass.kubernetes.io/is-default-class'): ApiObject =>
  object({
    metadata: { name, creationTimestamp: `2030-01-01T00:00:0${second}Z`, annotations: { [mark]: 'true' } },
  });

/** Returns the class that a claim gets on a server with these classes. */
async function classOf(classes: readonly ApiObject[], spec: JsonObject = {}, annotations: Record<string, string> = {}) {
  const plugin = defineDefaultStorageClass(kubernetesNaming);
  started(plugin, 'storageclasses', classes);
  const claim = object({ metadata: { name: 'a', annotations }, spec });
  expect(await runPlugin(plugin, write({ resource: claims, object: claim }), contextWith({}))).toBeUndefined();
  return spec.storageClassName;
}

describe('a claim without a class', () => {
  it('gets the default one', async () => {
    expect(await classOf([object({ metadata: { name: 'plain' } }), storageClass('a', 1)])).toBe('a');
    expect(await classOf([storageClass('b', 1, 'storageclass.beta.kubernetes.io/is-default-class')])).toBe('b');
  });

  it('is refused if there are several defaults', async () => {
    const plugin = defineDefaultStorageClass(kubernetesNaming);
    started(plugin, 'storageclasses', [storageClass('a', 1), storageClass('z', 2)]);
    const claim = object({ metadata: { name: 'a' }, spec: {} });
    const failure = await runPlugin(plugin, write({ resource: claims, object: claim }), contextWith({}));
    expect(failure?.message).toBe(
      'persistentvolumeclaims "a" is forbidden: Internal error occurred: ' +
        '2 default StorageClasses were found, only 1 allowed',
    );
    expect(claim.spec).toEqual({});
  });

  it('gets no class without a default', async () => {
    expect(await classOf([])).toBeUndefined();
    const { metadata } = storageClass('a', 1);
    const mark = { 'storageclass.kubernetes.io/is-default-class': 'True' };
    expect(await classOf([object({ metadata: { ...metadata, annotations: mark } })])).toBeUndefined();
  });
});

it.each([{ storageClassName: '' }, { storageClassName: 'mine' }])('does not change a claim with %j', async (spec) =>
  expect(await classOf([storageClass('a', 1), storageClass('b', 1)], { ...spec })).toBe(spec.storageClassName),
);

it('does not change a claim that names its class by the annotation', async () => {
  const annotations = { 'volume.beta.kubernetes.io/storage-class': 'mine' };
  expect(await classOf([storageClass('a', 1), storageClass('b', 1)], {}, annotations)).toBeUndefined();
});

it('ignores updates', () =>
  expect(defineDefaultStorageClass(kubernetesNaming).handles(claims, 'UPDATE', '')).toBe(false));
