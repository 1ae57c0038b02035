/** Makes texts at every limit of the schemas, and of their patterns. */
import { expect, it } from 'vitest';
import { textsMatching } from '../../../../../../generator/diff/proof/values/patterns.js';
import { textsOf } from '../../../../../../generator/diff/proof/values/texts.js';
import { pattern } from '../../../../../../runtime/schema/engine/pattern.js';

it.each(['^[a-z]{3}-[0-9]{2,4}$', '^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$', '^[[:alpha:]]+\\z', 'b{2}'])(
  'makes only texts that match %s, and the same texts each time',
  (source) => {
    const texts = textsMatching(source);
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.filter((text) => !pattern(source).matches(text))).toEqual([]);
    expect(textsMatching(source)).toEqual(texts);
  },
);

it('makes no texts for an invalid pattern', () => {
  expect(textsMatching('(')).toEqual([]);
});

it('makes texts at and beside each length that match the pattern too', () => {
  const texts = textsOf({ facets: [{ maxLength: 9, pattern: '^[a-z]+(-[a-z]+)*$' }, { minLength: 4 }] }, true);
  const { matches } = pattern('^[a-z]+(-[a-z]+)*$');
  for (const length of [3, 4, 5, 8, 9, 10]) {
    expect(texts.filter((text) => text.length === length && matches(text))).not.toEqual([]);
  }
});
