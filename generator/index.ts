/**
 * The generator as a library: reads definitions, makes modules of them, and writes code; published as
 * `kindforge/generator`.
 */

export { type Definitions, loadDefinitions } from './check/load-definitions.js';
export { createGenerator, type Generated, type GenerateOptions, type Generator } from './commands/generate.js';
export type { Diagnostic } from './diagnostics/diagnostic.js';
export { printDiagnostic } from './diagnostics/print.js';
export type { Emitter } from './emit/emitter.js';
export { emitters } from './emit/index.js';
export { modulesOf } from './emit/modules.js';
export type { Model, ResourceModel, SharedType, SourceFile, VersionModel } from './model/model.js';
export type { OutputFile } from './write/output-file.js';
