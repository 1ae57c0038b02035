/** Finds files that belong to the package but are not code, from the sources and from the build alike. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the folder with the package's own `package.json`. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** Reads a JSON Schema of the definition format, by its file name in `schemas/meta`. */
export function readFormatSchema(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(packageRoot(), 'schemas', 'meta', name), 'utf8'));
}
