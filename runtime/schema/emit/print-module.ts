/** The text of a module of functions: names for what is defined, imports for what is used, everything laid out. */
import * as support from '../support.js';
import { type ConstantCode, type Definitions, type FunctionCode, referencesOf } from './definitions.js';
import { constantText, layout } from './layout.js';
import { NameTable, qualified } from './names.js';
import { type Helper, withNames } from './references.js';

/**
 * TypeScript is printed into files, JavaScript is evaluated at run time; they differ in types and in how they begin.
 */
export type Language = 'ts' | 'js';

/** Functions of another module, by number, under the names that it exports. */
export interface Import {
  readonly module: string;
  readonly names: ReadonlyMap<number, string>;
}

/** The functions that a module offers: those of a schema, or those of a conversion. */
export interface Offering {
  readonly name: 'functions' | 'conversion';
  readonly type: 'SchemaFunctions' | 'Conversion';
  /** Further properties of it, as in `mayFail: true`. */
  readonly facts?: readonly string[];
}

const schemaFunctions: Offering = { name: 'functions', type: 'SchemaFunctions' };

/** A module to be printed. Whatever its definitions refer to is one of them, or imported. */
export interface Module extends Definitions {
  readonly language: Language;
  /** The functions of a schema where absent. */
  readonly offering?: Offering;
  /** Imports are in TypeScript only. */
  readonly imports?: readonly Import[];
  /** Definitions that other modules import, under exactly these names. */
  readonly exported?: ReadonlyMap<number, string>;
}

/** Types that generated TypeScript names, and where they come from. */
const typeSources = {
  Conversion: 'kindforge/contract',
  ConversionReport: 'kindforge/contract',
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
  SelfPruner: 'kindforge/schema-support',
  SelfReader: 'kindforge/schema-support',
  Value: 'kindforge/schema-support',
} as const;

type TypeName = keyof typeof typeSources;

const isTypeName = (name: string): name is TypeName => Object.hasOwn(typeSources, name);

/** Names that no definition has: those of helpers, and of variables of generated functions. */
export const reservedNames: readonly string[] = [
  ...Object.keys(support),
  ...['value', 'path', 'place', 'errors', 'unknown', 'object', 'old', 'key', 'i', 'at', 'item', 'enabled', 'support'],
  ...['rename', 'report', 'evaluate', 'box', 'self', 'field'],
];

/** The module as a whole. Callers are defined after what they call, and are read before it. */
export function printModule(module: Module): string {
  const printer = new ModulePrinter(module);
  return printer.text();
}

class ModulePrinter {
  private readonly names: ReadonlyMap<number, string>;
  private readonly helpers = new Set<Helper>();
  private readonly types = new Set<TypeName>();

  private readonly offering: Offering;

  constructor(private readonly module: Module) {
    this.offering = module.offering ?? schemaFunctions;
    this.names = namesIn(module);
  }

  text(): string {
    const { definitions, exported } = this.module;
    const constants: string[] = [];
    const functions: string[] = [];
    for (const [number, definition] of definitions) {
      const name = this.names.get(number) ?? '';
      if ('body' in definition) {
        functions.push(`${exported?.has(number) === true ? 'export ' : ''}${this.functionText(name, definition)}`);
      } else constants.push(this.constantText(name, definition));
    }
    const body = [constants.join(''), ...functions.reverse(), this.tail()];
    return [this.head(), ...body].filter((part) => part !== '').join('\n');
  }

  private functionText(name: string, { parameters, returns, body }: FunctionCode): string {
    const lines = body.length === 0 ? [] : this.named(body.join('\n')).split('\n');
    const text = layout(lines.map((line) => `  ${line}`))
      .map((line) => `${line}\n`)
      .join('');
    const used = wordsOf(text);
    const typed = this.module.language === 'ts';
    const shown = parameters.map(([parameter, type]) => {
      // A parameter that is only there because others need it is marked as the compiler of TypeScript asks.
      const marked = used.has(parameter) ? parameter : `_${parameter}`;
      return typed ? `${marked}: ${this.typeText(type)}` : marked;
    });
    const answer = typed ? `: ${this.typeText(returns)}` : '';
    const head = layout([`function ${name}(${shown.join(', ')})${answer} {`]);
    return `${head.join('\n')}\n${text}}\n`;
  }

