/** Evaluates compiled schemas, for definitions that arrive while the server runs. */
import type { SchemaFunctions } from '../contract/index.js';
import * as support from './support.js';

/**
 * The functions of a compiled schema (`language: 'js'`). The text must come from `compileSchema`: it is run as code.
 * All texts of a schema stand in it as quoted literals, so nothing that a definition says is run.
 */
export function instantiate(text: string): SchemaFunctions {
  const evaluate = new Function('support', `'use strict';\n${text}`);
  const functions: SchemaFunctions = evaluate(support);
  return functions;
}
