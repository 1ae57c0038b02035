/** Label and field selectors as one selection, and the one object that it may be about. */
import { describe, expect, it } from 'vitest';
import { parseFieldSelector } from '../../../../runtime/objects/field-selectors.js';
import { parseLabelSelector } from '../../../../runtime/objects/labels.js';
import { matchEverything, type Selection, selectionOf } from '../../../../runtime/verbs/selection.js';

function selection(labels: string, fields: string): Selection {
  const [parsedLabels, parsedFields] = [parseLabelSelector(labels), parseFieldSelector(fields)];
  if (!parsedLabels.ok || !parsedFields.ok) throw new Error('not a selector');
  return selectionOf(parsedLabels.value, parsedFields.value);
}

const attributes = { labels: { tier: 'web' }, fields: { 'metadata.name': 'a', 'metadata.namespace': 'n' } };

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
  ])('of labels %j and fields %j: %s', (labels, fields, expected) => {
    expect(selection(labels, fields).matches(attributes)).toBe(expected);
  });

  it.each([
    ['', '', true],
    ['tier=web', '', false],
    ['', 'metadata.name=a', false],
  ])('of labels %j and fields %j lets everything through: %s', (labels, fields, expected) => {
    expect(selection(labels, fields).everything).toBe(expected);
  });

  it.each([
    ['metadata.name=a', 'a', undefined],
    ['metadata.namespace=n,metadata.name=a', 'a', 'n'],
    ['metadata.name!=a', undefined, undefined],
  ])('by %j is about the name %s in the namespace %s', (fields, name, namespace) => {
    expect(selection('', fields)).toMatchObject({ name, namespace });
  });

  it('of everything asks nobody', () => {
    expect(matchEverything.everything).toBe(true);
    expect(matchEverything.matches(attributes)).toBe(true);
  });
});
