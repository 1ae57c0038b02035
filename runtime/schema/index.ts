/** The schema compiler. */
export { type CompiledSchema, type CompileOptions, compileSchema } from './compile.js';
export { compileConversion, instantiateConversion } from './conversion/compile.js';
export { formatPath, parsePath, type Segment, stepsOf } from './conversion/path.js';
export { instantiate } from './instantiate.js';
