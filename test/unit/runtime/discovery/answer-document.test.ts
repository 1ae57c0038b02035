/** Aggregated discovery: everything in one document, and the core group in another. */
import { describe, expect, it } from 'vitest';
import { aggregatedDiscovery } from '../../../../runtime/discovery/answer-document.js';
import { buildRegistry } from '../../../../runtime/registry/registry.js';
import { discovered } from '../../../support/discovered.js';
import { moduleOf } from '../../../support/modules.js';

const registry = discovered();

describe('aggregated discovery', () => {
  const aggregated = (core: boolean) => aggregatedDiscovery(registry, 'apidiscovery.platform.io/v2beta1', core);

  it('has only the core group, without a name', () => {
    expect(aggregated(true)).toMatchObject({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.platform.io/v2beta1',
      metadata: {},
      items: [
        {
          metadata: { creationTimestamp: null },
          versions: [{ version: 'v1', freshness: 'Current', resources: [{ resource: 'secrets' }] }],
        },
      ],
    });
  });

  it('has all other groups with their versions, resources and subresources', () => {
    expect(aggregated(false)).toMatchObject({
      items: [
        { metadata: { name: 'apples.io' } },
        {
          metadata: { name: 'example.com' },
          versions: [
            { version: 'v2' },
            {
              version: 'v1',
              resources: [
                {
                  resource: 'gadgets',
                  responseKind: { group: '', version: '', kind: 'Gadget' },
                  scope: 'Cluster',
                  singularResource: 'gadget',
                  verbs: ['get', 'list'],
                },
                {
                  resource: 'widgets',
                  scope: 'Namespaced',
                  shortNames: ['wd'],
                  categories: ['all'],
                  subresources: [
                    { subresource: 'status', responseKind: { group: 'example.com', version: 'v1', kind: 'Widget' } },
                    { subresource: 'scale', responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' } },
                  ],
                },
              ],
            },
            { version: 'v2beta1' },
            { version: 'v1alpha1' },
          ],
        },
      ],
    });
  });

  it('names the group and version of custom resources', () => {
    const modules = [moduleOf('apples.io', 'apples', 'Apple', { decoding: 'structural' })];
    const custom = buildRegistry({ modules, handlers: [], plugins: [], featureEnabled: () => false });
    const responseKind = { group: 'apples.io', version: 'v1', kind: 'Apple' };
    expect(aggregatedDiscovery(custom, 'd', false)).toMatchObject({
      items: [{ versions: [{ resources: [{ responseKind }] }] }],
    });
  });

  it('is empty for a core group without resources', () => {
    const modules = [moduleOf('apples.io', 'apples', 'Apple')];
    const none = buildRegistry({ modules, handlers: [], plugins: [], featureEnabled: () => false });
    expect(aggregatedDiscovery(none, 'd', true).items).toEqual([]);
  });
});
