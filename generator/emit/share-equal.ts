/** Writes what several versions of a kind have in common once: of files that are equal, all but the first re-export it. */
import type { OutputFile } from '../write/output-file.js';
import { importPath } from './layout.js';

/** The same files for importers. They all lie equally deep, so that equal imports in them mean the same. */
export function shareEqual(files: readonly OutputFile[]): readonly OutputFile[] {
  const homes = new Map<OutputFile['content'], string>();
  return files.map((file) => {
    const home = homes.get(file.content);
    if (home !== undefined) return reExport(file, home);
    homes.set(file.content, file.path);
    return file;
  });
}

function reExport({ path, content }: OutputFile, home: string): OutputFile {
  const text = String(content);
  const header = text.slice(0, text.indexOf('\n\n'));
  const folder = path.slice(0, path.lastIndexOf('/'));
  return { path, content: `${header}\n\nexport * from '${importPath(folder, home)}';\n` };
}
