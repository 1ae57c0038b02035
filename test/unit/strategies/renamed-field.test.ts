import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { loadDefinitions } from '../../../generator/check/load-definitions.js';
import { emit } from '../generator/emit/emitting.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const handlers = join(root, 'strategies/internal.apiserver.platform.io/storageversions.ts');
const definition = 'internal.apiserver.platform.io/storageversions.yaml';
const library = 'types/apiserverinternal-v1alpha1.yaml';

/** Returns the generated files of the kind by their paths, after a change to the type library of its fields. */
function generatedWith(change: (yaml: string) => string): ReadonlyMap<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'kindforge-renamed-'));
  try {
    for (const path of [definition, library, 'types/meta-v1', 'types/meta-types.yaml']) {
      cpSync(join(root, 'schemas', path), join(folder, path), { recursive: true });
    }
    const path = join(folder, library);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    const { model, diagnostics } = loadDefinitions(folder);
    expect(diagnostics).toEqual([]);
    return emit(model);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const configuration = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config;
const { options } = ts.convertCompilerOptionsFromJson(configuration.compilerOptions, root);

/** Files on disk, parsed once for both tests. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** Lists the compile errors of the strategy against generated files, which take the place of those on disk. */
function errorsAgainst(generated: ReadonlyMap<string, string>): readonly string[] {
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (path, languageVersion, ...rest) => {
    const text = generated.get(path.replace(join(root, 'generated/'), ''));
    if (text !== undefined) return ts.createSourceFile(path, text, languageVersion);
    if (!parsed.has(path)) parsed.set(path, read(path, languageVersion, ...rest));
    return parsed.get(path);
  };
  const program = ts.createProgram([handlers], { ...options, incremental: false, types: [] }, host);
  const errors = program.getSemanticDiagnostics(program.getSourceFile(handlers));
  return errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

it('compiles against the types of its definition', () => {
  const generated = generatedWith((yaml) => yaml);
  expect([...generated.keys()]).toContain('types/apiserverinternal/v1alpha1/types.ts');
  expect(errorsAgainst(generated)).toEqual([]);
});

it('does not compile once a field of the definition has another name', () => {
  const errors = errorsAgainst(generatedWith((yaml) => yaml.replaceAll('encodingVersion', 'codingVersion')));
  expect(errors).toContainEqual(expect.stringMatching(/^Property 'encodingVersion' does not exist on type/));
});
