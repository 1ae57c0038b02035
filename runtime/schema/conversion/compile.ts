/** The compiler of conversions: turns steps into the text of a module with both directions. */
import type { Conversion, ConversionExpressions, ConversionStep } from '../../contract/index.js';
import { quoted } from '../emit/literal.js';
import { ModuleCode } from '../emit/module-code.js';
import { type Language, printModule } from '../emit/print-module.js';
import * as support from '../support.js';
import { EXPRESSIONS, StepEmitter } from './emit-steps.js';
import { expressionsOf } from './expressions.js';
import { keptAnnotations } from './kept-annotations.js';

/** The module that exports the compiled expressions of the steps, where there are some. */
const expressionsModule = { module: './expressions.js', names: new Map([[EXPRESSIONS, 'expressions']]) };

/** A module that exports `conversion`, in TypeScript; or in JavaScript what `instantiateConversion` evaluates. */
export function compileConversion(steps: readonly ConversionStep[], language: Language = 'js'): string {
  const code = new ModuleCode();
  const expressions = expressionsOf(steps).map(({ step }) => step);
  const mayFail = expressions.length > 0;
  for (const direction of ['fromStored', 'toStored'] as const) {
    const emitter = new StepEmitter(code, language, direction, expressions);
    code.offer(direction, {
      parameters: [
        ['object', 'JsonObject'],
        ['rename', 'Rename'],
        ...(mayFail ? ([['report', 'ConversionReport | undefined']] as const) : []),
      ],
      returns: 'void',
      body: [
        ...(mayFail ? [emitter.beginning('object')] : []),
        ...emitter.steps(steps, { object: 'object', below: [] }),
      ],
    });
  }
  const { definitions, offered } = code;
  const facts = [...(mayFail ? ['mayFail: true'] : []), ...keptFact(steps)];
  return printModule({
    language,
    offering: { name: 'conversion', type: 'Conversion', ...(facts.length > 0 ? { facts } : {}) },
    definitions,
    offered,
    imports: mayFail ? [expressionsModule] : [],
  });
}

/** Says which annotations keep fields, where some do. */
function keptFact(steps: readonly ConversionStep[]): readonly string[] {
  const { own, stored } = keptAnnotations(steps);
  const list = (keys: readonly string[]): string => `[${keys.map(quoted).join(', ')}]`;
  return own.length + stored.length === 0 ? [] : [`keeps: { own: ${list(own)}, stored: ${list(stored)} }`];
}

/**
 * The functions of steps; with `expressions`, where there are such steps. All texts of a definition stand in the
 * compiled text as quoted literals, so nothing that it says is run.
 */
export function instantiateConversion(
  steps: readonly ConversionStep[],
  expressions?: ConversionExpressions,
): Conversion {
  const evaluate = new Function('support', 'expressions', `'use strict';\n${compileConversion(steps)}`);
  const conversion: Conversion = evaluate(support, expressions);
  return conversion;
}
