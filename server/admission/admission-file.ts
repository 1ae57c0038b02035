/** Reads the file with the configurations of admission plugins: an `AdmissionConfiguration`. */
import { dirname, resolve } from 'node:path';
import { admissionTable } from '../../plugins/index.js';
import { configurationSchema } from '../../plugins/kit.js';
import type { AdmissionPlugin, PluginConfiguration, RefuseConfiguration } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { didYouMean } from '../../runtime/objects/suggest.js';
import { type PlacedDocument, readPlacedDocument } from './placed-document.js';

/** The configurations, or all that is wrong with the file and those that it names, each with its place. */
export type AdmissionFileResult =
  | {
      readonly ok: true;
      /** By the names of plugins; without `apiVersion` and `kind` where the format has these. */
      readonly configurations: ReadonlyMap<string, unknown>;
      /** Plugins that the file configures, and that are not there. */
      readonly missing: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The names that the format goes by, whatever naming is served. */
const apiVersions = ['apiserver.config.platform.io/v1', 'apiserver.platform.io/v1alpha1'];

const { fields, list, optional, text } = configurationSchema;
const anything: configurationSchema.Schema<unknown> = (value) => ({ value });
const schema = fields({
  plugins: list(fields({ name: text, path: optional(text, ''), configuration: optional(anything, undefined) })),
});

/** Reads the file, and those of plugins that it names; their paths are relative to it. */
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
    if (entries.findIndex((one) => one.name === name) < index) document.refuse(place, `${name} is here a second time`);
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
      // The mistakes of a file that is no YAML are told already.
      if (own.value !== undefined) configurations.set(name, readOwn(own, plugin.configuration));
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, configurations, missing };
}

/** The table knows plugins that are not in this server. */
const isToCome = (name: string): boolean =>
  admissionTable.some((row) => row.name === name && row.byDefault !== 'always');

function unknown(name: string, plugins: readonly AdmissionPlugin[]): string {
  const known = plugins.filter(({ configuration }) => configuration).map((plugin) => plugin.name);
  return `${JSON.stringify(name)} is no admission plugin; ${
    didYouMean(name, [...known, ...admissionTable.map((row) => row.name)]) ?? `use ${known.join(', ') || 'none'}`
  }`;
}

/** A part of a document that stands for a document of its own. */
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

/** The fields of an object beside `apiVersion` and `kind`, which have to be those of its format. */
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
