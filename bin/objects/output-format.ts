/** Reads `-o`: the form in which objects are printed. */
import { readFileSync } from 'node:fs';
import { didYouMean } from '../../runtime/objects/suggest.js';
import { Refusal, WrongFlag } from './failure.js';
import { outputFormats } from './server-flags.js';
import { type CustomColumn, readColumns, readColumnsFile, readTemplate, type Template } from './template.js';

export type OutputFormat =
  /** The columns of the server; `wide` for all of them. */
  | { readonly kind: 'table'; readonly wide: boolean }
  | { readonly kind: 'columns'; readonly columns: readonly CustomColumn[] }
  | { readonly kind: 'template'; readonly fill: Template }
  | { readonly kind: 'json' | 'yaml' | 'name' };

/** Reads the format, and the file that it names. Throws a `WrongFlag` that names the mistake. */
export function readOutput(text: string): OutputFormat {
  const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  if (value === undefined && isPlain(name)) return plain(name);
  if (value === undefined || value === '') return refuse(name, value);
  switch (name) {
    case 'jsonpath':
      return { kind: 'template', fill: readTemplate(value) };
    case 'jsonpath-file':
      return { kind: 'template', fill: readTemplate(readText(value)) };
    case 'custom-columns':
      return { kind: 'columns', columns: readColumns(value) };
    case 'custom-columns-file':
      return { kind: 'columns', columns: readColumnsFile(readText(value)) };
    default:
      return refuse(name, value);
  }
}

type PlainFormat = 'table' | 'wide' | 'yaml' | 'json' | 'name';

const isPlain = (name: string): name is PlainFormat => outputFormats.some((one) => one === name);

const plain = (name: PlainFormat): OutputFormat =>
  name === 'table' || name === 'wide' ? { kind: 'table', wide: name === 'wide' } : { kind: name };

function refuse(name: string, value: string | undefined): never {
  if (outputFormats.some((one) => one === `${name}=`)) {
    throw new WrongFlag(`-o ${name} needs a value`, `Write it as in ${examples[name] ?? `-o ${name}=FILE`}`);
  }
  const known = outputFormats.map((one) => one.replace('=', ''));
  const written = `-o ${name}${value === undefined ? '' : `=${value}`}`;
  throw new WrongFlag(`${written} is not an output format`, didYouMean(name, known) ?? `There are ${known.join(', ')}`);
}

const examples: Readonly<Record<string, string>> = {
  jsonpath: "-o jsonpath='{.metadata.name}'",
  'custom-columns': '-o custom-columns=NAME:.metadata.name',
};

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Refusal(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
