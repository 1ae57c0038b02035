/** The schema compiler: turns a schema into the text of a module with its functions. */
import type { Schema } from '../contract/index.js';
import { type Definitions, reachable } from './emit/definitions.js';
import { ModuleCode } from './emit/module-code.js';
import { pascal } from './emit/names.js';
import { type Language, printModule } from './emit/print-module.js';
import { emitStructural } from './emit/structural-module.js';
import { emitTyped } from './emit/typed-module.js';
import { NodeTable } from './node.js';
import { objectMetaSchema } from './object-meta.js';

export interface DefineOptions {
  /** How wrong values are answered, see `ResourceModule.decoding`. */
  readonly decoding: 'typed' | 'structural';
  /** The kind, for the names of functions and for messages about typed kinds. */
  readonly kind?: string;
  /** The version, for messages about typed kinds; `v1` where absent. */
  readonly version?: string;
}

export interface CompileOptions extends DefineOptions {
  /** `js` (the default) is for `instantiate`; `ts` is a module in strict TypeScript, to be printed into a file. */
  readonly language?: Language;
}

/** A compiled schema. */
export interface CompiledSchema {
  /** In `ts`, a module that exports `functions`; in `js`, the body of a function from the helpers to the functions. */
  readonly text: string;
}

/**
 * Compiles a schema. The text is the same for the same schema, contains no more than the schema calls for, and has
 * each function once, however often the part of the schema behind it occurs.
 */
export function compileSchema(schema: Schema, options: CompileOptions): CompiledSchema {
  return { text: printModule({ language: options.language ?? 'js', ...defineFunctions(schema, options) }) };
}

/** The functions of a schema before they have names, for those who part them among files. */
export function defineFunctions(schema: Schema, options: DefineOptions): Definitions {
  const code = new ModuleCode();
  const nodes = new NodeTable();
  const root = nodes.node(schema);
  const kind = pascal(options.kind ?? 'Object');
  if (options.decoding === 'typed') emitTyped(code, { root, kind, version: options.version ?? 'v1' });
  else emitStructural(code, { root, objectMeta: nodes.node(objectMetaSchema), hint: kind });
  const { offered } = code;
  return { offered, definitions: reachable(offered.keys(), (number) => code.definitions.get(number)) };
}
