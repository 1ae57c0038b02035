/** Values that are computed once per resource: its keys, the head of its objects, selectable fields, and plugins. */
import { describe, expect, it } from 'vitest';
import type { AdmissionPlugin } from '../../../../runtime/contract/index.js';
import { attributesOf } from '../../../../runtime/resource/encoding.js';
import { serveResource } from '../../../../runtime/resource/serve-resource.js';
import { keyOf } from '../../../../runtime/resource/served-resource.js';
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

  it('is stored as it is, or in the version that it is told', () => {
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

  it('compiles plans when first asked, and once', () => {
    expect(resource.plan).toBe(resource.plan);
    expect(resource.patchSchema).toBe(resource.patchSchema);
    expect(resource.resetFields('status')).toBe(resource.resetFields('status'));
  });
});

describe('what selectors may ask', () => {
  it('is the labels, and the fields that the resource selects by; keys say the rest', () => {
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
  ])('has %s as the text %j', (color, text) => {
    expect(attributesOf(resource, widget('a', { color })).fields['spec.color']).toBe(text);
  });

  it('comes from the handlers of the kind if the value is not a plain path', () => {
    const handlers = {
      selectableFields: {
        'spec.color': (object: ReturnType<typeof widget>) => (object.metadata.name === 'a' ? 'any' : undefined),
      },
    };
    const own = serveResource(widgets, { handlers });
    expect(attributesOf(own, widget('a', { color: 'red' })).fields['spec.color']).toBe('any');
    expect(attributesOf(own, widget('b', { color: 'red' })).fields['spec.color']).toBe('red');
  });

  it('holds labels, none for an object without them', () => {
    expect(attributesOf(resource, widget('a', {}, { labels: { a: 'b' } })).labels).toEqual({ a: 'b' });
    expect(attributesOf(resource, widget('a')).labels).toEqual({});
  });
});

describe('admission plugins of a resource', () => {
  it('are those that have a say, in order, asked once per operation and subresource', () => {
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
