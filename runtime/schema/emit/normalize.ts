/**
 * Code that reads the decoded body of a typed kind: checks JSON types, drops nulls and zeros, adds what is always
 * there.
 */
import { additionalNode, type Node } from '../node.js';
import { indent, type Position, read, remove, write } from './access.js';
import { isInherited, member, quoted } from './literal.js';
import type { ModuleCode } from './module-code.js';
import { pascal } from './names.js';
import { inParts } from './parts.js';
import { type Reading, readings } from './readings.js';
import { isIntOrString, keepsUnknown } from './traits.js';
import { itemStructName, sharedAs, structName, wantedType } from './type-names.js';

/** A field being read: the struct it belongs to and its name, for messages. */
interface Field {
  readonly struct: string;
  readonly name: string;
}

/** Emits the functions that read objects, one per struct. */
export class NormalizeEmitter {
  private readonly names = new Map<string, string>();
  /** Functions that are handed themselves. */
  private readonly recursive = new Set<string>();
  /** The shared type whose fields are being read. */
  private holder: string | undefined;

  constructor(
    private readonly code: ModuleCode,
    private readonly version: string,
  ) {}

  /** Statements for the fields of the whole object, in the variable `object`; they return a `Mismatch`. */
  root(node: Node, kind: string, skipped: readonly string[]): string[] {
    return this.fieldLines(node, { value: 'object', root: true }, kind, skipped);
  }

  /** The function that reads the fields of an object; it takes a `JsonObject` and returns a `Mismatch`. */
  struct(node: Node, struct: string): string {
    const key = `${node.id} ${struct}`;
    const known = this.names.get(key);
    if (known !== undefined) return known;
    const outer = this.holder;
    this.holder = node.schema['x-kindforge-type'];
    const fields = this.linesByField(node, { value: 'value', root: false }, struct, []);
    const lines = usesSelf(fields.flat()) ? fields.flat() : this.inParts(fields, struct);
    this.holder = outer;
    const name = this.code.define({
      name: `normalize${pascal(struct)}`,
      parameters: [['value', 'JsonObject'], ...(usesSelf(lines) ? [['self', 'SelfReader'] as const] : [])],
      returns: 'Mismatch | undefined',
      body: [...lines, 'return undefined;'],
      shared: sharedAs('normalize', node),
    });
    if (usesSelf(lines)) this.recursive.add(name);
    this.names.set(key, name);
    return name;
  }

  private inParts(fields: readonly (readonly string[])[], struct: string): string[] {
    const name = `normalize${pascal(struct)}Fields`;
    return inParts(this.code, fields, {
      name,
      parameters: [['value', 'JsonObject']],
      returns: 'Mismatch | undefined',
    });
  }

  private fieldLines(node: Node, at: Position, struct: string, skipped: readonly string[]): string[] {
    return this.linesByField(node, at, struct, skipped).flat();
  }

  private linesByField(node: Node, at: Position, struct: string, skipped: readonly string[]): string[][] {
    return [...node.properties].map(([name, child]) =>
      skipped.includes(name) ? [] : this.propertyLines(child, at, { struct, name }),
    );
  }

  /** One field: what stands for its absence, then its type, then what is in it. */
  private propertyLines(node: Node, at: Position, field: Field): string[] {
    if (!isInherited(field.name)) return this.linesOf(node, at, field, member(at.value, field.name));
    // TypeScript narrows a variable, and not the result of a call; so the field is read into a variable.
    const lines = this.linesOf(node, at, field, 'field');
    const keyword = lines.some((line) => line.includes('(field = ')) ? 'let' : 'const';
    return ['{', ...indent([`${keyword} field = ${read(this.code, at, field.name)};`, ...lines]), '}'];
  }

  private linesOf(node: Node, at: Position, field: Field, found: string): string[] {
    const isHeld = found === 'field';
    const store = (expression: string): string =>
      write(this.code, at, field.name, isHeld ? `(field = ${expression})` : expression);
    const lines = this.valueLines(node, found, field, store);
    const presence = node.schema['x-kindforge-presence'];
    if (presence === 'always') return this.alwaysLines(node, found, lines, store);
    if (presence === 'nullable') {
      return [`if (${found} === undefined) ${store('null')}`, ...elseIf(`${found} !== null`, lines)];
    }
    const removal = remove(at, field.name);
    const implicit = presence === 'implicit';
    const zero = implicit ? scalarZero(node) : undefined;
    const gone = zero === undefined ? '' : ` || ${found} === ${zero}`;
    const absent = `if (${found} === null${gone}) ${removal}`;
    const present = elseIf(`${found} !== undefined`, lines);
    const emptied = implicit && canBeEmpty(node) ? [`if (${this.code.use('isEmpty')}(${found})) ${removal}`] : [];
    return [absent, ...present, ...emptied];
  }

