/** Reads the file with the configurations of admission plugins: an `AdmissionConfiguration`. */
import { dirname, resolve } from 'node:path';
import { admissionTable } from '../../plugins/index.js';
import { configurationSchema } from '../../plugins/kit.js';
import type { AdmissionPlugin, PluginConfiguration, RefuseConfiguration } from '../../runtime/contract/index.js';
import { didYouMean } from '../../runtime/objects/suggest.js';
import { isAdmissionPlugin } from '../known-names.js';
import { type PlacedDocument, readPlacedDocument, withoutVersion } from './placed-document.js';

/** The configurations, or all mistakes in the file and the files that it names, each with its place. */
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

/** Reads the file, and the plugin files that it names. Their paths are relative to it. */
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
      if (isAdmissionPlugin(name)) missing.push(name);
      else document.refuse(place, unknown(name, plugins));
    } else if (!plugin.configuration) {
      document.refuse(place, `the plugin ${name} takes no configuration; remove it here`);
    } else if (configuration === undefined && path === '') {
      document.refuse(at, 'give its configuration, or the path of a file');
    } else {
      const own: OwnDocument =
        configuration === undefined
          ? readPlacedDocument(resolve(dirname(file), path), problems)
          : within(document.refuse, [...at, 'configuration'], configuration);
      // The mistakes of a file that is not YAML are already reported.
      if (own.value !== undefined) configurations.set(name, readOwn(own, plugin.configuration));
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, configurations, missing };
}

function unknown(name: string, plugins: readonly AdmissionPlugin[]): string {
  const known = plugins.filter(({ configuration }) => configuration).map((plugin) => plugin.name);
  return `${JSON.stringify(name)} is not an admission plugin; ${
    didYouMean(name, [...known, ...admissionTable.map((row) => row.name)]) ?? `use ${known.join(', ') || 'none'}`
  }`;
}

type OwnDocument = Pick<PlacedDocument, 'value' | 'refuse'>;

/** Returns a part of a document as a separate document. */
const within = (refuse: RefuseConfiguration, at: Parameters<RefuseConfiguration>[0], value: unknown): OwnDocument => ({
  value,
  refuse: (path, ...more) => refuse([...at, ...path], ...more),
});

function readOwn({ value, refuse }: OwnDocument, format: PluginConfiguration): unknown {
  const given = withoutVersion(value, format, refuse);
  if (given !== undefined) format.check(given, refuse);
  return given;
}
