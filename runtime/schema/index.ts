/** The schema compiler. */
export { type CompiledSchema, type CompileOptions, compileSchema } from './compile.js';
export { instantiate } from './instantiate.js';
