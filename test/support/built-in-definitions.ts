/** The definitions in `schemas/`. Tests in one process read them once, because this takes seconds. */
import { join } from 'node:path';
import { type Definitions, loadDefinitions } from '../../generator/check/load-definitions.js';
import { root } from './shared.js';

let known: Definitions | undefined;

export function builtInDefinitions(): Definitions {
  known ??= loadDefinitions(join(root, 'schemas'));
  return known;
}
