import { describe, expect, it } from 'vitest';
import { expressionsIn } from '../../../support/growth/find-expressions.js';
import { superlinear } from '../../../support/growth/growth.js';

describe('the growth of the work of a regular expression', () => {
  it.each<[string, RegExp]>([
    ['quantities', /^([+-]?)0*(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/],
    ['spaces around quantities', /^\p{Z}+|\p{Z}+$/gu],
    ['durations', /^[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h)(?=[\d.]|$))*(.*)$/s],
    ['the padding of tokens', /=+$/],
    ['doubles', /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i],
  ])('is found to be too fast in the former expression for %s', (_, expression) =>
    expect(superlinear(expression, expression.global ? 'all' : 'first')).toBeDefined(),
  );

  it.each([
    /^(a+)+$/,
    /^(a|a)*$/,
    /^(?:a*)*b/,
    /\s+$/,
    /<(.*)>/,
    /^(\d+)(\d+)x/,
    /^.*a.*b.*c$/,
    /(?<=a*)b/,
    /^(a*)\1b/,
    /'(?:[^'\\]|\\.)*'/,
  ])('is found to be too fast in %s', (expression) => expect(superlinear(expression, 'first')).toBeDefined());

  it.each([
    /^a+$/,
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
    /(?<! ) +$/,
    /[^\s,]+/g,
    /^(?:[^"\\]|\\.)*"/,
    /\d{1,19}$/,
    /^(?:a{1,3}){2,5}$/,
    /"(?:[^"\\]|\\.)*"?/g,
  ])('is found to be no faster than the text in %s', (expression) =>
    expect(superlinear(expression, expression.global ? 'all' : 'first')).toBeUndefined(),
  );

  it('depends on whether the search is for one match or for all', () => {
    expect(superlinear(/a.*?(?:b|$)/s, 'all')).toBeUndefined();
    expect(superlinear(/a(?=.*(b?))/s, 'first')).toBeUndefined();
    expect(superlinear(/a(?=.*(b?))/s, 'all')).toBeDefined();
  });
});

describe('the search for regular expressions', () => {
  it('finds literals, and expressions that are built of constants', () => {
    const text = [
      "const digit = '[0-9]';",
      `const pair = \`\${digit}\${digit}\`;`,
      'const a = /x+/gi;',
      `const b = new RegExp(\`^\${pair}$\`, 'u');`,
      'const c = new RegExp(pair + other);',
      'text.split(/,/);',
      "const d = patternCheck({ source: '[a-z]+', meaning: '' });",
    ].join('\n');
    expect(expressionsIn('a.ts', text)).toMatchObject([
      { place: 'a.ts:3', expression: /x+/gi, search: 'all' },
      { place: 'a.ts:4', expression: /^[0-9][0-9]$/u, search: 'first' },
      { place: 'a.ts:5', expression: undefined },
      { place: 'a.ts:6', expression: /,/, search: 'all' },
      { place: 'a.ts:7', expression: /^(?:[a-z]+)$/ },
    ]);
  });
});
