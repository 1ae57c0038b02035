/**
 * Random definitions: `check` and `generate` refuse them with the same words and a place, or they generate, type-check
 * and serve. A failure prints the seed and the definition.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadDefinitions } from '../../../generator/check/load-definitions.js';
import { runCheck } from '../../../generator/commands/run-check.js';
import { runGenerate } from '../../../generator/commands/run-generate.js';
import { codes } from '../../../generator/diagnostics/codes.js';
import type { Diagnostic } from '../../../generator/diagnostics/diagnostic.js';
import { modulesOf } from '../../../generator/emit/modules.js';
import { createNumbering } from '../../../generator/lock/number-model.js';
import type { Model } from '../../../generator/model/model.js';
import type { JsonObject, ResourceModule, Schema } from '../../../runtime/contract/index.js';
import { type DefinitionFile, definitionFile, sharedTypes } from '../../support/arbitrary-definitions.js';
import { fittingObject } from '../../support/arbitrary-schemas.js';
import { effort } from '../../support/effort.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { startTestApi, type TestApi } from '../../support/test-api.js';
import { emit, typeErrors } from './emit/emitting.js';

const runs = effort('KINDFORGE_DEFINITION_RUNS', 60, 400);
/** Only one in so many batches is type-checked, because it takes minutes. */
const checkEvery = effort('KINDFORGE_DEFINITION_TYPES', 1, 10);
/** Both commands read only one in so many batches, because both find the same mistakes. */
const compareEvery = 5;
/** A fixed seed, so that a failure means a change. Other seeds are for a search. */
const seed = Number(process.env.KINDFORGE_DEFINITION_SEED ?? 637_185_749);
const batchSize = 200;

const scratch = scratchFolder();

/** Some files in a folder of their own, and the text of each by its name. */
interface Batch {
  readonly folder: string;
  readonly texts: ReadonlyMap<string, string>;
}

