/** Moves what few requests need of kinds, schemas and tables for protobuf, from the program into files of their own. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';
import { lateSchemasFile, lateTablesFile } from '../launch/load-program.js';
import { generatedFiles, isEarly, kindOf } from './generated-kinds.js';
import { buildLateFile } from './late-file.js';

const standIn = fileURLToPath(new URL('late-data.ts', import.meta.url));

/** A constant of a file of each kind, which its resource has under the same name. */
interface Part {
  readonly name: string;
  /** The file that has it of all late kinds. */
  readonly outfile: string;
  readonly isLate: (kind: string) => boolean;
}

/** Objects that a start writes get their owners by their schemas; nothing is written in protobuf before a request asks. */
const parts: readonly Part[] = [
  { name: 'schema', outfile: lateSchemasFile, isLate: (kind) => !isEarly(kind) },
  { name: 'protobuf', outfile: lateTablesFile, isLate: () => true },
];

const lateOf = (kind: string): readonly Part[] => parts.filter(({ isLate }) => isLate(kind));

/** The function that gives modules these parts. */
const giverOf = (late: readonly Part[]): string => `late_${late.map(({ name }) => name).join('_')}`;

/** Has resources ask for such a part where they would have it. */
export const lateData: Plugin = {
  name: 'late data',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^late-data$/ }, ({ path }) => ({ path, namespace: 'late-data' }));
    onLoad({ filter: /.*/, namespace: 'late-data' }, () => ({ contents: givers(), resolveDir: dirname(standIn) }));
    onLoad({ filter: /generated\/.*\/resource\.ts$/ }, ({ path }) => ({
      contents: withLateParts(readFileSync(path, 'utf8'), path),
      loader: 'ts',
      resolveDir: dirname(path),
    }));
    onLoad({ filter: /generated\/types\/.*\/schema\.ts$/ }, ({ path }) => ({
      contents: withoutEffects(readFileSync(path, 'utf8')),
      loader: 'ts',
      resolveDir: dirname(path),
    }));
  },
};

/** The module that gives parts, one function for each set of them that kinds have late. */
function givers(): string {
  const sets = new Map(
    generatedFiles('resource.ts')
      .map((file) => lateOf(kindOf(file)))
      .map((late) => [giverOf(late), late]),
  );
  const files = parts.map(({ name, outfile }) => `const ${name} = lateFile(() => loadPart('${outfile}')());`);
  const lines = [...sets].map(
    ([giver, late]) => `export const ${giver} = lateParts({ ${late.map(({ name }) => name).join(', ')} });`,
  );
  return [`import { lateFile, lateParts } from ${JSON.stringify(standIn)};`, ...files, ...lines].join('\n');
}

/** Schemas of types, said to have no effects. A spread may have some, so that those of late kinds would stay for it. */
const withoutEffects = (text: string): string =>
  text.replace(/^(export const \w+: Schema = )(\{.*?^\});$/gms, '$1/* @__PURE__ */ (() => ($2))();');

/** The text of a resource whose module is given its late parts. */
function withLateParts(text: string, path: string): string {
  const kind = kindOf(path);
  const late = lateOf(kind);
  const giver = giverOf(late);
  const literal = /^(export const resource: ResourceModule = )(\{\n.*?^\});$/ms;
  if (!literal.test(text)) throw new Error(`${path} has no module, parts of which are to be read late`);
  const without = late.reduce((before, { name }) => withoutPart(before, name, path), text);
  const given = without.replace(literal, `$1${giver}(${JSON.stringify(kind)}, $2);`);
  return `import { ${giver} } from 'late-data';\n${given}`;
}

function withoutPart(text: string, name: string, path: string): string {
  const imported = new RegExp(`^import \\{ ${name} \\} from .*$`, 'm');
  const member = new RegExp(`^ {2}${name},\n`, 'm');
  if (!imported.test(text) || !member.test(text)) throw new Error(`${path} has no ${name}, which is to be read late`);
  return text.replace(imported, '').replace(member, '');
}

/** Writes the files with the parts themselves. */
export async function buildLateData(folder: string, common: BuildOptions): Promise<void> {
  const kinds = generatedFiles('resource.ts').map((file) => dirname(file));
  for (const { name, outfile, isLate } of parts) {
    const files = kinds.map((kind) => join(kind, `${name}.ts`)).filter((file) => isLate(kindOf(file)));
    await buildLateFile(join(folder, outfile), { files, constant: name }, common);
  }
}
