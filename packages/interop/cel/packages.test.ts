/**
 * Compares the expression engine with two CEL packages of npm, on the public conformance cases and on random
 * expressions that the packages support. If an answer differs, the case or a reason below supports the engine.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileExpression, dataTypeOf, Environment, laterEnvironment } from '../../../runtime/cel/index.js';
import type { Schema } from '../../../runtime/contract/index.js';
import { expressions, objects, schema } from '../../../test/support/cel/arbitrary-rules.js';
import { readWhole } from '../../../test/support/cel/interpreter.js';
import { effort } from '../../../test/support/effort.js';
import { root } from '../../../test/support/shared.js';
import { type Answer, type CelPackage, celPackages, plainOf } from './packages.js';
import { type EvaluationCase, evaluationCases } from './spec-cases.js';

const cases = evaluationCases();
/** Returns whether a case is about an extension, and not about the language itself. */
const isExtension = ({ name }: EvaluationCase): boolean => /_ext\/|\/(?:macros2|optionals|bindings)/.test(name);
const wanted = ({ expected }: EvaluationCase): Answer =>
  expected === 'error' ? 'error' : { value: plainOf(expected.value) };

describe.each(celPackages)('$name', (celPackage) => {
  it('differs from the engine in conformance cases only where the case agrees with the engine', () => {
    let answered = 0;
    for (const one of cases) {
      const answer = celPackage.evaluate(one.text, one.variables);
      if (answer === 'error') continue;
      answered++;
      const own = ownAnswer(one);
      if (!isDeepStrictEqual(own, answer))
        expect({ name: one.name, own }).toEqual({ name: one.name, own: wanted(one) });
    }
    expect(answered).toBeGreaterThan(300);
  });

  it('passes as many conformance cases as docs/cel.md says', () => {
    expectRow(celPackage.name, (one) => celPackage.evaluate(one.text, one.variables));
  });

  it('differs from the engine on random expressions only for the listed reasons', () => {
    let answered = 0;
    fc.assert(
      fc.property(anything, objects, objects, (text, self, oldSelf) => {
        const answer = celPackage.evaluate(text, { self: readWhole(self, data), oldSelf: readWhole(oldSelf, data) });
        if (answer === 'error') return;
        answered++;
        const own = answerOf(text, { self, oldSelf });
        if (isDeepStrictEqual(own.answer, answer)) return;
        const trial = { text, inputs: JSON.stringify([text, self, oldSelf]), problem: own.problem };
        const reason = reasons.find(({ of, applies }) => of.includes(celPackage.name) && applies(trial));
        expect(reason, `${text}: ${JSON.stringify({ theirs: answer, ours: own, self, oldSelf })}`).toBeDefined();
      }),
      { numRuns: effort('KINDFORGE_CEL_RUNS', 1_000, 30_000) },
    );
    expect(answered).toBeGreaterThan(100);
  });
});

it('the engine passes as many conformance cases as docs/cel.md says', () => {
  expectRow('this engine', ownAnswer);
});

function ownAnswer({ text, variables, environment, unchecked }: EvaluationCase): Answer {
  const compiled = compileExpression(text, environment, { unchecked });
  const found = compiled.ok ? compiled.expression.evaluate(variables) : compiled;
  return found.ok ? { value: plainOf(found.value) } : 'error';
}

/** Expects that the page has a row with these figures. */
function expectRow(name: string, answerTo: (one: EvaluationCase) => Answer): void {
  const passed = cases.filter((one) => isDeepStrictEqual(answerTo(one), wanted(one)));
  const [language, inLanguage] = [cases, passed].map((list) => list.filter((one) => !isExtension(one)).length);
  const page = readFileSync(join(root, 'docs/cel.md'), 'utf8');
  expect(page).toContain(`| ${name} | ${passed.length} of ${cases.length} | ${inLanguage} of ${language} |`);
}

/** An expression with different answers. */
interface Trial {
  readonly text: string;
  readonly inputs: string;
  /** The engine's error, or `refused` if the expression is not compiled. */
  readonly problem: string | undefined;
}

interface Reason {
  readonly why: string;
  readonly of: readonly CelPackage['name'][];
  applies(trial: Trial): boolean;
}

const both: readonly CelPackage['name'][] = ['cel-js', '@marcbachmann/cel-js'];
const reasons: readonly Reason[] = [
  {
    why: 'the engine computes constants when it compiles, and refuses constants that fail, even unused ones',
    of: both,
    applies: ({ problem }) => problem === 'refused',
  },
  {
    why: 'its integers are doubles: they do not overflow, lose digits beyond 2^53, and are divided into fractions',
    of: ['cel-js'],
    applies: ({ problem, text, inputs }) =>
      problem === 'integer overflow' || text.includes(' / ') || /9007199254740991|9223372036854775807/.test(inputs),
  },
  {
    why: 'size counts the halves of characters beyond U+FFFF',
    of: ['cel-js'],
    applies: ({ text, inputs }) => text.includes('size(') && /[\ud800-\udfff]/.test(inputs),
  },
  {
    why: 'it takes a field of an absent object for absent, which is an error in CEL',
    of: ['cel-js'],
    applies: ({ problem, text }) => problem?.startsWith('no such key') === true && text.includes('has('),
  },
  {
    why: 'it finds members of Object.prototype in maps',
    of: ['cel-js'],
    applies: ({ problem }) => problem === 'no such key: toString',
  },
  {
    why: 'substring and split count the halves of characters beyond U+FFFF',
    of: ['@marcbachmann/cel-js'],
    applies: ({ text, inputs }) => /\.(?:substring|split)\(/.test(text) && /[\ud800-\udfff]/.test(inputs),
  },
  {
    why: 'it reads an empty text as the number 0',
    of: ['@marcbachmann/cel-js'],
    applies: ({ problem, text }) => problem !== undefined && text.includes('int('),
  },
];

/** Removes the types of lists, because the packages do not know sets and keys of lists. */
function withoutListTypes({ properties = {}, ...rest }: Schema): Schema {
  const plain = Object.entries(properties).map(([name, { 'x-kubernetes-list-type': _, ...field }]) => [name, field]);
  return { ...rest, properties: Object.fromEntries(plain) };
}

const data = dataOf(withoutListTypes(schema));
const environment = new Environment({
  ...laterEnvironment,
  variables: { self: { type: data.type, data }, oldSelf: { type: data.type, data } },
});
const anything = fc.oneof(expressions.bool, expressions.int, expressions.text, expressions.texts);

function dataOf(plain: Schema): NonNullable<ReturnType<typeof dataTypeOf>> {
  const found = dataTypeOf(plain, 'self');
  if (found === undefined) throw new Error('the schema names no type');
  return found;
}

function answerOf(
  text: string,
  variables: Readonly<Record<string, unknown>>,
): { readonly answer: Answer; readonly problem: string | undefined } {
  const compiled = compileExpression(text, environment);
  if (!compiled.ok) return { answer: 'error', problem: 'refused' };
  const found = compiled.expression.evaluate(variables);
  if (found.ok) return { answer: { value: plainOf(found.value) }, problem: undefined };
  return { answer: 'error', problem: found.message };
}
