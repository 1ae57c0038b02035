import { expect, it } from 'vitest';
import { namesOf } from '../../../../generator/import/types.js';
import { isReference } from '../../../../generator/model/references.js';

const referenceTo = (id: string): string => {
  const name = namesOf([id]).get(id);
  return `${name?.library}#/${name?.name}`;
};

it.each([
  ['io.k8s.api.apps.v1.DeploymentSpec', 'apps/v1#/DeploymentSpec'],
  ['io.platform.api.core.v1.ObjectReference', 'core/v1#/ObjectReference'],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector', 'meta/v1#/LabelSelector'],
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', 'meta/v1#/Quantity'],
  ['io.k8s.apimachinery.pkg.util.intstr.IntOrString', 'meta/v1#/IntOrString'],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', 'meta/v1#/RawExtension'],
  ['io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON', 'apiextensions/v1#/JSON'],
  ['com.example.stable.v1beta1.CronTab', 'stable.example.com/v1beta1#/CronTab'],
  ['com.example.Thing', 'com.example#/Thing'],
  ['Thing', 'types#/Thing'],
  ['a.v1.List«Thing»', 'a/v1#/ListThing'],
  ['a.v1.thing', 'a/v1#/Thing'],
  ['a.v1.3d', 'a/v1#/Type3d'],
  ['..strange..', 'strange#/Type'],
  ['a//b/.X', 'a/b#/X'],
  ['//.X', 'types#/X'],
])('calls %s %s', (id, reference) => {
  expect(referenceTo(id)).toBe(reference);
  expect(isReference(reference)).toBe(true);
});

it('gives types of the same name different names', () => {
  const names = [...namesOf(['a.v1.X', 'a.v1.X-', 'a.v1.-X']).values()].map(({ name }) => name);
  expect(names).toEqual(['X', 'X2', 'X3']);
});
