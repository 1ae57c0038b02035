/** The schema compiler: turns a schema into the text of a module with its functions. */
import type { Schema } from '../contract/index.js';
import { type Language, ModuleCode } from './emit/module-code.js';
import { pascal } from './emit/names.js';
import { emitStructural } from './emit/structural-module.js';
import { emitTyped } from './emit/typed-module.js';
import { NodeTable } from './node.js';
import { objectMetaSchema } from './object-meta.js';

export interface CompileOptions {
  /** How wrong values are answered, see `ResourceModule.decoding`. */
  readonly decoding: 'typed' | 'structural';
  /** The kind, for the names of functions and for messages about typed kinds. */
  readonly kind?: string;
  /** The version, for messages about typed kinds; `v1` where absent. */
  readonly version?: string;
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
  const code = new ModuleCode(options.language ?? 'js');
  const nodes = new NodeTable();
  const root = nodes.node(schema);
  const kind = pascal(options.kind ?? 'Object');
  if (options.decoding === 'typed') emitTyped(code, { root, kind, version: options.version ?? 'v1' });
  else emitStructural(code, { root, objectMeta: nodes.node(objectMetaSchema), hint: kind });
  return { text: code.text() };
}
