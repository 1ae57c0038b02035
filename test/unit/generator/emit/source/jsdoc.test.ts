/** Comments repeat the texts of schemas, and no text can end the comment. */
import { describe, expect, it } from 'vitest';
import { docText, fieldDoc, wrap } from '../../../../../generator/emit/source/jsdoc.js';

describe('docText', () => {
  it('cannot end the comment or begin a tag', () => {
    expect(docText('ends */ here\n@param not', [], 0)).toBe('ends *\\/ here\n\\@param not');
  });

  it('moves the deprecated paragraph to the tags', () => {
    expect(docText('First.\n\nDeprecated: use other.\n\nLast.', ['@minimum 1'], 0)).toBe(
      'First.\n\nLast.\n\n@deprecated use other.\n@minimum 1',
    );
  });

  it('is empty if there is nothing to say', () => expect(docText('', [], 0)).toBe(''));
});

describe('wrap', () => {
  it('breaks long lines at spaces and keeps line breaks', () => {
    expect(wrap('aa bb cc\nd', 5)).toEqual(['aa bb', 'cc', 'd']);
    expect(wrap('- aa bb cc', 7)).toEqual(['- aa bb', '  cc']);
  });

  it('keeps words that are too long', () => expect(wrap(`a ${'x'.repeat(9)} b`, 5)).toEqual(['a', 'x'.repeat(9), 'b']));
});

describe('fieldDoc', () => {
  it('has defaults, ranges and patterns', () => {
    const { doc, tags } = fieldDoc(
      { type: 'string', description: 'A name.', default: 'x', minLength: 1, maxLength: 9, pattern: '^a*/b$' },
      2,
    );
    expect(tags).toBe("@default 'x'\n@minLength 1\n@maxLength 9\n@pattern ^a*\\/b$");
    expect(doc).toBe(`A name.\n\n${tags}`);
  });

  it('has exclusive bounds, counts and formats that add to the type', () => {
    expect(
      fieldDoc({ type: 'integer', format: 'int64', minimum: 0, exclusiveMinimum: true, maximum: 2n ** 62n }, 2).tags,
    ).toBe('@format int64\n@exclusiveMinimum 0\n@maximum 4611686018427387904');
    expect(fieldDoc({ type: 'integer', format: 'int32' }, 2).tags).toBe('');
    expect(fieldDoc({ type: 'array', minItems: 1, maxItems: 3 }, 2).tags).toBe('@minItems 1\n@maxItems 3');
  });
});
