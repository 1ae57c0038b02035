/** The definitions in `schemas/`. Tests of the same sources read and check them once, because this takes seconds. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce } from '../../bin/current-build.mjs';
import { type Definitions, loadDefinitions } from '../../generator/check/load-definitions.js';
import { keepState, readState } from '../../generator/commands/kept-state.js';
import { root } from './shared.js';

let known: Definitions | undefined;

export function builtInDefinitions(): Definitions {
  known ??= read();
  return known;
}

function read(): Definitions {
  const schemas = join(root, 'schemas');
  const place = (cache: string) => ({ schemas, cache, entry: 'built-in' });
  const cache = buildOnce('definitions', ['generator', 'package-lock.json', 'runtime', 'schemas'], (making) => {
    mkdirSync(making);
    keepState(place(making), { definitions: loadDefinitions(schemas), units: new Map() });
  });
  return readState(place(cache))?.definitions ?? loadDefinitions(schemas);
}
