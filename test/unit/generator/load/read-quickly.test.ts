import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCarefully } from '../../../../generator/load/parse-yaml.js';
import { readQuickly } from '../../../../generator/load/read-quickly.js';
import { yamlTexts } from '../../../support/yaml-texts.js';

describe('readQuickly', () => {
  const pieces = fc.constantFrom(
    ...['a', 'b', ':', ': ', ' ', '\n', '\n  ', '- ', '[', ']', '{', '}', ',', ', ', '"', "'", '|', '>', '|-\n', '? '],
    ...['---\n', '...\n', '%YAML 1.2\n', '\t', '#', ' # c', '\\', '\\n', '0', '1', '.', '\r', '\ufeff', 'é', '-', '?'],
    ...['!', '&', '*', '@', '`', '%', '=', '~', 'null', '\u2028', '|2\n', '>+\n', 'k: v\n', '  k: v\n', '- x\n'],
  );

  it("returns the careful reader's answer, if it answers", () => {
    let answers = 0;
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        const documents = readQuickly(text);
        if (documents === undefined) return;
        answers++;
        expect(parseCarefully(text)).toEqual({ documents, problems: [] });
      }),
      { numRuns: 5_000 },
    );
    expect(answers).toBeGreaterThan(50);
  });

  it.each(yamlTexts)('leaves $about to the careful reader, or answers alike', ({ text }) => {
    const documents = readQuickly(text);
    if (documents !== undefined) expect(parseCarefully(text)).toEqual({ documents, problems: [] });
  });

  it('answers for everything that definitions usually contain', () => {
    expect(readQuickly('a:\n- b: "1"\n  c: |\n    d\n')).toEqual([{ a: [{ b: '1', c: 'd\n' }] }]);
  });
});
