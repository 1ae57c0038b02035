/** The generator as a library: reads definitions, makes modules of them, and writes code; published as `kindforge/generator`. */

export { createGenerator, type Generated, type GenerateOptions, type Generator } from './commands/generate.js';
export { printDiagnostic } from './diagnostics/print.js';
export { emitters } from './emit/index.js';
export { type Definitions, loadDefinitions } from './load/load-definitions.js';
export type {
  Diagnostic,
  Emitter,
  Model,
  OutputFile,
  ResourceModel,
  SharedType,
  SourceFile,
  VersionModel,
} from './model/model.js';
export { modulesOf } from './model/modules.js';
