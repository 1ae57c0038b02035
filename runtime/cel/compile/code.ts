/** Pieces of program text, and the program that they form. */
import type { Type } from '../check/types.js';
import type { DataType } from '../schema/data-type.js';
import { itemTypes, type Language, NameTable, quoted, scalarTypes, typeNames } from './program-text.js';
import * as support from './support.js';

/** The text of a JavaScript expression, with its type, cost and possible failure. */
export interface Code {
  readonly text: string;
  readonly type: Type;
  /** Whether evaluating it may fail. An operator around it may have to absorb the error. */
  readonly fails: boolean;
  /** The fixed cost of an evaluation. The text does not charge it yet. */
  readonly cost: number;
  /** How to read the result, if it is decoded JSON and not a value of the language. */
  readonly data?: DataType;
}

/** Returns the text, with its cost charged first. */
export function charged(code: Code): string {
  return code.cost === 0 ? code.text : `(meter.charge(${code.cost}), ${code.text})`;
}

/** Returns the text of an arrow function's body. */
export function bodyOf(code: Code): string {
  const text = charged(code);
  return text.startsWith('{') ? `(${text})` : text;
}

/** Returns an arrow function. Marks unused parameters before used ones, as TypeScript requires. */
export function lambda(
  names: readonly string[],
  parameters: (...names: readonly string[]) => string,
  body: string,
): string {
  const used = wordsOf(body);
  const marked = names.map((name) => (used.has(name) || used.has(`_${name}`) ? name : `_${name}`));
  return `${parameters(...marked)} => ${body}`;
}

/** Returns the names in a text, without string literals and names of properties. */
export function wordsOf(text: string): ReadonlySet<string> {
  const bare = text.replace(/'(?:[^'\\]|\\.)*'?/g, "''").replaceAll('...', ' ');
  return new Set(bare.match(/(?<![\w$.])[A-Za-z_$][\w$]*/g));
}

/** Names that generated variables may not have. */
const words = (
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false ' +
  'finally for function if implements import in instanceof interface let new null package private protected public return ' +
  'static super switch this throw true try typeof undefined var void while with yield NaN Infinity Math Map Set Array ' +
  'Object String Number BigInt support overloads variables meter'
).split(' ');
const taken = [...words, ...Object.keys(support), ...typeNames];

/** A program before it is laid out. */
export interface ProgramParts {
  /** Functions of the support module. */
  readonly helpers: readonly string[];
  /** Constants, computed once and in order; each may use earlier ones. */
  readonly constants: readonly { readonly name: string; readonly text: string }[];
  /** Lines that read the variables. */
  readonly head: readonly string[];
  readonly result: string;
}

/** Collects the constants of a program, each once. */
export class ProgramCode {
  private readonly names = new NameTable();
  private readonly helpers = new Set<string>();
  private readonly constants = new Map<string, string>();

  constructor(readonly language: Language) {
    for (const name of taken) this.names.take(name);
  }

  /** Returns the name of a function of the support module. */
  use(helper: string): string {
    this.helpers.add(helper);
    return helper;
  }

  /** Returns the name of a constant with this text. */
  constant(hint: string, text: string): string {
    const known = this.constants.get(text);
    if (known !== undefined) return known;
    const name = this.names.take(identifier(hint));
    this.constants.set(text, name);
    return name;
  }

  /** Returns the name of a new variable. */
  variable(hint: string): string {
    return this.names.take(identifier(hint));
  }

  /** Returns a text with a cast to the checker's type, which TypeScript cannot infer. */
  known(text: string, type: Type): string {
    return this.enclosed(text, scalarTypes[type.kind]);
  }

  /** Returns a list with a cast, by the type of its items. */
  knownItems(text: string, item: Type): string {
    return this.enclosed(text, itemTypes[item.kind]);
  }

  private enclosed(text: string, type: string | undefined): string {
    return this.language === 'js' || type === undefined ? text : `(${this.asserted(text, type)})`;
  }

  /** Returns a text in parentheses with a type assertion. Declarations and calls need no parentheses. */
  asserted(text: string, type: string): string {
    return this.language === 'js' ? text : `${text} as ${type}`;
  }

  /** Returns the parts of the program, with the constants in order. */
  parts(head: readonly string[], result: string): ProgramParts {
    const constants = [...this.constants].map(([text, name]) => ({ name, text }));
    return { helpers: [...this.helpers], constants, head, result };
  }
}

/** Makes a JavaScript name from a name in the expression: ASCII letters, digits and underscores. */
function identifier(hint: string): string {
  const name = hint.replace(/[^A-Za-z0-9_$]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase());
  return /^[A-Za-z_$]/.test(name) ? name : `value${name}`;
}

/** Converts `string_to_int64` → `stringToInt64`. */
export function camelCase(id: string): string {
  return id.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase());
}

/** Returns the text that reads a property of an object. It yields `undefined` for null and undefined. */
export function optionalProperty(object: string, name: string): string {
  return `${object}?.[${quoted(name)}]`;
}
