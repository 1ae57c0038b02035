/** Values that are computed once per resource: its keys, the head of its objects, selectable fields, and plugins. */
import { describe, expect, it, vi } from 'vitest';
import type { AdmissionPlugin, Deprecation, Stability } from '../../../../runtime/contract/index.js';
import { attributesOf } from '../../../../runtime/resource/encoding.js';
import { deprecationOf, serveResource } from '../../../../runtime/resource/serve-resource.js';
import { codeOf, keyOf, loadAll, loadCode } from '../../../../runtime/resource/served-resource.js';
import { moduleOf } from '../../../support/modules.js';
import { widget, widgets } from '../../../support/widgets.js';

const resource = serveResource(widgets);
const core = serveResource({ ...widgets, group: '', scope: 'Cluster' });

describe('a served resource', () => {
  it('is named by group and version', () => {
    expect(resource).toMatchObject({
      apiVersion: 'example.com/v1',
      groupResource: 'widgets.example.com',
      keyPrefix: 'example.com/widgets/',
    });
    expect(core).toMatchObject({ apiVersion: 'v1', groupResource: 'widgets', keyPrefix: '/widgets/' });
  });

  it('keeps objects under their namespace and name', () => {
    expect(keyOf(resource, 'default', 'a')).toBe('example.com/widgets/default/a');
    expect(keyOf(core, '', 'a')).toBe('/widgets/a');
  });

  it('is its own stored version, or has the given one', () => {
    expect(resource.stored).toBe(resource);
    const v2 = serveResource({ ...widgets, version: 'v2' }, { stored: resource });
    expect(v2.stored).toBe(resource);
    expect(v2.keyPrefix).toBe(resource.keyPrefix);
  });

  it('knows how many bytes its items leave out in lists', () => {
    const named = serveResource({ ...widgets, names: { ...widgets.names, kind: 'Wídget' } });
    const envelope = Buffer.from('{"kind":"Wídget","apiVersion":"example.com/v1",');
    expect(named.envelopeLength).toBe(envelope.length);
    expect(Buffer.from(named.head).subarray(named.envelopeLength).toString()).toBe('"metadata":{"resourceVersion":"');
  });

  it('compiles plans on first use, and once', () => {
    expect(resource.plan).toBe(resource.plan);
    expect(resource.patchSchema).toBe(resource.patchSchema);
    expect(resource.resetFields('status')).toBe(resource.resetFields('status'));
  });
});

describe('the attributes for selectors', () => {
  it('are the labels, and the selectable fields of the resource; keys have the rest', () => {
    const object = widget('a', { color: 'red' }, { namespace: 'default', labels: { tier: 'front' } });
    expect(attributesOf(resource, object)).toEqual({ labels: { tier: 'front' }, fields: { 'spec.color': 'red' } });
  });

  it.each([
    ['red', 'red'],
    [7, '7'],
    [9007199254740993n, '9007199254740993'],
    [false, 'false'],
    [undefined, ''],
    [null, ''],
    [{ a: 1 }, ''],
    [['red'], ''],
  ])('have %s as the text %j', (color, text) => {
    expect(attributesOf(resource, widget('a', { color })).fields['spec.color']).toBe(text);
  });

  it('come from the handlers of the kind if the value is not a plain path', () => {
    const handlers = {
      selectableFields: {
        'spec.color': (object: ReturnType<typeof widget>) => (object.metadata.name === 'a' ? 'any' : undefined),
      },
    };
    const own = serveResource(widgets, { handlers });
    expect(attributesOf(own, widget('a', { color: 'red' })).fields['spec.color']).toBe('any');
    expect(attributesOf(own, widget('b', { color: 'red' })).fields['spec.color']).toBe('red');
  });

  it('include labels, an empty set for an object without them', () => {
    expect(attributesOf(resource, widget('a', {}, { labels: { a: 'b' } })).labels).toEqual({ a: 'b' });
    expect(attributesOf(resource, widget('a')).labels).toEqual({});
  });
});

