/** Documents of configuration files, whose mistakes are told by file, line, column and field. */
import { readFileSync } from 'node:fs';
import { parseYaml } from '../../generator/load/parse-yaml.js';
import { findOffset, indexPositions } from '../../generator/load/positions.js';
import type { RefuseConfiguration } from '../../runtime/contract/index.js';
import { lineCounter } from '../../runtime/objects/lines.js';

/** The document of a file, and where to tell of its mistakes. */
export interface PlacedDocument {
  /** `undefined` where the file could not be read. */
  readonly value: unknown;
  readonly refuse: RefuseConfiguration;
}

/** Reads a file that holds one document, in YAML or JSON. All mistakes go to `problems`. */
export function readPlacedDocument(file: string, problems: string[]): PlacedDocument {
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

/** As in `plugins[0].name`. */
const fieldOf = (path: Parameters<RefuseConfiguration>[0]): string =>
  path.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`)).join('');