  /**
   * A field that is never absent. The zero of lists, times and bytes is a null, which stays as it is. An empty list is
   * stored as that zero, too, but not before it is known who wrote it.
   */
  private alwaysLines(node: Node, found: string, lines: string[], store: (expression: string) => string): string[] {
    const zero = zeroOf(node);
    if (zero !== undefined) return [`if (${found} === undefined || ${found} === null) ${store(zero)}`, ...block(lines)];
    const absent = `if (${found} === undefined) ${store('null')}`;
    return [absent, ...elseIf(`${found} !== null`, lines)];
  }

  /** Checks a value that is there and brings it into its stored form; `store` writes it back. */
  private valueLines(node: Node, value: string, field: Field, store: (expression: string) => string): string[] {
    const { type } = node.schema;
    if (this.isAgain(node)) return this.againLines(node, value, field);
    const struct = structName(node, field.struct, field.name);
    if (type === 'array') return this.listLines(node, value, field);
    if (type === 'object' && !keepsUnknown(node)) return this.objectLines(node, value, field, struct);
    const reading = readings(node);
    return reading === undefined ? [] : this.scalarLines(reading, node, value, field, store);
  }

  private scalarLines(
    reading: Reading,
    node: Node,
    value: string,
    field: Field,
    store: (expression: string) => string,
  ): string[] {
    // A value that is no text is read as an integer.
    const wanted = isIntOrString(node) ? 'int32' : wantedType(node, '', this.version);
    const where = `${quoted(field.struct)}, ${quoted(field.name)}, ${quoted(wanted)}`;
    if (reading.kind === 'test') {
      const test = reading.test(value, (helper) => this.code.use(helper));
      return [`if (${test}) return ${this.code.use(reading.error)}(${where}, ${value});`];
    }
    const lines = [`const read = ${this.code.use(reading.reader)}(${value}, ${where});`];
    return [...lines, `if (typeof read === 'object') return read;`, store('read')];
  }

  private objectLines(node: Node, value: string, field: Field, struct: string): string[] {
    const isObject = this.code.use('isObject');
    const additional = additionalNode(node);
    const inner = additional === undefined ? struct : itemStructName(additional, field.struct, field.name);
    const wrong = this.mismatch(field, wantedType(node, inner, this.version), value);
    const lines = [`if (!${isObject}(${value})) return ${wrong};`];
    if (additional !== undefined) return [...lines, ...this.mapLines(additional, value, field)];
    if (node.properties.size === 0) return lines;
    return [...lines, ...this.nested(this.struct(node, struct), value, field)];
  }

  /** Whether a value is of the type whose fields are being read, or holds such. */
  private isAgain({ schema }: Node): boolean {
    return this.holder !== undefined && schema['x-kindforge-within'] === this.holder;
  }

  private againLines(node: Node, value: string, field: Field): string[] {
    const under = `${this.code.use('under')}(${quoted(field.name)}, wrong)`;
    const check = `if (wrong !== undefined) return ${under};`;
    if (node.schema['x-kindforge-or'] !== undefined) {
      return [`const wrong = ${this.code.use('readEither')}(${value}, self);`, check];
    }
    const wrong = this.mismatch(field, wantedType(node, '', this.version), value);
    const isObject = this.code.use('isObject');
    return [`if (!${isObject}(${value})) return ${wrong};`, `const wrong = self(${value}, self);`, check];
  }

  private nested(name: string, value: string, field: Field): string[] {
    const own = this.recursive.has(name) ? `, ${this.code.use('bounded')}(${name})` : '';
    const under = `${this.code.use('under')}(${quoted(field.name)}, wrong)`;
    return [`const wrong = ${name}(${value}${own});`, `if (wrong !== undefined) return ${under};`];
  }

  private mapLines(child: Node, value: string, field: Field): string[] {
    if (isPlainText(child)) return this.textLines(child, value, field);
    const lines = this.elementLines(child, value, 'key', field);
    return lines.length === 0 ? [] : [`for (const key in ${value}) {`, ...indent(lines), '}'];
  }

  /** Maps of texts, of which there are most, are read by a helper. */
  private textLines(child: Node, value: string, field: Field): string[] {
    const where = `${quoted(field.struct)}, ${quoted(field.name)}, ${quoted(wantedType(child, '', this.version))}`;
    const wrong = `const wrong = ${this.code.use('readTexts')}(${value}, ${where});`;
    return [wrong, 'if (wrong !== undefined) return wrong;'];
  }

