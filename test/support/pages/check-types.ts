/** Type-checks the TypeScript in pages, and the programs that their commands run. */
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { root } from '../shared.js';
import { type Page, quotedFile } from './read-page.js';

/** A page, and the checkout in which its commands have been run. */
export interface PageSources {
  readonly page: Page;
  readonly folder: string;
}

/** Lists errors of the compiler, each as `docs/sdk.md:12: message`. Checking all pages at once is faster. */
export function typeErrors(sources: readonly PageSources[]): readonly string[] {
  const origin = new Map<string, string>();
  for (const { page, folder } of sources) {
    const shown = join(folder, 'page.ts');
    if (writeShown(page, shown)) origin.set(shown, page.path);
    for (const path of programsOf(page)) {
      if (existsSync(join(folder, path))) origin.set(join(folder, path), path);
    }
  }
  const program = ts.createProgram([...origin.keys()], options());
  // Another check covers the sources of the checkout.
  const theirs = program
    .getSourceFiles()
    .filter(({ fileName }) => sources.some(({ folder }) => fileName.startsWith(folder)));
  const found = theirs.flatMap((file) => ts.getPreEmitDiagnostics(program, file));
  return ts.sortAndDeduplicateDiagnostics(found).map((diagnostic) => {
    const { file, start = 0 } = diagnostic;
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
    const path = file === undefined ? '' : (origin.get(file.fileName) ?? file.fileName);
    return `${path}:${line}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')}`;
  });
}

/** Writes the blocks of a page as one module, on their lines of the page. Returns whether there are any. */
function writeShown(page: Page, file: string): boolean {
  const shown = page.blocks.filter((block) => block.language === 'ts' && quotedFile(block) === undefined);
  if (shown.length === 0) return false;
  const lines: string[] = page.text.split('\n').map(() => '');
  for (const block of shown) lines.splice(block.line - 1, block.lines.length, ...block.lines);
  writeFileSync(file, `${lines.join('\n')}\nexport {};\n`);
  return true;
}

/** Lists the programs among the examples that a page names. */
export const programsOf = ({ text }: Page): readonly string[] => [
  ...new Set([...text.matchAll(/\bexamples\/[\w./-]+\.ts\b/g)].map(([path]) => path)),
];

/** Returns the project's own settings, with the package's names mapped to its sources. */
function options(): ts.CompilerOptions {
  const file = join(root, 'tsconfig.json');
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  const { options: own } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, dirname(file));
  const typeRoots = [join(root, 'node_modules/@types')];
  // Readers of the page install it. In the checkout, only one folder has it.
  const client = '@kubernetes/client-node';
  const paths = { ...own.paths, [client]: [join(root, 'packages/interop/node_modules', client, 'dist/index.d.ts')] };
  return {
    ...own,
    paths,
    incremental: false,
    tsBuildInfoFile: undefined,
    noUnusedLocals: false,
    noEmit: true,
    typeRoots,
  };
}
