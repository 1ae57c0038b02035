/** Reads configuration files for the server, and reports the places of mistakes. */
import { readFileSync } from 'node:fs';
import { parseYaml } from '../../generator/load/parse-yaml.js';
import { findOffset, indexPositions } from '../../generator/load/positions.js';
import type { ConfigurationPath, PluginConfiguration, RefuseConfiguration } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { lineCounter } from '../../runtime/objects/lines.js';

/** A document with the function that reports its mistakes. */
export interface PlacedDocument {
  readonly text: string;
  /** `undefined` if the file could not be read. */
  readonly value: unknown;
  readonly refuse: RefuseConfiguration;
}

/**
 * Reads a file with one document, in YAML or JSON. Adds all mistakes to `problems`. `shown` returns the path that
 * messages have, by default the real one.
 */
export function readPlacedDocument(
  file: string,
  problems: string[],
  shown: (path: ConfigurationPath) => ConfigurationPath = (path) => path,
): PlacedDocument {
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
    problems.push(`${place(offset)}: ${path.length === 0 ? '' : `${fieldOf(shown(path))}: `}${problem}`);
  };
  if (documents.length > 1) refuse([], 'there is more than one document; leave one');
  return { text, value: mistakes.length > 0 ? undefined : documents[0], refuse };
}

/** Returns the fields of an object without `apiVersion` and `kind`, after checking that these match the format. */
export function withoutVersion(
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
    refuse(['apiVersion'], `${JSON.stringify(apiVersion ?? '')}: must be one of ${names.join(', ')}`);
  }
  if (kind !== wanted) refuse(['kind'], `${JSON.stringify(kind ?? '')}: must be ${wanted}`);
  return rest;
}

/** Returns the Kubernetes name of an `apiVersion` of a configuration. */
export const forKubernetes = (apiVersion: string): string => apiVersion.replace(/\.platform\.io(?=\/)/, '.k8s.io');

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
