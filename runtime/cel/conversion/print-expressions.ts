/** Prints the expressions of a conversion as a TypeScript file that defines them compiled. */

import type { ConversionStep } from '../../contract/index.js';
import { importLine, quoted } from '../compile/program-text.js';
import * as support from '../compile/support.js';
import { typeNames } from '../compile/typescript.js';
import { type ConversionExpression, type ConvertedSchemas, compileExpressions } from './compile-expressions.js';

const door = 'kindforge/cel';

/** The text of a file that exports `expressions`; `undefined` where the steps have none, or one that is not usable. */
export function printExpressions(steps: readonly ConversionStep[], schemas: ConvertedSchemas): string | undefined {
  const all = compileExpressions(steps, schemas);
  if (all.length === 0 || !all.every(({ outcome }) => outcome.ok)) return undefined;
  const words = new Set<string>();
  const directions = (['toStored', 'fromStored'] as const).flatMap((direction) => [
    `${direction}: [`,
    ...all.filter((each) => each.direction === direction).flatMap((each) => indented(printed(each, words))),
    '],',
  ]);
  const body = [
    'export const expressions: ConversionExpressions = defineConversionExpressions({',
    ...indented(directions),
    '});',
  ];
  return `${headOf(words)}\n${body.map((line) => `${line}\n`).join('')}`;
}

function printed({ text, place, result, outcome }: ConversionExpression, words: Set<string>): string[] {
  if (!outcome.ok) return [];
  const program = outcome.expression.typeScript();
  for (const word of program.words) words.add(word);
  return [
    '{',
    ...indented([
      `text: ${quoted(text)},`,
      `place: ${quoted(place)},`,
      ...(result === undefined ? [] : [`result: ${quoted(result)},`]),
      'program: () => {',
      ...indented(program.lines),
      '},',
    ]),
    '},',
  ];
}

function headOf(words: ReadonlySet<string>): string {
  const values = [
    'defineConversionExpressions',
    ...['overloads', ...Object.keys(support)].filter((name) => words.has(name)),
  ];
  // A class that is also constructed is imported as a value, which brings its type along.
  const types = typeNames.filter((name) => words.has(name) && !values.includes(name));
  return [
    importLine('type ', ['ConversionExpressions'], 'kindforge/contract'),
    importLine('type ', types, door),
    importLine('', values.sort(), door),
  ].join('');
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
