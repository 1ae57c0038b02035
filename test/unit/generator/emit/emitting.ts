/**
 * Helpers of the emitters' tests: definitions as objects, the files emitted for them, and TypeScript's errors in these.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import * as client from '../../../../client/index.js';
import * as contract from '../../../../contract.js';
import { loadDefinitions } from '../../../../generator/check/load-definitions.js';
import type { Emitter } from '../../../../generator/emit/emitter.js';
import { emitters } from '../../../../generator/emit/index.js';
import type { Model } from '../../../../generator/model/model.js';
import * as cel from '../../../../runtime/cel/index.js';
import type { JsonObject, Schema } from '../../../../runtime/contract/index.js';
import { outputText } from '../../../support/output-text.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Returns a definition of one version, with a schema for its spec or for the whole object. */
export interface Definition {
  readonly kind: string;
  readonly plural?: string;
  readonly group?: string;
  readonly spec?: Schema;
  readonly schema?: Schema;
  readonly subresources?: JsonObject;
  /** One version each. Default: `v1`. */
  readonly versions?: readonly string[];
}

/** Returns a CustomResourceDefinition as a document. */
export const customResource = (definition: Definition): object => {
  const { kind, group = 'example.com', spec = { type: 'object' }, versions = ['v1'] } = definition;
  const plural = definition.plural ?? `${kind.toLowerCase()}s`;
  const openAPIV3Schema = definition.schema ?? { type: 'object', properties: { spec } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural },
      scope: 'Namespaced',
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema },
        ...(definition.subresources === undefined ? {} : { subresources: definition.subresources }),
      })),
    },
  };
};

/** Returns a type library as a document. */
export const typeLibrary = (name: string, types: Readonly<Record<string, object>>): object => ({
  apiVersion: 'kindforge.dev/v1',
  kind: 'TypeLibrary',
  metadata: { name },
  spec: { types },
});

/** Returns a native definition as a document. */
export const nativeResource = (kind: string, group: string, schema: object): object => ({
  apiVersion: 'kindforge.dev/v1',
  kind: 'ResourceDefinition',
  metadata: { name: `${kind.toLowerCase()}s.${group}` },
  spec: {
    group,
    names: { kind, plural: `${kind.toLowerCase()}s` },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});

/** Returns a document as JSON, with exact integers beyond 2^53. */
const textOf = (document: object): string =>
  JSON.stringify(document, (_key, value: unknown) => (typeof value === 'bigint' ? `#${value}n` : value)).replace(
    /"#(-?\d+)n"/g,
    '$1',
  );

/** Returns the model of some documents. Throws if they have mistakes. */
export const modelOf = (...documents: readonly object[]): Model => {
  const folder = mkdtempSync(join(tmpdir(), 'kindforge-emit-'));
  try {
    documents.forEach((document, index) => {
      writeFileSync(join(folder, `${String(index).padStart(3, '0')}.yaml`), textOf(document));
    });
    return checked(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const checked = (folder: string): Model => {
  const { model, diagnostics } = loadDefinitions(folder);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ code, message }) => `${code} ${message}`).join('\n'));
  return model;
};

/** Returns all emitted files of a model, by path. */
export const emit = (model: Model, by: readonly Emitter[] = emitters): ReadonlyMap<string, string> => {
  const files = new Map<string, string>();
  for (const emitter of by) {
    for (const resource of model.resources) {
      for (const file of emitter.emitResource?.(resource, model) ?? []) files.set(file.path, outputText(file));
    }
    for (const file of emitter.emitModel?.(model) ?? []) files.set(file.path, outputText(file));
  }
  return files;
};

/** Returns one emitted file. Throws if it does not exist. */
export const emitted = (model: Model, path: string): string => {
  const files = emit(model);
  const content = files.get(path);
  if (content === undefined) throw new Error(`no ${path} among ${[...files.keys()].join(', ')}`);
  return content;
};

const options = (isStrictest: boolean): ts.CompilerOptions => ({
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: [
    'lib.es2023.d.ts',
    'lib.es2024.string.d.ts',
    'lib.dom.d.ts',
    'lib.dom.iterable.d.ts',
    'lib.dom.asynciterable.d.ts',
  ],
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  strict: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: true,
  noEmit: true,
  exactOptionalPropertyTypes: isStrictest,
  declaration: isStrictest,
  isolatedDeclarations: isStrictest,
  erasableSyntaxOnly: isStrictest,
  noUncheckedSideEffectImports: isStrictest,
  noPropertyAccessFromIndexSignature: isStrictest,
  noImplicitReturns: isStrictest,
  noImplicitOverride: isStrictest,
  noFallthroughCasesInSwitch: isStrictest,
  allowUnreachableCode: !isStrictest,
  paths: {
    'kindforge/cel': [join(root, 'runtime/cel/index.ts')],
    'kindforge/client': [join(root, 'client/index.ts')],
    'kindforge/contract': [join(root, 'contract.ts')],
  },
});

/** Sources outside the files under test are parsed once for all tests of a file. */
const sources = new Map<string, ts.SourceFile | undefined>();

const hostFor = (folder: string, compilerOptions: ts.CompilerOptions): ts.CompilerHost => {
  const host = ts.createCompilerHost(compilerOptions);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (path, ...rest) => {
    if (path.startsWith(folder)) return read(path, ...rest);
    if (!sources.has(path)) sources.set(path, read(path, ...rest));
    return sources.get(path);
  };
  return host;
};

/**
 * Returns TypeScript's errors in some files, each as `path(line): message`, under `strict` or the strictest settings.
 */
export const typeErrors = (files: ReadonlyMap<string, string>, isStrictest = false): readonly string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'kindforge-types-'));
  try {
    const paths = [...files]
      .filter(([path]) => path.endsWith('.ts'))
      .map(([path, content]) => {
        const full = join(folder, path);
        mkdirSync(dirname(full), { recursive: true });
        writeFileSync(full, content);
        return full;
      });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const compilerOptions = options(isStrictest);
    const program = ts.createProgram(paths, compilerOptions, hostFor(folder, compilerOptions));
    // The sources that the files import are declarations for users, but have other settings in this repository.
    const found = paths.flatMap((path) => ts.getPreEmitDiagnostics(program, program.getSourceFile(path)));
    return ts.sortAndDeduplicateDiagnostics(found).map((diagnostic) => {
      const { file, start = 0 } = diagnostic;
      const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
      const path = file?.fileName.replace(`${folder}/`, '') ?? '';
      return `${path}(${line}): ${ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')}`;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** The modules that generated code imports values from. */
const packages: Readonly<Record<string, unknown>> = {
  'kindforge/cel': cel,
  'kindforge/client': client,
  'kindforge/contract': contract,
};

/** Returns the exports of an emitted file, run together with the files it imports. */
export const run = (files: ReadonlyMap<string, string>, path: string): Record<string, unknown> => {
  const loaded = new Map<string, Record<string, unknown>>();
  const load = (file: string): Record<string, unknown> => {
    const known = loaded.get(file);
    if (known !== undefined) return known;
    const content = files.get(file);
    if (content === undefined) throw new Error(`no ${file}`);
    const { outputText } = ts.transpileModule(content, {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    });
    const exports: Record<string, unknown> = {};
    loaded.set(file, exports);
    const require = (specifier: string): unknown =>
      packages[specifier] ?? load(posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts'));
    new Function('exports', 'require', outputText)(exports, require);
    return exports;
  };
  return load(path);
};
