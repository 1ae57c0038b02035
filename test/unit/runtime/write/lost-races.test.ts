/** A write that starts again after a lost race makes its whole change, whatever happened the first time. */
import { describe, expect, it } from 'vitest';
import type { AdmissionPlugin } from '../../../../runtime/contract/index.js';
import { isObject } from '../../../../runtime/objects/guards.js';
import { suiteApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

/** Names of objects that another client is about to change. */
const contested = new Set<string>();

/** Changes the object, and then lets another write of the same object win, once. */
const rival: AdmissionPlugin = {
  name: 'Rival',
  handles: (_resource, operation) => operation === 'UPDATE',
  admit: async ({ object, name }) => {
    const spec = isObject(object?.spec) ? object.spec : {};
    if (Array.isArray(spec.parts)) spec.parts.push('seen');
    if (!contested.delete(name)) return undefined;
    const labels = { metadata: { labels: { faster: 'yes' } } };
    await api.send('PATCH', `${widgetsPath}/${name}`, labels);
    return undefined;
  },
};

const api = await suiteApi([{ ...widgets, unconditionalUpdate: true }], { plugins: [rival] });

const wanted = { size: 2, parts: ['a'] };
const yaml = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: NAME}\nspec: {size: 2, parts: [a]}\n';

type Request = readonly [method: string, body: (name: string) => unknown, type: string];

const writes: Readonly<Record<string, Request>> = {
  'an update': ['PUT', (name) => widget(name, wanted), 'application/json'],
  'an update in YAML': ['PUT', (name) => yaml.replace('NAME', name), 'application/yaml'],
  'a merge patch': ['PATCH', () => ({ spec: wanted }), 'application/merge-patch+json'],
  'a JSON patch': ['PATCH', () => [{ op: 'add', path: '/spec/parts', value: ['a'] }], 'application/json-patch+json'],
  'an apply': ['PATCH', (name) => widget(name, wanted), 'application/apply-patch+yaml'],
  'an apply in YAML': ['PATCH', (name) => yaml.replace('NAME', name), 'application/apply-patch+yaml'],
};

describe('after a lost race', () => {
  it.each(Object.entries(writes))('%s makes its whole change', async (what, [method, body, type]) => {
    const name = what.replaceAll(' ', '-').toLowerCase();
    await api.send('POST', widgetsPath, widget(name, { size: 1 }));
    contested.add(name);
    const query = type.includes('apply') ? '?fieldManager=tester&force=true' : '?fieldManager=tester';
    const reply = await api.send(method, `${widgetsPath}/${name}${query}`, body(name), { 'content-type': type });
    expect(contested.has(name)).toBe(false);
    expect(reply.code).toBe(200);
    expect(reply.body.spec).toMatchObject({ parts: ['a', 'seen'] });
    expect(api.defects).toEqual([]);
  });
});
