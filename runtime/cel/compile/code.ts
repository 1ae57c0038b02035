/** Pieces of program text, and the module they are put together to. */
import type { Type } from '../check/types.js';
import type { DataType } from '../schema/data-type.js';
import { itemTypes, type Language, NameTable, quoted, scalarTypes, typeNames } from './program-text.js';
import * as support from './support.js';

/** The text of a JavaScript expression, and what is known of it. */
export interface Code {
  readonly text: string;
  readonly type: Type;
  /** Whether evaluating it may fail, so that an operator around it may have something to absorb. */
  readonly fails: boolean;
  /** The cost of an evaluation in any case, not yet charged in the text. */
  readonly cost: number;
  /** Where the text yields decoded JSON rather than a value of the language: how it is to be read. */
  readonly data?: DataType;
}

/** The text with what it costs charged first. */
export function charged(code: Code): string {
  return code.cost === 0 ? code.text : `(meter.charge(${code.cost}), ${code.text})`;
}

/** The text of an arrow function's body. */
export function bodyOf(code: Code): string {
  const text = charged(code);
  return text.startsWith('{') ? `(${text})` : text;
}

/** An arrow function. A parameter that is only there because others need it is marked as TypeScript asks. */
export function lambda(
  names: readonly string[],
  parameters: (...names: readonly string[]) => string,
  body: string,
): string {
  const used = wordsOf(body);
  const marked = names.map((name) => (used.has(name) || used.has(`_${name}`) ? name : `_${name}`));
  return `${parameters(...marked)} => ${body}`;
}

/** The names in a text, without texts that stand in it and names of properties. */
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
  /** Constants that are computed once, each from those before it. */
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

  /** The name of a function of the support module. */
  use(helper: string): string {
    this.helpers.add(helper);
    return helper;
  }

  /** The name of a constant with this text. */
  constant(hint: string, text: string): string {
    const known = this.constants.get(text);
    if (known !== undefined) return known;
    const name = this.names.take(identifier(hint));
    this.constants.set(text, name);
    return name;
  }

  /** The name of a new variable. */
  variable(hint: string): string {
    return this.names.take(identifier(hint));
  }

  /** A text of which TypeScript cannot see that it yields what the checker has found out. */
  known(text: string, type: Type): string {
    return this.enclosed(text, scalarTypes[type.kind]);
  }

  /** The same of lists, by the type of their items. */
  knownItems(text: string, item: Type): string {
    return this.enclosed(text, itemTypes[item.kind]);
  }

  private enclosed(text: string, type: string | undefined): string {
    return this.language === 'js' || type === undefined ? text : `(${this.asserted(text, type)})`;
  }

  /** The text of a declaration, a call or in parentheses, with what TypeScript is to take it for. */
  asserted(text: string, type: string): string {
    return this.language === 'js' ? text : `${text} as ${type}`;
  }

  /** The parts of the program, the constants in order. */
  parts(head: readonly string[], result: string): ProgramParts {
    const constants = [...this.constants].map(([text, name]) => ({ name, text }));
    return { helpers: [...this.helpers], constants, head, result };
  }
}

/** A name for JavaScript, made of one of the expression's: letters, digits and underscores of ASCII. */
function identifier(hint: string): string {
  const name = hint.replace(/[^A-Za-z0-9_$]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase());
  return /^[A-Za-z_$]/.test(name) ? name : `value${name}`;
}

/** `string_to_int64` → `stringToInt64`. */
export function camelCase(id: string): string {
  return id.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase());
}

/** The text that reads a property of what should be an object; of null and of nothing it reads nothing. */
export function optionalProperty(object: string, name: string): string {
  return `${object}?.[${quoted(name)}]`;
}
