/** Identifies the code of the generator, so that nothing is reused from other code. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folders of all code that output can follow from. */
const SOURCES = ['client', 'generator', 'runtime'];

/** Returns the SHA-256 of the running code, and of the version of Node. */
export function generatorStamp(): string {
  const own = fileURLToPath(import.meta.url);
  const hash = createHash('sha256').update(process.version);
  for (const path of isBundle(own) ? [own] : sourcesBeside(own)) hash.update(readFileSync(path));
  return hash.digest('hex');
}

/** Returns whether this is the built command, with all code in one file. */
const isBundle = (own: string): boolean => !basename(own).startsWith('generator-stamp.');

function sourcesBeside(own: string): readonly string[] {
  const root = join(dirname(own), '../..');
  return SOURCES.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort(),
  );
}
