/** Moves what few requests need of kinds, schemas and tables for protobuf, from the program into files of their own. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { lateSchemasFile, lateTablesFile } from '../launch/load-program.js';
import { generatedFiles, isEarly, kindOf } from './generated-kinds.js';

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

/** Puts what reads such a part where resources have it. */
export const lateData: Plugin = {
  name: 'late data',
  setup({ onLoad, onResolve }) {
    for (const { outfile } of parts) {
      onResolve({ filter: new RegExp(`^\\./${outfile}$`) }, ({ path }) => ({ path, external: true }));
    }
    onLoad({ filter: /generated\/.*\/resource\.ts$/ }, ({ path }) => {
      const kind = kindOf(path);
      const late = parts.filter(({ isLate }) => isLate(kind));
      const text = late.reduce((before, part) => withLate(before, part, kind, path), readFileSync(path, 'utf8'));
      const imports = `import { lateData } from ${JSON.stringify(standIn)};\n`;
      return { contents: imports + text, loader: 'ts', resolveDir: dirname(path) };
    });
    onLoad({ filter: /generated\/types\/.*\/schema\.ts$/ }, ({ path }) => ({
      contents: withoutEffects(readFileSync(path, 'utf8')),
      loader: 'ts',
      resolveDir: dirname(path),
    }));
  },
};

/** Schemas of types, said to have no effects. A spread may have some, so that those of late kinds would stay for it. */
const withoutEffects = (text: string): string =>
  text.replace(/^(export const \w+: Schema = )(\{.*?^\});$/gms, '$1/* @__PURE__ */ (() => ($2))();');

/** The text of a resource with a getter for a part. */
function withLate(text: string, { name, outfile }: Part, kind: string, path: string): string {
  const line = new RegExp(`^ {2}${name},$`, 'm');
  const imported = new RegExp(`^import \\{ ${name} \\} from .*$`, 'm');
  if (!line.test(text) || !imported.test(text)) throw new Error(`${path} has no ${name}, which is to be read late`);
  const given = `${JSON.stringify(kind)}, () => require('./${outfile}').default`;
  return text
    .replace(imported, `const late_${name} = lateData(${given});`)
    .replace(line, `  get ${name}() { return late_${name}(); },`);
}

/** Writes the files with the parts themselves. */
export async function buildLateData(folder: string, common: BuildOptions): Promise<void> {
  for (const { name, outfile, isLate } of parts) {
    const files = generatedFiles('resource.ts').filter((file) => isLate(kindOf(file)));
    const imports = files.map((file, i) => {
      const from = join(dirname(file), `${name}.ts`);
      return `import { ${name} as _${i} } from ${JSON.stringify(from)};`;
    });
    const kinds = files.map((file, i) => `${JSON.stringify(kindOf(file))}: _${i}`);
    await build({
      ...common,
      stdin: { contents: `${imports.join('\n')}\nexport default { ${kinds.join(', ')} };`, resolveDir: folder },
      format: 'cjs',
      outfile: join(folder, outfile),
    });
  }
}
