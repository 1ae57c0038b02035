/** Definitions imported from a whole server, from our own output, or from a dump work without an edit. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadDefinitions } from '../../../../generator/check/load-definitions.js';
import { printDiagnostic } from '../../../../generator/diagnostics/print.js';
import { modulesOf } from '../../../../generator/emit/modules.js';
import {
  importCustomResources,
  importOpenApi,
  parseDocument,
  printDefinition,
} from '../../../../generator/import/index.js';
import { createNumbering } from '../../../../generator/lock/number-model.js';
import type { JsonValue } from '../../../../runtime/contract/index.js';
import { isObject } from '../../../../runtime/objects/guards.js';
import { projectDefinitions } from '../../../support/post-definitions.js';
import { scratchFolder, write } from '../../../support/scratch-folder.js';
import { startServing } from '../../../support/serving.js';
import { hasShared, root } from '../../../support/shared.js';
import { startTestApi } from '../../../support/test-api.js';
import { emit, typeErrors } from '../emit/emitting.js';

const scratch = scratchFolder();

type Imported = ReturnType<typeof importOpenApi>;

const valuesIn = (bytes: Uint8Array): readonly JsonValue[] => {
  const parsed = parseDocument(bytes, 'document');
  return 'values' in parsed ? parsed.values : [];
};

const ownDocuments = (wanted: RegExp): readonly JsonValue[] => {
  const folder = join(root, 'generated/openapi');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => wanted.test(path));
  return paths.sort().flatMap((path) => valuesIn(readFileSync(join(folder, path))));
};

const serverDocuments = async (version: 'v2' | 'v3'): Promise<readonly JsonValue[]> => {
  const server = await startServing({ naming: 'kubernetes' });
  const read = async (path: string): Promise<Uint8Array> => {
    const response = await fetch(server.url + path);
    return new Uint8Array(await response.arrayBuffer());
  };
  try {
    if (version === 'v2') return valuesIn(await read('/openapi/v2'));
    const [index] = valuesIn(await read('/openapi/v3'));
    const paths = isObject(index) && isObject(index.paths) ? Object.keys(index.paths) : [];
    const documents = await Promise.all(paths.map((path) => read(`/openapi/v3/${path}`)));
    return documents.flatMap(valuesIn);
  } finally {
    await server.stop();
  }
};

/** Checks, generates and serves an import. Type-checks only one in so many of its kinds, because all take minutes. */
async function use(name: string, { files }: Imported, typesOfEvery = 4): Promise<void> {
  const folder = join(scratch, name);
  write(folder, Object.fromEntries(files.map(({ path, value }) => [path, printDefinition(value)])));
  const { model, diagnostics } = loadDefinitions(folder);
  expect(diagnostics.filter(({ severity }) => severity === 'error').map(printDiagnostic)).toEqual([]);
  const numbered = createNumbering(folder)(model).model;
  const resources = numbered.resources.filter((_, i) => i % typesOfEvery === 0);
  expect(typeErrors(emit({ ...numbered, resources })).slice(0, 10)).toEqual([]);
  await serve(modulesOf(numbered));
}

/** Checks that every kind is listed, and makes its documents. */
async function serve(modules: ReturnType<typeof modulesOf>): Promise<void> {
  const api = await startTestApi(modules);
  for (const { group, version, names, verbs, served } of modules) {
    if (!served || !verbs.includes('list')) continue;
    const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    expect((await api.send('GET', `${base}/${names.plural}`)).code, `${base}/${names.plural}`).toBe(200);
  }
  for (const path of ['/openapi/v2', '/openapi/v3', '/apis']) expect((await api.send('GET', path)).code).toBe(200);
  expect(api.defects).toEqual([]);
  await api.close();
}

describe('an import is used without an edit', () => {
  it('of our own documents of version 3', () => use('own-v3', importOpenApi(ownDocuments(/v3\/.*\.json$/))));
  it('of our own document of version 2', () => use('own-v2', importOpenApi(ownDocuments(/^v2\.json$/))));
  it.each(['v2', 'v3'] as const)('of a whole server, %s', async (version) =>
    use(`server-${version}`, importOpenApi(await serverDocuments(version))),
  );
  // The code of each project's definitions is type-checked in `real-definitions.test.ts`; checking all at once takes
  // minutes.
  it.skipIf(!hasShared)('of a dump of installed definitions', async () => {
    const definitions = [...projectDefinitions().values()].flatMap((text) => valuesIn(Buffer.from(text)));
    const imported = importCustomResources(definitions);
    expect(imported.errors).toEqual([]);
    await use('dump', imported, 20);
  });
});
