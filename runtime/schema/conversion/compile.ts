/** The compiler of conversions: turns steps into the text of a module with both directions. */
import type { Conversion, ConversionStep } from '../../contract/index.js';
import { type Language, ModuleCode } from '../emit/module-code.js';
import * as support from '../support.js';
import { StepEmitter } from './emit-steps.js';

/** A module that exports `conversion`, in TypeScript; or in JavaScript what `instantiateConversion` evaluates. */
export function compileConversion(steps: readonly ConversionStep[], language: Language = 'js'): string {
  const code = new ModuleCode(language, { name: 'conversion', type: 'Conversion' });
  for (const direction of ['fromStored', 'toStored'] as const) {
    code.offer(direction, {
      parameters: [
        ['object', 'JsonObject'],
        ['rename', 'Rename'],
      ],
      returns: 'void',
      body: new StepEmitter(code, direction).steps(steps, { object: 'object', below: [] }),
    });
  }
  return code.text();
}

/**
 * The functions of steps. All texts of a definition stand in the compiled text as quoted literals, so nothing that it
 * says is run.
 */
export function instantiateConversion(steps: readonly ConversionStep[]): Conversion {
  const evaluate = new Function('support', `'use strict';\n${compileConversion(steps)}`);
  const conversion: Conversion = evaluate(support);
  return conversion;
}
