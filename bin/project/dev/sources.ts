/** The files that a project is loaded from: each change of one of them needs another start. */
import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isOutputFolder } from '../../../generator/write/manifest.js';
import { configFiles } from '../load/find-file.js';

const code = /\.(?:[cm]?[jt]sx?|json)$/;
const javaScript = /\.[cm]?js$/;
/** Relative modules that a text imports, in any of the ways to write that. */
const imports = /(?:\bfrom|\bimport|\brequire\s*\()\s*(?:\(\s*)?['"](\.{1,2}\/[^'"\n]+)['"]/g;
/** Files that are watched if it is unknown which ones count. */
const mostFiles = 5_000;

/** Returns the files, together with the files that JavaScript modules import, which Node does not report. */
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
 * Lists all code of a folder, for a project that could not be loaded, without packages, hidden folders and generated
 * code.
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
