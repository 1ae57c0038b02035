/** docs/conformance.md names every known difference, and no others. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../support/shared.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = read('docs/conformance.md');
const known: Record<string, string[]> = JSON.parse(read('test/conformance/known-differences.json'));
const knownSamples: Record<string, string> = JSON.parse(read('test/conformance/known-sample-differences.json'));

const [, differences = ''] = page.split('## Known differences');
const rows = (text: string): string[][] =>
  [...text.matchAll(/^\|(.*)\|$/gm)].map(([, row = '']) => row.split('|').map((cell) => cell.trim()));

/** Lists known differences as `scenario #exchange`. */
const listedOf = (area: string): string[] =>
  rows(differences).flatMap(([first, scenario = '', exchanges = '']) =>
    first === area ? exchanges.split(',').map((exchange) => `${scenario} #${exchange.trim()}`) : [],
  );

/** Reads the numbers of compared and of equal exchanges from the page. */
function figuresOf(what: string): { compared: number; agree: number; percent: number } {
  const [, compared = '', agree = ''] = rows(page).find(([first = '']) => first.includes(what)) ?? [];
  const [, count, percent] = /^(\d+) \(([\d.]+) %\)$/.exec(agree) ?? [];
  return { compared: Number(compared), agree: Number(count), percent: Number(percent) };
}

describe('the page on conformance', () => {
  it.each(Object.keys(known))('names every known difference of area %s and no other', (area) =>
    expect(listedOf(area).sort()).toEqual([...(known[area] ?? [])].sort()),
  );

  it('names no other area', () => {
    const areas = rows(differences).flatMap((row) =>
      row.length === 3 && /^[a-z]+$/.test(row[0] ?? '') ? [row[0]] : [],
    );
    const differing = Object.keys(known).filter((area) => known[area]?.length !== 0);
    expect([...new Set(areas)].filter((area) => area !== 'area').sort()).toEqual(differing.sort());
  });

  it('names every sample with another result and no other', () => {
    const samples = rows(differences).flatMap(([sample = '']) => (/\.ya?ml$/.test(sample) ? [sample] : []));
    expect(samples.sort()).toEqual(Object.keys(knownSamples).sort());
  });

  it.each([
    ...Object.entries(known).map(([area, listed]) => [`area \`${area}\``, listed.length] as const),
    ['samples', Object.keys(knownSamples).length] as const,
  ])('has figures for %s that fit the list', (what, differing) => {
    const { compared, agree, percent } = figuresOf(what);
    expect(compared - agree).toBe(differing);
    expect(percent).toBeCloseTo((agree / compared) * 100, 1);
  });
});
