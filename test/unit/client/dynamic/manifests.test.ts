import { describe, expect, it } from 'vitest';
import { inApplyOrder } from '../../../../client/dynamic/apply-all.js';
import { ManifestError, openManifests, readManifests } from '../../../../client/dynamic/manifests.js';
import { rejection } from '../../../support/sdk.js';

describe('readManifests', () => {
  it('reads every document, and opens lists', async () => {
    const text = `
apiVersion: v1
kind: Namespace
metadata: { name: a }
---
# nothing
---
apiVersion: v1
kind: List
items:
  - { apiVersion: v1, kind: ConfigMap, metadata: { name: b } }
  - { apiVersion: v1, kind: ConfigMap, metadata: { name: c } }
---
{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"generateName": "d-"}}
`;
    const names = (await readManifests(text)).map(({ metadata }) => metadata.name ?? metadata.generateName);
    expect(names).toEqual(['a', 'b', 'c', 'd-']);
    expect(await readManifests('')).toEqual([]);
  });

  it('reads scalars like the server', async () => {
    const scalars = `
apiVersion: v1
kind: ConfigMap
metadata: { name: x }
data: { a: yes, b: 017, c: 2020-01-01, d: 9223372036854775807, e: 0x1F, f: 1_000, g: -5, h: 1.5, i: "017", j: 12:30:45 }
`;
    const [{ data } = { data: {} }] = await readManifests(scalars);
    expect(data).toEqual({
      ...{ a: true, b: 15, c: '2020-01-01', d: 9223372036854775807n, e: 31, f: 1000, g: -5, h: 1.5 },
      ...{ i: '017', j: '12:30:45' },
    });
  });

  it.each([
    ['a: 1\na: 2', /duplicated mapping key/],
    ['kind: ConfigMap', /^document 1 has no apiVersion$/],
    ['{}', /^document 1 has no apiVersion and no kind$/],
    ['apiVersion: v1\nkind: ConfigMap', /^document 1 has no name in its metadata$/],
    ['---\n---\nplain', /^document 2 has no apiVersion/],
    ['apiVersion: v1\nkind: List\nitems: [{ kind: X }]', /^item 1 of document 1 has no apiVersion$/],
  ])('refuses %j', async (text, message) => {
    const error = await rejection(readManifests(text));
    expect(error).toBeInstanceOf(ManifestError);
    expect(error).toMatchObject({ message: expect.stringMatching(message) });
  });

  it('reports the line at which a text is not YAML', async () => {
    expect(await rejection(readManifests('a: 1\nb: [1\nc: 2\n'))).toHaveProperty('line', 3);
    expect(await rejection(readManifests('a: 1'))).toHaveProperty('line', undefined);
  });

  it('accepts objects unchanged', () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
    expect(openManifests([object, { kind: 'ConfigMapList', items: [object] }])).toEqual([object, object]);
  });
});

it('puts namespaces and definitions before the rest, and webhooks after it', () => {
  const kinds = [
    'Widget',
    'ValidatingWebhookConfiguration',
    'ConfigMap',
    'Pod',
    'CustomResourceDefinition',
    'Namespace',
  ];
  expect(inApplyOrder(kinds.map((kind) => ({ kind }))).map(({ kind }) => kind)).toEqual([
    ...['Namespace', 'CustomResourceDefinition', 'ConfigMap', 'Widget', 'Pod', 'ValidatingWebhookConfiguration'],
  ]);
});