const write = (files: readonly DefinitionFile[], index: number): Batch => {
  const folder = join(scratch, `batch${index}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'shared.json'), sharedTypes);
  const texts = new Map(files.map((file, at) => [`${String(at).padStart(4, '0')}.json`, file.at(at).text]));
  for (const [name, text] of texts) writeFileSync(join(folder, name), text);
  return { folder, texts };
};

/** Returns the standard output of the command. */
const printed = async (job: (console: Parameters<typeof runCheck>[1]) => unknown): Promise<readonly string[]> => {
  const lines: string[] = [];
  const errors: string[] = [];
  await job({
    out: (line) => lines.push(line),
    error: (line) => errors.push(line),
    progress: { isTTY: false, write: () => true },
  });
  expect(errors.filter((line) => line.startsWith('kindforge:'))).toEqual([]);
  return lines;
};

const expectPlace = ({ file, line, column, code, message }: Diagnostic, { texts }: Batch): void => {
  const lines = texts.get(file)?.split('\n') ?? sharedTypes.split('\n');
  const place = `${file}:${line}:${column} ${code} ${message}`;
  expect(Object.hasOwn(codes, code), place).toBe(true);
  expect(message, place).not.toMatch(/\[object Object\]/);
  expect(line >= 1 && line <= lines.length, place).toBe(true);
  expect(column >= 1 && column <= (lines[line - 1]?.length ?? 0) + 1, place).toBe(true);
};

/** Returns the model of the files without errors. */
const soundModel = ({ folder, texts }: Batch): Model => {
  const { model, diagnostics } = loadDefinitions(folder);
  for (const diagnostic of diagnostics) expectPlace(diagnostic, { folder, texts });
  const refused = new Set(diagnostics.flatMap(({ file, severity }) => (severity === 'error' ? [file] : [])));
  const resources = model.resources.filter(({ source }) => !refused.has(source.path));
  return createNumbering(folder)({ ...model, resources }).model;
};

/** Returns the names of the files with mistakes, each with its mistake. */
const failing = (model: Model, attempt: (model: Model) => void): readonly string[] => {
  try {
    attempt(model);
    return [];
  } catch (error) {
    const { resources } = model;
    if (resources.length < 2) return resources.map(({ source }) => `${source.path}: ${String(error)}`);
    const files = [...new Set(resources.map(({ source }) => source.path))];
    const halves = files.length < 2 ? [] : [files.slice(0, files.length / 2), files.slice(files.length / 2)];
    const found = halves.flatMap((half) =>
      failing({ ...model, resources: resources.filter(({ source }) => half.includes(source.path)) }, attempt),
    );
    return found.length > 0 ? found : [`${files.join(', ')}: ${String(error)}`];
  }
};

/** Returns the errors of TypeScript, each after the name of the file with its group. */
const typeFaults = (files: ReadonlyMap<string, string>): readonly string[] =>
  typeErrors(files, true)
    .slice(0, 10)
    .map((error) => {
      const number = /\.g(\d+)\.example\.com/.exec(error)?.[1];
      return number === undefined ? error : `${number.padStart(4, '0')}.json: ${error}`;
    });

/** Returns an object with only the required fields of its schema. */
function smallest(schema: Schema): JsonObject {
  const { properties = {}, required = [] } = schema;
  const known = required.flatMap((key) =>
    Object.hasOwn(properties, key) ? [[key, exampleOf(properties[key] ?? {})]] : [],
  );
  return Object.fromEntries(known);
}

function exampleOf(schema: Schema): JsonObject[string] {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  if (schema.type === 'object') return smallest(schema);
  if (schema.type === 'array') return [];
  if (schema.type === 'boolean') return true;
  if (schema.type === 'string') return 'a'.repeat(Number(schema.minLength ?? 1));
  return schema.minimum ?? schema.maximum ?? 1;
}

const accepts = ['application/json', 'application/yaml', 'application/json;as=Table;g=meta.platform.io;v=v1'];

/** Sends an object in every format. */
const ask = async (api: TestApi, module: ResourceModule, object: JsonObject): Promise<number> => {
  const { group, version, names, scope } = module;
  const place = `/apis/${group}/${version}${scope === 'Namespaced' ? '/namespaces/default' : ''}/${names.plural}`;
  const name = `o${Math.abs(seed)}`;
  const text = stringify({ ...object, apiVersion: `${group}/${version}`, kind: names.kind, metadata: { name } });
  const created = await api.send('POST', place, text, { 'content-type': 'application/json' });
  const answers = [created];
  if (created.code === 201) {
    for (const accept of accepts) answers.push(await api.send('GET', `${place}/${name}`, undefined, { accept }));
    const apply = `${place}/${name}?fieldManager=a&force=true`;
    answers.push(await api.send('PATCH', apply, text, { 'content-type': 'application/apply-patch+yaml' }));
    answers.push(await api.send('PUT', `${place}/${name}`, created.text, { 'content-type': 'application/json' }));
    answers.push(await api.send('DELETE', `${place}/${name}`));
    const unexpected = answers.slice(1, 4).filter(({ code }) => code !== 200);
    expect(unexpected, `${module.source} ${text}`).toEqual([]);
  }
  const defects = answers.filter(({ code }) => code >= 500);
  expect(defects.concat(), `${module.source} ${text}`).toEqual([]);
  return created.code;
};

const stringify = (value: unknown): string => {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(stringify).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}:${stringify(member)}`)
    .join(',')}}`;
};

/** Serves a model, and returns the share of the smallest objects that it creates. */
const serve = async (model: Model, index: number): Promise<{ readonly asked: number; readonly created: number }> => {
  const modules = modulesOf(model);
  const api = await startTestApi(modules);
  let [asked, created] = [0, 0];
  for (const module of modules.filter(({ served }) => served)) {
    const { schema } = await module.code();
    const [random = {}] = fc.sample(fittingObject(schema), { numRuns: 1, seed: seed + index });
    asked++;
    if ((await ask(api, module, smallest(schema))) === 201) created++;
    await ask(api, module, random);
  }
  for (const path of ['/apis', '/openapi/v2', '/openapi/v3']) expect((await api.send('GET', path)).code).toBe(200);
  for (const version of new Set(modules.flatMap((each) => (each.served ? [`${each.group}/${each.version}`] : []))))
    expect((await api.send('GET', `/openapi/v3/apis/${version}`)).code, version).toBe(200);
  expect(api.defects).toEqual([]);
  await api.close();
  return { asked, created };
};

describe('random definitions', () => {
  console.info(`KINDFORGE_DEFINITION_SEED=${seed}`);
  const batches = Array.from({ length: Math.ceil(runs / batchSize) }, (_, index) => index);
  const totals = { files: 0, sound: 0, asked: 0, created: 0 };

  it.each(batches)('batch %i is refused with a place, or generates, type-checks and serves', async (index) => {
    const files = fc.sample(definitionFile, { numRuns: Math.min(batchSize, runs), seed: seed + index });
    const batch = write(files, index);
    const hint = (found: readonly string[]): string =>
      found.map((each) => `${each}\n${batch.texts.get(/^\d+\.json/.exec(each)?.[0] ?? '') ?? ''}`).join('\n');
    const schemas = batch.folder;
    const out = join(scratch, `out${index}`);
    if (index % compareEvery === 0) {
      const told = await printed((console) => runGenerate({ schemas, out }, console));
      expect(await printed((console) => runCheck({ schemas }, console))).toEqual(told);
    }
    const model = soundModel(batch);
    let emitted: ReadonlyMap<string, string> = new Map();
    const emitFaults = failing(model, (each) => {
      emitted = emit(each);
    });
    const isChecked = index % checkEvery === 0 && emitFaults.length === 0;
    const found = isChecked ? typeFaults(emitted) : emitFaults;
    expect(found, hint(found)).toEqual([]);
    const { asked, created } = await serve(model, index);
    totals.files += files.length;
    totals.sound += new Set(model.resources.map(({ source }) => source.path)).size;
    totals.asked += asked;
    totals.created += created;
    rmSync(schemas, { recursive: true });
  });

  it('are of both kinds, and serve objects', () => {
    console.info(JSON.stringify(totals));
    expect(totals.sound / totals.files).toBeGreaterThan(0.25);
    expect(totals.sound).toBeLessThan(totals.files);
    expect(totals.created / totals.asked).toBeGreaterThan(0.5);
  });
});