describe('admission plugins of a resource', () => {
  it('are the plugins that handle it, in order, asked once per operation and subresource', () => {
    const asked: string[] = [];
    const plugin = (name: string, says: boolean): AdmissionPlugin => ({
      name,
      handles: (_module, operation, subresource) => {
        asked.push(`${name} ${operation} ${subresource}`);
        return says;
      },
    });
    const own = serveResource(widgets, { plugins: [plugin('A', true), plugin('B', false), plugin('C', true)] });
    const names = () => own.admission('UPDATE', 'status').map(({ name }) => name);
    expect(names()).toEqual(['A', 'C']);
    expect(names()).toEqual(['A', 'C']);
    expect(asked).toEqual(['A UPDATE status', 'B UPDATE status', 'C UPDATE status']);
    own.admission('CREATE', '');
    expect(asked).toHaveLength(6);
  });
});

const notice = (group: string, stability?: Stability, deprecation?: Deprecation) =>
  deprecationOf(
    moduleOf(group, 'widgets', 'Widget', {
      version: 'v1beta1',
      ...(stability === undefined ? {} : { stability }),
      ...(deprecation === undefined ? {} : { deprecation }),
    }),
    '1.27',
  );

describe('the notice of a version', () => {
  it('is made from its stability', () => {
    const life = { level: 'beta', introduced: '1.20', deprecated: '1.26' } as const;
    expect(notice('example.com', life)).toEqual({ message: 'example.com/v1beta1 Widget is deprecated in v1.26+' });
    expect(notice('', { ...life, removed: '1.29' })).toEqual({
      message: 'v1beta1 Widget is deprecated in v1.26+, unavailable in v1.29+',
      removedRelease: '1.29',
    });
    const full = { ...life, removed: '1.29', replacement: { version: 'v1' } };
    expect(notice('example.com', full)?.message).toBe(
      'example.com/v1beta1 Widget is deprecated in v1.26+, unavailable in v1.29+; use example.com/v1 Widget',
    );
    const moved = { ...life, replacement: { group: '', version: 'v2', kind: 'Thing' } };
    expect(notice('example.com', moved)?.message).toBe(
      'example.com/v1beta1 Widget is deprecated in v1.26+; use v2 Thing',
    );
  });

  it("is the definition's own notice, if it has one", () => {
    const own = { message: 'use something else' };
    expect(notice('example.com', undefined, own)).toEqual(own);
    expect(notice('example.com', { level: 'beta' }, own)).toEqual(own);
    const life = { level: 'beta', deprecated: '1.26', removed: '1.29' } as const;
    expect(notice('example.com', life, own)).toEqual({ ...own, removedRelease: '1.29' });
  });

  it('comes with the release that deprecates it, not before', () => {
    expect(notice('example.com', { level: 'beta', deprecated: '1.28' }, { message: 'soon' })).toBeUndefined();
    expect(notice('example.com', { level: 'beta', deprecated: '1.27' })).toBeDefined();
    expect(notice('example.com', { level: 'beta' })).toBeUndefined();
    expect(notice('example.com')).toBeUndefined();
  });
});

const lamps = moduleOf('shop.example.com', 'lamps', 'Lamp');
const code = codeOf(lamps);

describe('code that is loaded', () => {
  it('exists at once for all later requests, under either name', async () => {
    const load = vi.fn(() => Promise.resolve(code));
    const lazy = { ...lamps, code: load };
    expect(await loadCode(lazy)).toBe(code);
    expect(loadCode({ ...lazy, group: 'renamed' })).toBe(code);
    expect(codeOf(lazy)).toBe(code);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('needs no waiting if all of it is loaded', async () => {
    const lazy = { ...lamps, code: () => Promise.resolve(code) };
    expect(loadAll([lamps])).toBe(undefined);
    await loadAll([lamps, lazy]);
    expect(loadAll([lamps, lazy])).toBe(undefined);
  });
});

describe('a served resource', () => {
  const family = ['v1', 'v2'].map((version) => ({ ...lamps, version, code: async () => code }));
  const [one = lamps, other = lamps] = family;

  it('has its description before its code, and throws without its code', async () => {
    const resource = serveResource(one, { family });
    expect(resource.apiVersion).toBe('shop.example.com/v1');
    expect(() => resource.schema).toThrow('the code of shop.example.com/v1 lamps is used before it is loaded');
    await resource.ready();
    expect(resource.schema).toBe(code.schema);
    expect(resource.ready()).toBe(undefined);
    // A request may need the code of the other version to convert objects.
    expect(codeOf(other)).toBe(code);
  });
});
