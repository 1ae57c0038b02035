/** Reads the file with the configurations of admission plugins: an `AdmissionConfiguration`. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseYaml } from '../../generator/load/parse-yaml.js';
import { findOffset, indexPositions } from '../../generator/load/positions.js';
import { admissionTable } from '../../plugins/index.js';
import { configurationSchema } from '../../plugins/kit.js';
import type { AdmissionPlugin, PluginConfiguration, RefuseConfiguration } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { lineCounter } from '../../runtime/objects/lines.js';
import { didYouMean } from '../../runtime/objects/suggest.js';

/** The configurations, or all mistakes of the file and the files it names, each with its place. */
export type AdmissionFileResult =
  | {
      readonly ok: true;
      /** By plugin name, without the `apiVersion` and `kind` of the format. */
      readonly configurations: ReadonlyMap<string, unknown>;
      /** Configured plugins that do not exist. */
      readonly missing: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The accepted `apiVersion`s, in every naming. */
const apiVersions = ['apiserver.config.platform.io/v1', 'apiserver.platform.io/v1alpha1'];

const { fields, list, optional, text } = configurationSchema;
const anything: configurationSchema.Schema<unknown> = (value) => ({ value });
const schema = fields({
  plugins: list(fields({ name: text, path: optional(text, ''), configuration: optional(anything, undefined) })),
});

/** Reads the file and the plugin files that it names; their paths are relative to it. */
export function readAdmissionFile(file: string, plugins: readonly AdmissionPlugin[]): AdmissionFileResult {
  const problems: string[] = [];
  const document = readPlacedDocument(file, problems);
  if (problems.length > 0) return { ok: false, problems };
  const given = withoutVersion(document.value, { apiVersions, kind: 'AdmissionConfiguration' }, document.refuse);
  const entries = given === undefined ? undefined : schema(given, [], document.refuse)?.value.plugins;
  if (!entries) return { ok: false, problems };
  const configurations = new Map<string, unknown>();
  const missing: string[] = [];
  for (const [index, { name, path, configuration }] of entries.entries()) {
    const at = ['plugins', index];
    const place = [...at, 'name'];
    if (entries.findIndex((one) => one.name === name) < index) document.refuse(place, `${name} is listed twice`);
    const plugin = plugins.find((one) => one.name === name);
    if (!plugin) {
      if (isToCome(name)) missing.push(name);
      else document.refuse(place, unknown(name, plugins));
    } else if (!plugin.configuration) {
      document.refuse(place, `the plugin ${name} takes no configuration; remove it here`);
    } else if (configuration === undefined && path === '') {
      document.refuse(at, 'give its configuration, or the path of a file');
    } else {
      const own: PlacedDocument =
        configuration === undefined
          ? readPlacedDocument(resolve(dirname(file), path), problems)
          : within(document.refuse, [...at, 'configuration'], configuration);
      // Mistakes of a file that is not YAML are already reported.
      if (own.value !== undefined) configurations.set(name, readOwn(own, plugin.configuration));
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, configurations, missing };
}

/** Reports whether a plugin is in the table but not in this server. */
const isToCome = (name: string): boolean =>
  admissionTable.some((row) => row.name === name && row.byDefault !== 'always');

function unknown(name: string, plugins: readonly AdmissionPlugin[]): string {
  const known = plugins.filter(({ configuration }) => configuration).map((plugin) => plugin.name);
  return `${JSON.stringify(name)} is not an admission plugin; ${
    didYouMean(name, [...known, ...admissionTable.map((row) => row.name)]) ?? `use ${known.join(', ') || 'none'}`
  }`;
}

/** Returns a part of a document as a document of its own. */
const within = (
  refuse: RefuseConfiguration,
  at: Parameters<RefuseConfiguration>[0],
  value: unknown,
): PlacedDocument => ({ value, refuse: (path, ...more) => refuse([...at, ...path], ...more) });

function readOwn({ value, refuse }: PlacedDocument, format: PluginConfiguration): unknown {
  const given = withoutVersion(value, format, refuse);
  if (given !== undefined) format.check(given, refuse);
  return given;
}

/** Returns the fields of an object without `apiVersion` and `kind`, after checking that these match the format. */
function withoutVersion(
  value: unknown,
  { apiVersions: known, kind: wanted }: Pick<PluginConfiguration, 'apiVersions' | 'kind'>,
  refuse: RefuseConfiguration,
): unknown {
  if (wanted === undefined) return value;
  const names = known.flatMap((name) => [name, forKubernetes(name)]);
  if (!isObject(value)) {
    refuse([], `begin it with apiVersion: ${names[0]} and kind: ${wanted}`);
    return undefined;
  }
  const { apiVersion, kind, ...rest } = value;
  if (typeof apiVersion !== 'string' || !names.includes(apiVersion)) {
    refuse(['apiVersion'], `${JSON.stringify(apiVersion ?? '')} is none of ${names.join(', ')}`);
  }
  if (kind !== wanted) refuse(['kind'], `${JSON.stringify(kind ?? '')} is not ${wanted}`);
  return rest;
}

const forKubernetes = (apiVersion: string): string => apiVersion.replace(/\.platform\.io(?=\/)/, '.k8s.io');

/** A document with the function that reports its mistakes. */
interface PlacedDocument {
  /** `undefined` if the file could not be read. */
  readonly value: unknown;
  readonly refuse: RefuseConfiguration;
}

/** Reads a file with one document, in YAML or JSON. Adds all mistakes to `problems`. */
function readPlacedDocument(file: string, problems: string[]): PlacedDocument {
  const text = readText(file, problems);
  const place = (offset: number): string => {
    const { line, column } = lineCounter(text)(offset);
    return `${file}:${line}:${column}`;
  };
  const { documents, problems: mistakes } = parseYaml(text);
  for (const { offset, message } of mistakes) problems.push(`${place(offset)}: ${message}`);
  let positions: ReturnType<typeof indexPositions> | undefined;
  const refuse: RefuseConfiguration = (path, problem, at = 'value') => {
    positions ??= indexPositions(text);
    const [first] = positions;
    const offset = first && path.length > 0 ? findOffset(first, path, at) : 0;
    problems.push(`${place(offset)}: ${path.length === 0 ? '' : `${fieldOf(path)}: `}${problem}`);
  };
  if (documents.length > 1) refuse([], 'there is more than one document; leave one');
  return { value: mistakes.length > 0 ? undefined : documents[0], refuse };
}

function readText(file: string, problems: string[]): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    problems.push(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return '';
  }
}

/** Formats a place as in `plugins[0].name`. */
const fieldOf = (path: Parameters<RefuseConfiguration>[0]): string =>
  path.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`)).join('');
