/** Ids of definitions and operations depend only on groups, versions and kinds. */
import { describe, expect, it } from 'vitest';
import {
  groupTag,
  kindId,
  kubernetesNaming,
  operationGroup,
  parseTypeName,
  platformNaming,
  typeId,
} from '../../../../../runtime/schema/openapi/naming.js';

describe('kindId', () => {
  const id = (group: string, decoding: 'typed' | 'structural' = 'typed', naming = kubernetesNaming): string =>
    kindId({ group, version: 'v1', decoding }, 'Thing', naming);

  it.each([
    ['', 'io.k8s.api.core.v1.Thing'],
    ['apps', 'io.k8s.api.apps.v1.Thing'],
    ['storage.k8s.io', 'io.k8s.api.storage.v1.Thing'],
    ['rbac.authorization.k8s.io', 'io.k8s.api.rbac.v1.Thing'],
    ['internal.apiserver.k8s.io', 'io.k8s.api.apiserverinternal.v1.Thing'],
    ['apiextensions.k8s.io', 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.Thing'],
    ['widgets.example.com', 'com.example.widgets.v1.Thing'],
  ])('of a built-in kind in "%s"', (group, expected) => {
    expect(id(group)).toBe(expected);
  });

  it('of a custom resource is the reversed group, whatever its ending', () => {
    expect(id('cert-manager.io', 'structural')).toBe('io.cert-manager.v1.Thing');
    expect(id('snapshot.storage.k8s.io', 'structural')).toBe('io.k8s.storage.snapshot.v1.Thing');
  });

  it('follows the naming', () => {
    expect(id('storage.platform.io', 'typed', platformNaming)).toBe('io.platform.api.storage.v1.Thing');
  });
});

describe('typeId', () => {
  it.each([
    ['meta/v1#/Condition', 'io.k8s.apimachinery.pkg.apis.meta.v1.Condition'],
    ['meta/v1/Condition', 'io.k8s.apimachinery.pkg.apis.meta.v1.Condition'],
    ['meta/v1#/Quantity', 'io.k8s.apimachinery.pkg.api.resource.Quantity'],
    ['meta/v1#/IntOrString', 'io.k8s.apimachinery.pkg.util.intstr.IntOrString'],
    ['storage/v1#/TokenRequest', 'io.k8s.api.storage.v1.TokenRequest'],
    ['storage.platform.io/v1#/TokenRequest', 'io.k8s.api.storage.v1.TokenRequest'],
    ['widgets.example.com/v1#/Part', 'com.example.widgets.v1.Part'],
    ['parts#/Screw', 'parts.Screw'],
  ])('of %s', (name, expected) => {
    expect(typeId(parseTypeName(name), kubernetesNaming)).toBe(expected);
  });
});

describe('operation ids and tags', () => {
  it.each([
    ['', 'Core', 'core'],
    ['storage.k8s.io', 'Storage', 'storage'],
    ['flowcontrol.apiserver.k8s.io', 'FlowcontrolApiserver', 'flowcontrolApiserver'],
    ['cert-manager.io', 'CertManagerIo', 'certManagerIo'],
  ])('of group "%s"', (group, part, tag) => {
    expect(operationGroup(group, kubernetesNaming)).toBe(part);
    expect(groupTag(group, kubernetesNaming)).toBe(tag);
  });
});
