/** Pieces of program text, and the module they are put together to. */
import { quoted } from '../../schema/emit/literal.js';
import { NameTable } from '../../schema/emit/names.js';
import type { Type } from '../check/types.js';
import type { DataType } from '../schema/data-type.js';

/** The text of a JavaScript expression, and what is known of it. */
export interface Code {
  readonly text: string;
  readonly type: Type;
  /** Whether evaluating it may fail, so that an operator around it may have something to absorb. */
  readonly fails: boolean;
  /** What evaluating it costs in any case, not yet charged in the text. */
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

/** Names that generated variables may not have. */
const taken = (
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false ' +
  'finally for function if implements import in instanceof interface let new null package private protected public return ' +
  'static super switch this throw true try typeof undefined var void while with yield NaN Infinity Math Map Set Array ' +
  'Object String Number BigInt support overloads variables meter'
).split(' ');

/** Collects the constants of a program, each once. */
export class ProgramCode {
  private readonly names = new NameTable();
  private readonly helpers = new Map<string, string>();
  private readonly constants = new Map<string, string>();
  private readonly lines: string[] = [];

  constructor() {
    for (const name of taken) this.names.take(name);
  }

  /** The name of a function of the support module. */
  use(helper: string): string {
    const known = this.helpers.get(helper);
    if (known !== undefined) return known;
    const name = this.names.take(helper);
    this.helpers.set(helper, name);
    return name;
  }

  /** The name of a constant with this text. */
  constant(hint: string, text: string): string {
    const known = this.constants.get(text);
    if (known !== undefined) return known;
    const name = this.names.take(identifier(hint));
    this.constants.set(text, name);
    this.lines.push(`const ${name} = ${text};`);
    return name;
  }

  /** The name of a new variable. */
  variable(hint: string): string {
    return this.names.take(identifier(hint));
  }

  /** The body of a function from the support module and the overloads to the program. */
  text(head: readonly string[], result: string): string {
    const imports = [...this.helpers].map(([helper, name]) => (helper === name ? name : `${helper}: ${name}`));
    return [
      imports.length === 0 ? '' : `const { ${imports.join(', ')} } = support;`,
      ...this.lines,
      'return (variables, meter) => {',
      ...head.map((line) => `  ${line}`),
      `  return ${result};`,
      '};',
      '',
    ]
      .filter((line, i) => i > 0 || line !== '')
      .join('\n');
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
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? `${object}?.${name}` : `${object}?.[${quoted(name)}]`;
}
