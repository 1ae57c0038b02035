/** Writes files that the program of a build loads once something of them is asked for. */
import { type BuildOptions, build } from 'esbuild';
import { generated, kindOf } from './generated-kinds.js';

export interface LateFileContents {
  /** The modules of the kinds. */
  readonly files: readonly string[];
  /** Which of its constants is taken of each. */
  readonly constant: string;
  /** The parameter of the function that the file is; none where it needs nothing. */
  readonly parameter?: string;
}

/** Writes a function that gives the constant of each kind, by the paths of these. */
export async function buildLateFile(
  outfile: string,
  { files, constant, parameter = '' }: LateFileContents,
  options: BuildOptions,
): Promise<void> {
  const imports = files.map((file, i) => `import { ${constant} as _${i} } from ${JSON.stringify(file)};`);
  const kinds = files.map((file, i) => `${JSON.stringify(kindOf(file))}: _${i}`);
  await build({
    ...options,
    stdin: { contents: `${imports.join('\n')}\nexport default { ${kinds.join(', ')} };`, resolveDir: generated },
    format: 'cjs',
    outfile,
    banner: { js: `((${parameter}) => { const module = { exports: {} };` },
    footer: { js: 'return module.exports.default; })' },
  });
}