  private listLines(node: Node, value: string, field: Field): string[] {
    const struct = itemStructName(node.items ?? node, field.struct, field.name);
    const wrong = this.mismatch(field, wantedType(node, struct, this.version), value);
    const lines = [`if (!Array.isArray(${value})) return ${wrong};`];
    const inner = node.items === undefined ? [] : this.elementLines(node.items, value, 'i', field);
    if (inner.length === 0) return lines;
    return [...lines, `for (let i = 0; i < ${value}.length; i++) {`, ...indent(inner), '}'];
  }

  /** An item of a list or a value of a map; null stands for the zero value. */
  private elementLines(node: Node, container: string, index: 'i' | 'key', field: Field): string[] {
    const element = `${container}[${index}]`;
    const zero = zeroOf(node) ?? emptyElement(node);
    const variable = index === 'i' ? 'item' : 'entry';
    const lines = zero === undefined ? [] : [`if (${element} === null) ${element} = ${zero};`];
    const inner = this.elementValue(node, variable, field, (expression) => `${element} = ${expression};`);
    return inner.length === 0 ? lines : [...lines, `const ${variable} = ${element};`, ...inner];
  }

  private elementValue(node: Node, value: string, field: Field, store: (expression: string) => string): string[] {
    const { type } = node.schema;
    if (type === 'array') return this.inner('List', this.listLines(node, 'value', field), value, field);
    if (type !== 'object' || this.isAgain(node)) return this.valueLines(node, value, field, store);
    if (keepsUnknown(node)) return [];
    const struct = itemStructName(node, field.struct, field.name);
    if (additionalNode(node) === undefined) return this.objectLines(node, value, field, struct);
    return this.inner('Map', this.objectLines(node, 'value', field, struct), value, field);
  }

  /** A list or map in a list or map gets a function, since loops of the same variables cannot be nested. */
  private inner(suffix: string, lines: readonly string[], value: string, field: Field): string[] {
    const name = this.code.define({
      name: `normalize${pascal(field.struct)}${pascal(field.name)}${suffix}`,
      parameters: [['value', 'Value']],
      returns: 'Mismatch | undefined',
      body: [...lines, 'return undefined;'],
    });
    return [`const wrong = ${name}(${value});`, 'if (wrong !== undefined) return wrong;'];
  }

  private mismatch(field: Field, wanted: string, value: string): string {
    return `${this.code.use('mismatch')}(${quoted(field.struct)}, ${quoted(field.name)}, ${quoted(wanted)}, ${value})`;
  }
}

/** Whether a node is text that is stored as it is written. */
const isPlainText = (node: Node): boolean =>
  node.schema.type === 'string' && !isIntOrString(node) && readings(node)?.kind === 'test';

/** Whether statements call the function that they are part of, by its parameter. */
const usesSelf = (lines: readonly string[]): boolean => lines.some((line) => line.includes(', self);'));

/** Lists and maps; a struct without fields is something, too. */
function canBeEmpty({ schema, properties }: Node): boolean {
  return schema.type === 'array' || (schema.type === 'object' && properties.size === 0);
}

/** Statements for a value that is there; a single condition is joined to the one that it is. */
function elseIf(condition: string, lines: readonly string[]): string[] {
  const [only = ''] = lines;
  if (lines.length === 0) return [];
  if (lines.length === 1 && only.startsWith('if (')) return [`else if (${condition} && ${only.slice('if ('.length)}`];
  return [`else if (${condition}) {`, ...indent(lines), '}'];
}

/** Statements with variables of their own. */
function block(lines: readonly string[]): string[] {
  return lines.some((line) => line.startsWith('const ')) ? ['{', ...indent(lines), '}'] : [...lines];
}

/** The zero of a scalar as an expression. */
function scalarZero({ schema }: Node): string | undefined {
  switch (schema.type) {
    case 'string':
      return schema.format === 'quantity' ? `'0'` : `''`;
    case 'integer':
    case 'number':
      return '0';
    case 'boolean':
      return 'false';
    default:
      return undefined;
  }
}

/** The value of a null in a list or map whose type has no zero as a field: no items, no bytes. */
function emptyElement({ schema }: Node): string | undefined {
  if (schema.type === 'array') return '[]';
  return schema.type === 'string' && schema.format === 'byte' ? `''` : undefined;
}

/** The zero that is stored; nothing for lists, times and bytes, whose zero is null. */
function zeroOf(node: Node): string | undefined {
  const { type, format } = node.schema;
  if (isIntOrString(node)) return '0';
  if (type === 'string' && (format === 'date-time' || format === 'byte')) return undefined;
  if (isIntOrString(node)) return '0';
  return type === 'object' ? '{}' : scalarZero(node);
}
