/** Tells whether anything that a run follows from has changed, without understanding any of it. */
import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { today } from '../diff/allow/apply-allow.js';
import { findFiles } from '../load/find-files.js';
import { hashOf } from '../write/hash.js';
import { originOf } from '../write/manifest.js';
import { compare } from '../write/order.js';
import { generatorStamp } from './generator-stamp.js';

/** What a run is asked for. */
export interface Asked {
  readonly schemas: string;
  readonly out: string;
  /** Path of the allow file, if one is named. */
  readonly allow?: string | undefined;
  /** Whether definitions are held against what is released, which can depend on the day. */
  readonly isGated: boolean;
}

/** A definition file, by the hash of its bytes. */
export interface ReadFile {
  readonly path: string;
  readonly hash: string;
}

/** The definition files as they are now; `undefined` if something cannot be read, which a run then reports. */
export function readDefinitionFiles(schemas: string): readonly ReadFile[] | undefined {
  const { files, unreadable } = findFiles(schemas);
  if (unreadable.length > 0) return undefined;
  try {
    return files.map(({ path, absolute }) => ({ path, hash: hashOf(readFileSync(absolute)) }));
  } catch {
    return undefined;
  }
}

/** One hash of all inputs: the definition files, what is promised, and the generator; `undefined` if one cannot be read. */
export function hashInputs({ schemas, out, allow, isGated }: Asked, files: readonly ReadFile[]): string | undefined {
  const hash = createHash('sha256');
  const add = (...texts: readonly string[]): void => {
    for (const text of texts) hash.update(`${text.length} ${text}`);
  };
  try {
    add(generatorStamp(), originOf(out, schemas) ?? '', isGated ? today() : '');
    for (const file of files) add(file.path, file.hash);
    const promised = lockFiles(schemas);
    add(promised === undefined ? 'nothing is promised' : 'lock');
    for (const path of promised ?? []) add(path, hashOf(readFileSync(join(schemas, path))));
    if (allow !== undefined) add(allow, hashOf(readFileSync(allow)));
  } catch {
    return undefined;
  }
  return hash.digest('hex');
}

/** The files of what has been promised, in the order of their paths; `undefined` if there is no folder for them. */
function lockFiles(schemas: string): readonly string[] | undefined {
  let entries: readonly Dirent[];
  try {
    entries = readdirSync(join(schemas, 'lock'), { recursive: true, withFileTypes: true });
  } catch {
    return undefined;
  }
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map(({ parentPath, name }) => relative(schemas, join(parentPath, name))).sort(compare);
}
