import { describe, expect, test } from 'vitest';
import type { ServedKind } from '../../../../client/index.js';
import { cleanCopy, kubectlCommand } from '../../../../packages/console/src/object/copy.js';

describe('cleanCopy', () => {
  test('drops status and all fields of the server', () => {
    const object = {
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: {
        name: 'a',
        namespace: 'shop',
        uid: 'u',
        resourceVersion: '1',
        generation: 2,
        creationTimestamp: 'x',
        labels: { a: 'b' },
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
        managedFields: [],
      },
      spec: { size: 1 },
      status: { phase: 'Ready' },
    };
    expect(cleanCopy(object)).toEqual({
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: { name: 'a', namespace: 'shop', labels: { a: 'b' } },
      spec: { size: 1 },
    });
  });
});

describe('kubectlCommand', () => {
  const kind: ServedKind = {
    ...{ group: 'shop.example.com', version: 'v1', plural: 'widgets', kind: 'Widget', scope: 'Namespaced' },
    ...{ subresources: [], verbs: [], shortNames: [], singular: '', categories: [], isPreferred: true },
  };

  test('names the kind with its version and group, and the namespace', () => {
    expect(kubectlCommand(kind, 'shop', 'a')).toBe('kubectl get widgets.v1.shop.example.com a -n shop -o yaml');
    expect(kubectlCommand({ ...kind, group: '' }, undefined, 'a')).toBe('kubectl get widgets a -o yaml');
  });

  test('quotes a name for a shell', () => {
    expect(kubectlCommand(kind, undefined, "a'; rm -rf $HOME")).toBe(
      `kubectl get widgets.v1.shop.example.com 'a'\\''; rm -rf $HOME' -o yaml`,
    );
  });
});
