/** Imports the documents that are generated from the built-in definitions, generates them again, and compares. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadDefinitions } from '../../../../generator/check/load-definitions.js';
import { printDiagnostic } from '../../../../generator/diagnostics/print.js';
import { createOpenApiEmitter } from '../../../../generator/emit/openapi.js';
import { type Imported, importOpenApi, parseDocument, printDefinition } from '../../../../generator/import/index.js';
import { differences } from '../../../support/differences.js';
import { scratchFolder, write } from '../../../support/scratch-folder.js';
import { root } from '../../../support/shared.js';

const scratch = scratchFolder();

type Documents = ReadonlyMap<string, unknown>;

/** Returns the committed documents by path below `generated/`. */
function committed(): ReadonlyMap<string, Uint8Array> {
  const folder = join(root, 'generated/openapi');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'));
  return new Map(paths.sort().map((path) => [`openapi/${path}`, readFileSync(join(folder, path))]));
}

function importFrom(files: readonly Uint8Array[]): Imported {
  return importOpenApi(
    files.map((bytes) => parseDocument(bytes, 'document')).flatMap((each) => ('values' in each ? each.values : [])),
  );
}

/** Writes an import into an empty folder, and generates the documents again. */
function regenerate(name: string, { files }: Imported): Documents {
  const folder = join(scratch, name);
  write(folder, Object.fromEntries(files.map(({ path, value }) => [path, printDefinition(value)])));
  const { model, diagnostics } = loadDefinitions(folder);
  // A document has no conversions between its versions, so the import warns.
  expect(diagnostics.filter(({ severity }) => severity === 'error').map(printDiagnostic)).toEqual([]);
  const emitted = createOpenApiEmitter().emitModel?.(model) ?? [];
  return new Map([...emitted].map(({ path, content }) => [path, JSON.parse(textOf(content))]));
}

const textOf = (content: string | Uint8Array): string =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);

const originals = committed();
const v2 = [...originals].filter(([path]) => path === 'openapi/v2.json').map(([, bytes]) => bytes);
const v3 = [...originals].filter(([path]) => path.includes('/v3/')).map(([, bytes]) => bytes);

interface Lost {
  readonly reason: string;
  readonly difference: RegExp;
}

/** The parts that an import changes. */
const lost: readonly Lost[] = [
  {
    reason: 'documents do not say what subresources with kinds of their own do',
    difference:
      /(\{name\}\/(binding|eviction|token)|\.v1\.(BoundObjectReference|TokenRequest\w*|Eviction)): .* → undefined$/s,
  },
  {
    reason: 'subresources that connect, or answer with text, take and answer nothing that a definition could name',
    difference: /\{name\}\/(attach|exec|log|portforward|proxy|proxy\/\{path\}): .* → undefined$/s,
  },
  {
    reason: 'an object without fields keeps everything',
    difference: /\.(BasicSchedulingPolicy|StorageVersionSpec|CustomResourceSubresourceStatus)\//,
  },
];

/** The parts that are missing in documents of version 2, so that an import cannot restore them. */
const lostInV2: readonly Lost[] = [
  {
    reason: 'documents of version 2 leave out the defaults of built-in kinds, as clients of theirs expect',
    difference: /^openapi\/v3\/.*\/default: .* → undefined$/,
  },
  {
    reason: 'what keeps everything has no type there',
    difference: /\/type: "object" → undefined$/,
  },
];

function changed(documents: Documents): readonly string[] {
  expect([...documents.keys()].sort()).toEqual([...originals.keys()].sort());
  return [...originals].flatMap(([path, bytes]) => differences(JSON.parse(textOf(bytes)), documents.get(path), path));
}

/** Compares differences and reasons: each needs the other. */
function expectOnly(found: readonly string[], reasons: readonly Lost[]): void {
  expect(found.filter((each) => !reasons.some(({ difference }) => difference.test(each)))).toEqual([]);
  for (const { reason, difference } of reasons) {
    expect(
      found.some((each) => difference.test(each)),
      reason,
    ).toBe(true);
  }
}

describe('documents that come out again', () => {
  it('are the documents of version 3, except for the parts that an import loses', () => {
    expect(v3.length).toBeGreaterThan(5);
    expectOnly(changed(regenerate('v3', importFrom(v3))), lost);
  });

  it('are the documents of version 2, except for the parts that these lack', () => {
    expect(v2).toHaveLength(1);
    expectOnly(changed(regenerate('v2', importFrom(v2))), [...lost, ...lostInV2]);
  });
});
