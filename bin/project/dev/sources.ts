/** Lists the files of a project. A change of one of them needs a restart. */
import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isOutputFolder } from '../../../generator/write/manifest.js';
import { configFiles } from '../load/find-file.js';

const code = /\.(?:[cm]?[jt]sx?|json)$/;
const javaScript = /\.[cm]?js$/;
/** Matches imports of relative modules, in all forms. */
const imports = /(?:\bfrom|\bimport|\brequire\s*\()\s*(?:\(\s*)?['"](\.{1,2}\/[^'"\n]+)['"]/g;
/** The most files to watch if it is unknown which ones count. */
const mostFiles = 5_000;

/** Adds the files that JavaScript modules import. Node does not report these. */
export function withImports(files: readonly string[]): readonly string[] {
  const found = new Set(files);
  for (const file of found) {
    if (!javaScript.test(file) || !existsSync(file)) continue;
    for (const [, named = ''] of readFileSync(file, 'utf8').matchAll(imports)) {
      const target = resolve(dirname(file), named);
      if (existsSync(target) && code.test(target)) found.add(target);
    }
  }
  return [...found].sort();
}

/**
 * Lists all code of a folder except packages, hidden folders and generated code, for a project that could not be
 * loaded.
 */
export function codeBelow(folder: string): readonly string[] {
  const found: string[] = [];
  const enter = (here: string): void => {
    for (const entry of entriesOf(here)) {
      const path = join(here, entry.name);
      if (found.length >= mostFiles || entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      if (entry.isDirectory() && !isOutputFolder(path)) enter(path);
      else if (entry.isFile() && code.test(entry.name)) found.push(path);
    }
  };
  enter(folder);
  return [...configFiles.map((name) => join(folder, name)), ...found];
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
