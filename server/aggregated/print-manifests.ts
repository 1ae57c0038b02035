/**
 * Prints the objects for a server behind a cluster, after reading the definitions and certificates that they depend on.
 */
import { readFileSync } from 'node:fs';
import { loadModules } from '../load-definitions.js';
import { OptionError } from '../option-error.js';
import { makeOwnCertificates } from '../transport/own-certificates.js';
import { type ManifestOptions, printManifests } from './manifests.js';

/** The options of `kindforge aggregate`. */
export interface AggregateOptions extends Omit<ManifestOptions, 'authority' | 'serving'> {
  /** The folder of the definitions. */
  readonly schemas: string;
  /** A file with the authority of the certificate in the Secret `<name>-tls`. Default: a new certificate. */
  readonly authorityFile: string | undefined;
}

/**
 * Prints the objects. Rejects with a `DefinitionsError` if the definitions have mistakes, and with an `OptionError` if
 * an option is invalid.
 */
export async function printAggregated({ schemas, authorityFile, ...options }: AggregateOptions): Promise<string> {
  for (const part of ['name', 'namespace'] as const) checkName(part, options[part]);
  const { definitions } = await loadModules(schemas);
  const { resources } = definitions.model;
  if (resources.length === 0)
    throw new OptionError(() => `${schemas} has no definitions, so there is nothing to serve`);
  const core = resources.find(({ group }) => !group.includes('.'));
  if (core) {
    const { group, names } = core;
    throw new OptionError(
      () =>
        `${names.plural}: the group ${JSON.stringify(group)} belongs to the cluster; give it a domain, as in shop.example.com`,
    );
  }
  return printManifests(resources, { ...options, ...certificatesFor(options, authorityFile) });
}

function checkName(part: 'name' | 'namespace', text: string): void {
  if (/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)) return;
  throw new OptionError(() => `--${part} ${text || '(nothing)'}: must be a DNS label, as in my-shop`);
}

function certificatesFor(
  { name, namespace }: Pick<AggregateOptions, 'name' | 'namespace'>,
  authorityFile: string | undefined,
): Pick<ManifestOptions, 'authority' | 'serving'> {
  if (authorityFile !== undefined) return { authority: readAuthority(authorityFile), serving: undefined };
  const service = `${name}.${namespace}.svc`;
  const names = [service, `${service}.cluster.local`, `${name}.${namespace}`, name];
  return makeOwnCertificates({ secret: undefined, names, now: Date.now() });
}

function readAuthority(path: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new OptionError(() => `--ca-file ${path}: ${message}`, { cause: error });
  }
  throw new OptionError(() => `--ca-file ${path}: no certificate in PEM`);
}
