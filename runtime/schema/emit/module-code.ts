/** The text of one generated module as it grows: imports, constants, functions. */

import * as support from '../support.js';
import { constantText, layout } from './layout.js';
import { NameTable } from './names.js';

/** TypeScript is printed into files, JavaScript is evaluated at run time; they differ in types and in how they begin. */
export type Language = 'ts' | 'js';

/** Something that generated code can call. */
export type Helper = keyof typeof support;

/** Types that generated TypeScript names, and where they come from. */
const typeSources = {
  Conversion: 'kindforge/contract',
  Rename: 'kindforge/contract',
  SchemaFunctions: 'kindforge/contract',
  ErrorSink: 'kindforge/contract',
  JsonObject: 'kindforge/contract',
  JsonValue: 'kindforge/contract',
  TypeMismatch: 'kindforge/contract',
  Findings: 'kindforge/schema-support',
  Place: 'kindforge/schema-support',
  Mismatch: 'kindforge/schema-support',
  UnknownFields: 'kindforge/schema-support',
  Value: 'kindforge/schema-support',
} as const;

type TypeName = keyof typeof typeSources;

export const isTypeName = (name: string): name is TypeName => Object.hasOwn(typeSources, name);

/** A function to be defined: its parameters and their types, what it returns, and its statements. */
export interface FunctionCode {
  /** What it is called if the name is free. */
  readonly name: string;
  readonly parameters: readonly (readonly [name: string, type: string])[];
  readonly returns: string;
  readonly body: readonly string[];
}

/** Variables of generated functions. */
const variables = [
  'value',
  'path',
  'place',
  'errors',
  'unknown',
  'object',
  'old',
  'key',
  'i',
  'at',
  'item',
  'enabled',
  'support',
  'rename',
  'box',
];

/** What a module offers: the functions of a schema, or those of a conversion. */
export interface Offering {
  readonly name: 'functions' | 'conversion';
  readonly type: 'SchemaFunctions' | 'Conversion';
}

const schemaFunctions: Offering = { name: 'functions', type: 'SchemaFunctions' };

/** Functions and constants with the same text are one. */
export class ModuleCode {
  private readonly helpers = new Set<Helper>();
  private readonly types = new Set<TypeName>();
  private readonly names = new NameTable();
  private readonly constants = new Map<string, string>();
  private readonly functions = new Map<string, { name: string; text: string }>();
  private readonly offered: string[] = [];

  constructor(
    readonly language: Language,
    private readonly offering: Offering = schemaFunctions,
  ) {
    for (const name of [...Object.keys(support), ...variables]) this.names.take(name);
  }

  /** Makes a helper available and answers its name. */
  use(helper: Helper): string {
    this.helpers.add(helper);
    return helper;
  }

  /** A constant of the module with this value. */
  constant(name: string, expression: string): string {
    const known = this.constants.get(expression);
    if (known !== undefined) return known;
    const taken = this.names.take(name);
    this.constants.set(expression, taken);
    return taken;
  }

  /** Defines a function, unless there is one with the same text, and answers its name. */
  define(code: FunctionCode): string {
    const rest = this.functionText(code);
    const known = this.functions.get(rest);
    if (known !== undefined) return known.name;
    const name = this.names.take(code.name);
    this.functions.set(rest, { name, text: `function ${name}${rest}` });
    return name;
  }

  /** Defines a function that the module offers, under exactly its name. Offered functions are defined last. */
  offer(name: string, code: Omit<FunctionCode, 'name'>): void {
    this.functions.set(`offered ${name}`, { name, text: `function ${name}${this.functionText(code)}` });
    this.offered.push(name);
  }

  /** A function but for its name. */
  private functionText({ parameters, returns, body }: Omit<FunctionCode, 'name'>): string {
    const text = layout(body.map((line) => `  ${line}`))
      .map((line) => `${line}\n`)
      .join('');
    const used = wordsOf(text);
    const typed = this.language === 'ts';
    const shown = parameters.map(([name, type]) => {
      // A parameter that is only there because others need it is marked as the compiler of TypeScript asks.
      const marked = used.has(name) ? name : `_${name}`;
      return typed ? `${marked}: ${this.typeText(type)}` : marked;
    });
    return `(${shown.join(', ')})${typed ? `: ${this.typeText(returns)}` : ''} {\n${text}}\n`;
  }

  /** The module as a whole. */
  text(): string {
    // Callers are defined after what they call, and are read before it.
    const functions = [...this.functions.values()]
      .reverse()
      .map(({ text }) => `\n${text}`)
      .join('');
    const constants = this.usedConstants(functions);
    const body = `${constants === '' ? '' : `\n${constants}`}${functions}\n${this.tail()}`;
    return this.head(body) + body;
  }

  /** Constants that the functions, or other constants, name. */
  private usedConstants(functions: string): string {
    const used = wordsOf(functions);
    return [...this.constants]
      .filter(([, name]) => used.has(name))
      .map(([expression, name]) => constantText(name, expression))
      .join('');
  }

  private head(body: string): string {
    const used = wordsOf(body);
    const helpers = [...this.helpers].filter((name) => used.has(name)).sort();
    if (this.language === 'js') return helpers.length === 0 ? '' : `const { ${helpers.join(', ')} } = support;\n`;
    this.typeText(this.offering.type);
    const lines = [importLine('type ', this.typesFrom('kindforge/contract', helpers), 'kindforge/contract')];
    const supportTypes = this.typesFrom('kindforge/schema-support', helpers);
    lines.push(importLine('type ', supportTypes, 'kindforge/schema-support'));
    // A class that is also constructed is imported as a value, which brings its type along.
    lines.push(importLine('', helpers, 'kindforge/schema-support'));
    return lines.join('');
  }

  private tail(): string {
    const value = `{\n${[...this.offered]
      .reverse()
      .map((name) => `  ${name},\n`)
      .join('')}}`;
    return this.language === 'ts'
      ? `export const ${this.offering.name}: ${this.offering.type} = ${value};\n`
      : `return ${value};\n`;
  }

  private typesFrom(source: string, helpers: readonly string[]): string[] {
    return [...this.types].filter((name) => typeSources[name] === source && !helpers.includes(name)).sort();
  }

  /** Notes the names in a type, for the imports. */
  private typeText(type: string): string {
    for (const name of type.match(/[A-Za-z]+/g) ?? []) if (isTypeName(name)) this.types.add(name);
    return type;
  }
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[A-Za-z_$][\w$]*/g));
}

function importLine(kind: string, names: readonly string[], source: string): string {
  if (names.length === 0) return '';
  const line = `import ${kind}{ ${names.join(', ')} } from '${source}';\n`;
  return line.length <= 121
    ? line
    : `import ${kind}{\n${names.map((name) => `  ${name},\n`).join('')}} from '${source}';\n`;
}
