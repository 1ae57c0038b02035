import { describe, expect, it } from 'vitest';
import type { ResourceDescriptor } from '../../../../client/descriptor.js';
import { pathsOf } from '../../../../client/resource/paths.js';

const resource: ResourceDescriptor = {
  group: 'shop.example.com',
  version: 'v1',
  plural: 'widgets',
  kind: 'Widget',
  scope: 'Namespaced',
  subresources: [],
};

describe('paths', () => {
  const paths = pathsOf(resource, resource.group);

  it('have names and namespaces as segments', () => {
    expect(paths.collection(undefined)).toBe('/apis/shop.example.com/v1/widgets');
    expect(paths.object('a/b', 'c?d', 'status')).toBe(
      '/apis/shop.example.com/v1/namespaces/a%2Fb/widgets/c%3Fd/status',
    );
  });

  it.each(['', '.', '..'])('stay the same resource for the name or namespace %j', (text) => {
    expect(() => paths.collection(text)).toThrow('is not a namespace of widgets');
    expect(() => paths.place(text)).toThrow(TypeError);
    expect(() => paths.object(text, 'door')).toThrow(TypeError);
    expect(() => paths.object('default', text)).toThrow('cannot be the name');
  });

  it('of cluster-scoped resources have no namespace, even if one is given', () => {
    const nodes = pathsOf({ ...resource, plural: 'nodes', scope: 'Cluster' }, '');
    expect(nodes.object('..', 'one')).toBe('/api/v1/nodes/one');
  });
});