  private constantText(name: string, { expression }: ConstantCode): string {
    return constantText(name, this.named(expression));
  }

  /** A text with the names of this module, whose helpers are noted for the imports. */
  private named(text: string): string {
    return withNames(text, {
      definition: (number) => this.names.get(number) ?? '',
      helper: (name) => {
        this.helpers.add(name);
        return name;
      },
    });
  }

  /** Asked for last, when everything that is used is known. */
  private head(): string {
    const helpers = [...this.helpers].sort();
    if (this.module.language === 'js')
      return helpers.length === 0 ? '' : `const { ${helpers.join(', ')} } = support;\n`;
    if (this.module.offered.size > 0) this.typeText(this.offering.type);
    return [
      importLine('type ', this.typesFrom('kindforge/contract', helpers), 'kindforge/contract'),
      importLine('type ', this.typesFrom('kindforge/schema-support', helpers), 'kindforge/schema-support'),
      // A class that is also constructed is imported as a value, which brings its type along.
      importLine('', helpers, 'kindforge/schema-support'),
      ...(this.module.imports ?? []).map((each) => this.importText(each)),
    ].join('');
  }

  private importText({ module, names }: Import): string {
    const items = [...names].map(([number, name]) => {
      const local = this.names.get(number) ?? name;
      return local === name ? name : `${name} as ${local}`;
    });
    return importLine('', items.sort(), module);
  }

  private tail(): string {
    const { offered, language } = this.module;
    if (offered.size === 0) return '';
    const lines = [...offered.values()].map((name) => `  ${name},\n`).reverse();
    const { name, type, facts = [] } = this.offering;
    const value = `{\n${lines.join('')}${facts.map((fact) => `  ${fact},\n`).join('')}}`;
    return language === 'ts' ? `export const ${name}: ${type} = ${value};\n` : `return ${value};\n`;
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

/** Names for all that a module defines or imports: exported ones exactly, the others in their order where free. */
function namesIn({ definitions, offered, imports = [], exported = new Map() }: Module): ReadonlyMap<number, string> {
  const table = new NameTable();
  const names = new Map<number, string>();
  for (const name of reservedNames) table.take(name);
  for (const [number, name] of [...offered, ...exported]) names.set(number, table.take(name));
  for (const each of imports) for (const [number, name] of each.names) names.set(number, table.take(name));
  const callers = new Callers(definitions, names);
  for (const [number, { name }] of definitions) {
    if (!names.has(number))
      names.set(
        number,
        table.take(name, () => qualified(name, callers.of(number))),
      );
  }
  return names;
}

/** Finds the first function that refers to another; looked up when it is needed. */
class Callers {
  private found: ReadonlyMap<number, string> | undefined;

  /** `exported` have their names, which say more. */
  constructor(
    private readonly definitions: Module['definitions'],
    private readonly exported: ReadonlyMap<number, string>,
  ) {}

  of(number: number): string | undefined {
    this.found ??= this.look();
    return this.found.get(number);
  }

  private look(): ReadonlyMap<number, string> {
    const found = new Map<number, string>();
    for (const [caller, definition] of this.definitions) {
      const name = this.exported.get(caller) ?? definition.name;
      for (const number of referencesOf(definition)) if (!found.has(number)) found.set(number, name);
    }
    return found;
  }
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[A-Za-z_$][\w$]*/g));
}

/** An import of names; none where there are no names. */
export function importLine(kind: string, names: readonly string[], source: string): string {
  if (names.length === 0) return '';
  const line = `import ${kind}{ ${names.join(', ')} } from '${source}';\n`;
  return line.length <= 121
    ? line
    : `import ${kind}{\n${names.map((name) => `  ${name},\n`).join('')}} from '${source}';\n`;
}
