import { describe, expect, it } from 'vitest';
import { findKind } from '../../../../client/dynamic/kind-cache.js';
import type { KindReference, ServedKind } from '../../../../client/dynamic/types.js';

const kind = (
  group: string,
  version: string,
  plural: string,
  name: string,
  more: Partial<ServedKind> = {},
): ServedKind => ({
  ...{ group, version, plural, kind: name, scope: 'Namespaced', subresources: [], verbs: [], shortNames: [] },
  ...{ singular: name.toLowerCase(), categories: [], isPreferred: true, ...more },
});

const kinds = [
  kind('', 'v1', 'pods', 'Pod', { shortNames: ['po'] }),
  kind('', 'v1', 'events', 'Event', { shortNames: ['ev'] }),
  kind('events.example.com', 'v1', 'events', 'Event'),
  kind('shop.example.com', 'v1beta1', 'widgets', 'Widget', { isPreferred: false, shortNames: ['wd'] }),
  kind('shop.example.com', 'v1', 'widgets', 'Widget', { shortNames: ['wd'] }),
  kind('other.example.com', 'v1', 'wds', 'Wd', { shortNames: ['pod'] }),
];

const found = (reference: KindReference): string | undefined => {
  const one = findKind(kinds, reference);
  return one && `${one.group}/${one.version}/${one.plural}`;
};

describe('findKind', () => {
  it.each([
    ['pods', '/v1/pods'],
    ['Pod', '/v1/pods'],
    ['po', '/v1/pods'],
    ['pod', '/v1/pods'],
    ['events', '/v1/events'],
    ['events.events.example.com', 'events.example.com/v1/events'],
    ['widget', 'shop.example.com/v1/widgets'],
    ['wd', 'other.example.com/v1/wds'],
    ['wd.shop.example.com', 'shop.example.com/v1/widgets'],
    ['widgets.v1beta1.shop.example.com', 'shop.example.com/v1beta1/widgets'],
    ['widgets.v2.shop.example.com', undefined],
    ['sausages', undefined],
    ['', undefined],
  ])('finds for %j the kind %s', (text, expected) => expect(found(text)).toBe(expected));

  it('uses the requested version, or the preferred one', () => {
    expect(found({ apiVersion: 'shop.example.com/v1beta1', kind: 'Widget' })).toBe('shop.example.com/v1beta1/widgets');
    expect(found({ apiVersion: 'shop.example.com/v2', kind: 'Widget' })).toBeUndefined();
    expect(found({ group: 'shop.example.com', plural: 'widgets' })).toBe('shop.example.com/v1/widgets');
    expect(found({ group: 'shop.example.com', version: 'v1beta1', plural: 'widgets' })).toContain('/v1beta1/');
    expect(found({ apiVersion: 'v1', kind: 'Pod' })).toBe('/v1/pods');
  });
});
