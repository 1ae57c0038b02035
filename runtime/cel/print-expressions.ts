/** Prints the expressions of a conversion as a TypeScript file that defines them compiled. */
import type { ConversionExpressions, ConversionStep } from '../contract/index.js';
import { type CompiledProgram, instantiateProgram } from './compile/program.js';
import { importLine, quoted, typeNames } from './compile/program-text.js';
import * as support from './compile/support.js';
import { type ConversionExpression, type ConvertedSchemas, compileExpressions } from './compile-expressions.js';
import { type DefinedExpression, defineConversionExpressions } from './define-expressions.js';
import { Environment } from './environment.js';
import { laterEnvironment } from './releases.js';
import { EvaluationError } from './values/error.js';

const door = 'kindforge/cel';

/**
 * Returns the text of a file that exports `expressions`. Returns `undefined` if the steps have no expressions, or an
 * unusable one.
 */
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
  // If programs construct a class, its import as a value includes its type.
  const types = typeNames.filter((name) => words.has(name) && !values.includes(name));
  return [
    importLine('type ', ['ConversionExpressions'], 'kindforge/contract'),
    importLine('type ', types, door),
    importLine('', values.sort(), door),
  ].join('');
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

/**
 * Returns the expressions of steps, or `undefined` if there are none. An expression that does not compile fails for
 * every value.
 */
export function instantiateExpressions(
  steps: readonly ConversionStep[],
  schemas: ConvertedSchemas,
): ConversionExpressions | undefined {
  const all = compileExpressions(steps, schemas);
  if (all.length === 0) return undefined;
  const of = (direction: ConversionExpression['direction']): DefinedExpression[] =>
    all.filter((each) => each.direction === direction).map(defined);
  return defineConversionExpressions({ toStored: of('toStored'), fromStored: of('fromStored') });
}

function defined({ text, place, result, outcome }: ConversionExpression): DefinedExpression {
  const program = (): CompiledProgram => {
    if (!outcome.ok) throw new EvaluationError(outcome.problem);
    return instantiateProgram(outcome.expression.program, new Environment(laterEnvironment));
  };
  return { text, place, ...(result === undefined ? {} : { result }), program };
}
