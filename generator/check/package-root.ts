/** Finds files of the package that are not code, both from the sources and from the build. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the folder with the package's own `package.json`. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** The schemas by their file names, if the build has included them. */
declare const formatSchemas: Readonly<Record<string, Record<string, unknown>>> | undefined;

/** Reads a JSON Schema of the definition format, by its file name in `schemas/meta`. */
export function readFormatSchema(name: string): Record<string, unknown> {
  const built = typeof formatSchemas === 'object' ? formatSchemas[name] : undefined;
  if (built) return built;
  return JSON.parse(readFileSync(join(packageRoot(), 'schemas', 'meta', name), 'utf8'));
}
