/**
 * Holds every regular expression of the product against texts that grow: its work may not grow faster than the text.
 * Expressions are found in the sources, so new ones are tried without being named here.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { expressionsIn, type FoundExpression } from '../support/growth/find-expressions.js';
import { superlinear } from '../support/growth/growth.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const rooms = [
  ...['bin', 'client', 'controllers', 'generator', 'plugins', 'runtime', 'server', 'strategies'],
  'testing',
];

/** Expressions that are built from values of other files, with the reasons. */
const builtOfTexts: ReadonlyMap<string, string> = new Map([
  ['generator/diff/proof/values/patterns.ts', 'not run: texts are drawn from its structure'],
  ['runtime/objects/names/name-checks.ts', 'the calls of `wholeMatch` and `patternCheck` are found themselves'],
  ['runtime/schema/openapi/schema-objects.ts', 'not run: only whether it can be read counts'],
]);

const sources = rooms.flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.m?ts$|\.m?js$/.test(path))
    .map((path) => `${room}/${path.split(sep).join('/')}`),
);
const found = sources.flatMap((file) => expressionsIn(file, readFileSync(join(root, file), 'utf8')));

/** Each expression once for each way to use it, with its first place. */
const distinct = new Map<string, FoundExpression & { readonly expression: RegExp }>();
for (const one of found) {
  const key = `${one.expression} ${one.search}`;
  if (one.expression && !distinct.has(key)) distinct.set(key, { ...one, expression: one.expression });
}

const fileOf = ({ place }: FoundExpression): string => place.slice(0, place.lastIndexOf(':'));

describe('regular expressions of the product', () => {
  it('are found in all rooms', () => expect(found.length).toBeGreaterThan(600));

  it('take time that grows no faster than the text', () => {
    const slow = [...distinct.values()].flatMap(({ place, text, expression, search }) => {
      const attack = superlinear(expression, search);
      return attack ? [`${place} ${text} on ${JSON.stringify(attack)}`] : [];
    });
    expect(slow).toEqual([]);
  });

  it('are made of constants, except those with a reason', () => {
    const built = found.filter(({ expression }) => expression === undefined).map(fileOf);
    expect([...new Set(built)].sort()).toEqual([...builtOfTexts.keys()]);
  });
});
