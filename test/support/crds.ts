/** Definitions and sample objects of other projects, and the answers of a real server to them. */
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { decodeYaml } from '../../runtime/codec/yaml/yaml.js';
import type { JsonObject, Schema } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { shared } from './shared.js';

/** A version of a definition: the parts about its schema. */
export interface Version {
  readonly name: string;
  readonly storage: boolean;
  readonly schema: Schema;
  readonly hasStatus: boolean;
}

export interface Definition {
  readonly kind: string;
  readonly versions: readonly Version[];
}

/** An object that a project publishes, and its definition's file. */
export interface Sample {
  readonly file: string;
  readonly definition: string;
}

/** The recorded answer of a real server to the sample. */
export interface Answer {
  readonly file: string;
  readonly code: number;
  readonly warnings: readonly string[];
  readonly causes?: readonly { readonly reason: string; readonly message: string; readonly field: string }[];
  readonly object?: JsonObject;
}

const definitions = new Map<string, Definition>();

/** Reads the definition in a file below `crds/definitions`. */
export function definitionIn(file: string): Definition {
  const known = definitions.get(file);
  if (known !== undefined) return known;
  const read = toDefinition(load(readFileSync(shared('crds', 'definitions', file), 'utf8')));
  definitions.set(file, read);
  return read;
}

/** The parts of a CustomResourceDefinition that are used here. All files have them. */
interface RawDefinition {
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly storage: boolean;
      readonly schema: { readonly openAPIV3Schema: Schema };
      readonly subresources?: { readonly status?: unknown };
    }[];
  };
}

const isDefinition = (value: unknown): value is RawDefinition =>
  isObject(value) && isObject(value.spec) && Array.isArray(value.spec.versions);

function toDefinition(value: unknown): Definition {
  if (!isDefinition(value)) throw new Error('not a definition');
  const versions = value.spec.versions.map(({ name, storage, schema, subresources }) => {
    return { name, storage, schema: schema.openAPIV3Schema, hasStatus: subresources?.status !== undefined };
  });
  return { kind: value.spec.names.kind, versions };
}

export function samples(): Sample[] {
  const [head = '', ...lines] = readFileSync(shared('crds', 'SAMPLES.tsv'), 'utf8').trim().split('\n');
  const columns = head.split('\t');
  const [file, definition] = [columns.indexOf('file'), columns.indexOf('crd_file')];
  return lines.map((line) => {
    const cells = line.split('\t');
    return { file: cells[file] ?? '', definition: cells[definition] ?? '' };
  });
}

/** Reads the object of a sample, a new one at each call; `undefined` if it cannot be read. */
export function readSample({ file }: Sample): JsonObject | undefined {
  const { ok, value } = { value: undefined, ...decodeYaml(readFileSync(shared('crds', 'samples', file), 'utf8')) };
  return ok && isObject(value) ? value : undefined;
}

/** Returns the version of a definition that an object is written in, and the stored version. */
export function versionsFor({ kind, versions }: Definition, object: JsonObject): { version: Version; stored: Version } {
  const name = String(object.apiVersion).split('/').at(-1);
  const version = versions.find((each) => each.name === name);
  const stored = versions.find(({ storage }) => storage);
  if (version === undefined || stored === undefined) throw new Error(`${kind} has no version ${name}`);
  return { version, stored };
}

/** Reads the recorded answers of a real server, by sample file. */
export function answers(): Map<string, Answer> {
  const lines = readFileSync(shared('crds', 'expected.jsonl'), 'utf8').trim().split('\n');
  const rows: Answer[] = lines.map((line) => JSON.parse(line));
  return new Map(rows.map((row) => [row.file, row]));
}
