/** Identifiers read as if a person had chosen them, and never clash with the language. */
import { describe, expect, it } from 'vitest';
import { createNameScope, pathNames } from '../../../../../generator/emit/source/name-scope.js';
import {
  joinNames,
  toCamel,
  toPascal,
  toSingular,
  toTypeName,
  toVariable,
} from '../../../../../generator/emit/source/naming.js';

describe('words', () => {
  it.each([
    ['x-kubernetes-list', 'XKubernetesList'],
    ['foo_bar', 'FooBar'],
    ['clusterIP', 'ClusterIP'],
    ['3d', '3d'],
    ['$', ''],
  ])('%s in Pascal case is %s', (text, pascal) => expect(toPascal(text)).toBe(pascal));

  it.each([
    ['CSIDriver', 'csiDriver'],
    ['URL', 'url'],
    ['Event', 'event'],
    ['OAuth2Client', 'oAuth2Client'],
    ['cert-manager', 'certManager'],
  ])('%s in camel case is %s', (text, camel) => expect(toCamel(text)).toBe(camel));

  it.each([
    ['policies', 'policy'],
    ['ingresses', 'ingress'],
    ['addresses', 'address'],
    ['tokenRequests', 'tokenRequest'],
    ['caches', 'cache'],
    ['branches', 'branch'],
    ['databases', 'database'],
    ['aliases', 'alias'],
    ['statuses', 'status'],
    ['status', 'status'],
    ['tls', 'tls'],
    ['dns', 'dns'],
    ['env', 'env'],
    ['cookies', 'cookie'],
    ['sizes', 'size'],
    ['hostAliases', 'hostAlias'],
  ])('one of the %s is a %s', (plural, singular) => expect(toSingular(plural)).toBe(singular));

  it.each([
    ['Pod', 'Template', 'PodTemplate'],
    ['PodTemplate', 'TemplateSpec', 'PodTemplateSpec'],
    ['Certificate', 'CertificateRef', 'CertificateRef'],
    ['Cat', 'Category', 'CatCategory'],
    ['', 'Name', 'Name'],
  ])('%s and %s make %s', (first, second, joined) => expect(joinNames(first, second)).toBe(joined));
});

describe('type names', () => {
  it('leave kinds unchanged, including names of the web', () => {
    expect(['Pod', 'Event', 'Node', 'CSIDriver'].map(toTypeName)).toEqual(['Pod', 'Event', 'Node', 'CSIDriver']);
  });

  it('do not hide names of the language or of the file', () => {
    expect(['Function', 'Record', 'ObjectMeta', 'Promise'].map(toTypeName)).toEqual([
      'FunctionResource',
      'RecordResource',
      'ObjectMetaResource',
      'PromiseResource',
    ]);
  });

  it('are identifiers whatever the kind is', () => {
    expect(['my-kind', 'string', '3Scale', '-'].map(toTypeName)).toEqual([
      'MyKind',
      'StringResource',
      'Kind3Scale',
      'Kind',
    ]);
  });
});

describe('variables', () => {
  it('are never keywords, and begin with a letter', () => {
    expect(['delete', 'import', '3d', 'pods'].map(toVariable)).toEqual(['delete_', 'import_', '_3d', 'pods']);
  });
});

describe('a name scope', () => {
  it('gives the first free candidate, then numbers', () => {
    const scope = createNameScope(['A']);
    expect(scope.choose(['A', 'B'])).toBe('B');
    expect(scope.choose(['A', 'B'])).toBe('B2');
    expect(scope.choose(['A', 'B'])).toBe('B3');
    expect(scope.claim('B3')).toBe(false);
  });

  it('offers names of a path from short to long', () => {
    expect([...pathNames('Pod', ['Spec', 'Container', 'Port'])]).toEqual([
      'PodPort',
      'PodContainerPort',
      'PodSpecContainerPort',
      'PodSpecContainerPort',
    ]);
    expect([...pathNames('Pod', ['Spec'])]).toEqual(['PodSpec', 'PodSpec']);
  });
});
