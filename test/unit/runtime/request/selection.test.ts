/** Label and field selectors as one selection, and the one object that it may be about. */
import { describe, expect, it } from 'vitest';
import { parseFieldSelector } from '../../../../runtime/objects/selectors/field-selectors.js';
import { parseLabelSelector } from '../../../../runtime/objects/selectors/labels.js';
import { matchEverything, type Selection, selectionOf } from '../../../../runtime/request/selection.js';

function selection(labels: string, fields: string): Selection {
  const [parsedLabels, parsedFields] = [parseLabelSelector(labels), parseFieldSelector(fields)];
  if (!parsedLabels.ok || !parsedFields.ok) throw new Error('not a selector');
  return selectionOf(parsedLabels.value, parsedFields.value);
}

const entry = {
  key: 'example.com/widgets/n/a',
  revision: 1,
  bytes: new Uint8Array(0),
  attributes: { labels: { tier: 'web' }, fields: { 'spec.color': 'red' } },
};

describe('a selection', () => {
  it.each([
    ['', '', true],
    ['tier=web', '', true],
    ['tier=db', '', false],
    ['', 'metadata.name=a', true],
    ['', 'metadata.name!=a', false],
    ['tier=web', 'metadata.name=b', false],
    ['tier=db', 'metadata.name=a', false],
    ['tier=web', 'metadata.name=a,metadata.namespace=n', true],
    ['', 'metadata.namespace=other', false],
    ['', 'metadata.namespace!=other', true],
    ['', 'metadata.name=n/a', false],
    ['', 'spec.color=red', true],
    ['', 'spec.color=blue,metadata.name=a', false],
    ['', 'spec.size=', true],
  ])('of labels %j and fields %j: %s', (labels, fields, expected) => {
    expect(selection(labels, fields).matches(entry)).toBe(expected);
  });

  it.each([
    ['', '', true],
    ['tier=web', '', false],
    ['', 'metadata.name=a', false],
  ])('of labels %j and fields %j selects everything: %s', (labels, fields, expected) => {
    expect(selection(labels, fields).everything).toBe(expected);
  });

  it.each([
    ['metadata.name=a', 'a', undefined],
    ['metadata.namespace=n,metadata.name=a', 'a', 'n'],
    ['metadata.name!=a', undefined, undefined],
  ])('by %j selects the name %s in the namespace %s only', (fields, name, namespace) => {
    expect(selection('', fields)).toMatchObject({ name, namespace });
  });

  it.each([
    ['metadata.namespace=', true],
    ['metadata.namespace!=', false],
    ['metadata.name=a', true],
  ])('takes an object without a namespace for one in the empty namespace: %s', (fields, expected) => {
    expect(selection('', fields).matches({ ...entry, key: 'example.com/widgets/a' })).toBe(expected);
  });

  it('lists its conditions on labels and fields that must exist', () => {
    expect(selection('a=1,b in (x,y),c,d>3,e!=1,f notin (z),!g', 'spec.color=red,spec.size!=2').conditions).toEqual([
      { of: 'labels', key: 'a', values: ['1'] },
      { of: 'labels', key: 'b', values: ['x', 'y'] },
      { of: 'labels', key: 'c' },
      { of: 'labels', key: 'd' },
      { of: 'fields', key: 'spec.color', values: ['red'] },
    ]);
    expect(selection('', 'metadata.name=a,metadata.namespace=n').conditions).toEqual([]);
  });

  it('of everything has no conditions', () => {
    expect(matchEverything.everything).toBe(true);
    expect(matchEverything.matches(entry)).toBe(true);
  });
});
