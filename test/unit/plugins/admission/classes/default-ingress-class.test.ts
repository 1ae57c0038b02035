/** DefaultIngressClass: new ingresses without a class get the default one, if there is one alone. */
import { expect, it } from 'vitest';
import { defineDefaultIngressClass } from '../../../../../plugins/index.js';
import type { ApiObject, JsonObject } from '../../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../../runtime/objects/naming.js';
import { runPlugin } from '../../../../support/admission-suite.js';
import { moduleOf } from '../../../../support/modules.js';
import { contextWith, object, started, write } from '../attributes.js';

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

it('refuses it where there are several', async () => {
  const why = 'Internal error occurred: 2 default IngressClasses were found, only 1 allowed';
  expect(await create([ingressClass('a'), ingressClass('b')], {})).toBe(
    `ingresses.networking.k8s.io "a" is forbidden: ${why}`,
  );
});

it('leaves an ingress alone that names its class, by its field or its annotation', async () => {
  const several = [ingressClass('a'), ingressClass('b')];
  expect(await create(several, { ingressClassName: 'mine' })).toEqual({ ingressClassName: 'mine' });
  expect(await create(several, {}, { 'kubernetes.io/ingress.class': 'mine' })).toEqual({});
});

it('has nothing to do with updates', () => {
  expect(defineDefaultIngressClass(kubernetesNaming).handles(ingresses, 'UPDATE', '')).toBe(false);
});
