/** Reads the parts that a project adds, from values and from modules that it names. */
import { resolve } from 'node:path';
import type { PartKind } from '../settings.js';
import { explainImport } from './explain-import.js';
import type { Importer } from './import-file.js';
import type { ConfigPath, Mistake } from './mistake.js';
import { isPart, type PartTypes, partWords } from './parts.js';

/** Where parts are read: the folder of the configuration, the modules of this loading, and the mistakes so far. */
export interface PartContext {
  readonly directory: string;
  readonly importer: Importer;
  readonly refuse: (mistake: Mistake) => void;
}

/** The parts of a list. What is none is refused. */
export async function readParts<K extends PartKind>(
  kind: K,
  key: string,
  value: unknown,
  context: PartContext,
): Promise<readonly PartTypes[K][]> {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    context.refuse({ path: [key], problem: `is ${wordFor(value)}; expected a list` });
    return [];
  }
  const found: PartTypes[K][] = [];
  for (const [index, entry] of value.entries()) {
    const path = [key, index];
    const given = typeof entry === 'string' ? await readModule(entry, path, context) : [entry];
    for (const one of given) {
      const problem = typeof entry === 'string' ? `has ${wordFor(one)} as its default export` : `is ${wordFor(one)}`;
      if (isPart[kind](one)) found.push(one);
      else context.refuse({ path, problem: `${problem}; expected ${partWords[kind]}` });
    }
  }
  return found;
}

/** The default export of a module, as a list. */
async function readModule(
  named: string,
  path: ConfigPath,
  { directory, importer, refuse }: PartContext,
): Promise<readonly unknown[]> {
  const file = resolve(directory, named);
  try {
    const exported = await importer.importDefault(file);
    return Array.isArray(exported) ? exported : [exported];
  } catch (error) {
    refuse({ path, problem: `cannot be imported: ${await explainImport(file, directory, error)}` });
    return [];
  }
}

/** A value in a few words. */
export function wordFor(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return `a function${value.name === '' ? '' : ` (${value.name})`}`;
  if (typeof value === 'object') return `an object with ${Object.keys(value).slice(0, 4).join(', ') || 'no keys'}`;
  return value === undefined ? 'undefined' : (JSON.stringify(value) ?? typeof value);
}
