/** The output of commands about objects. */
import { textOf } from '../../runtime/objects/guards.js';

/** Lines for standard output, and for standard error. */
export interface Printing {
  readonly out: (line: string) => void;
  /** Text for standard output, with its own line ends. Control characters are escaped on a terminal only. */
  readonly text: (text: string) => void;
  readonly error: (line: string) => void;
}

/** Default: the streams of the process. */
export const standardPrinting: Printing = {
  out: (line) => void process.stdout.write(`${line}\n`),
  text: (text) => void process.stdout.write(process.stdout.isTTY ? text : Buffer.from(text)),
  error: (line) => void process.stderr.write(`${line}\n`),
};

export type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of an object, and no fields for other values. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the name and namespace of an object. */
export function identityOf(object: unknown): { readonly name: string; readonly namespace: string } {
  const metadata = fieldsOf(fieldsOf(object).metadata);
  return { name: textOf(metadata.name), namespace: textOf(metadata.namespace) };
}
