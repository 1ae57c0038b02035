/** Code that checks a value against the schema of a typed kind, in the words of built-in kinds. */
import { additionalNode, type Node } from '../node.js';
import { entryPath, indent, itemPath, nameSet, type Position, read } from './access.js';
import { CombinationEmitter } from './combinations.js';
import { literal, pathTemplate, quoted } from './literal.js';
import type { ModuleCode } from './module-code.js';
import { pascal, singular } from './names.js';
import { inParts } from './parts.js';
import { sharedAs } from './type-names.js';
import { TypedKeywordEmitter } from './typed-keywords.js';
import { ValidateEmitter } from './validate.js';
import { report, wordsFor } from './wording.js';

/** The path that stands for a field in errors. */
export function reportedPath(at: Position, name: string, node: Node): string {
  const shown = node.schema['x-kindforge-report-as'] ?? name;
  if (at.root) return quoted(shown);
  return shown === '' ? 'path' : pathTemplate('path', `.${shown}`);
}

/** Emits the functions that check values, one per node. */
export class TypedValidateEmitter {
  private readonly keywords: TypedKeywordEmitter;
  private readonly combinations: CombinationEmitter;
  private readonly names = new Map<Node, string | undefined>();

  constructor(private readonly code: ModuleCode) {
    this.keywords = new TypedKeywordEmitter(code);
    // Branches are checked as in structural kinds: which of them holds is not a matter of words.
    const branches = new ValidateEmitter(code);
    this.combinations = new CombinationEmitter(code, (node, hint, root) => branches.branch(node, hint, root));
  }

  /** Statements for the whole object, in the variable `object`; errors go to `errors`. */
  root(node: Node, hint: string, skipped: readonly string[]): string[] {
    const at: Position = { value: 'object', root: true };
    const site = { value: at.value, path: `''`, hint, root: true, counted: false };
    return [...this.combinations.lines(node, site), ...this.fieldLines(node, at, skipped)];
  }

  private call(node: Node, hint: string): string | undefined {
    if (this.names.has(node)) return this.names.get(node);
    const body = this.body(node, hint);
    const parameters = [
      ['value', 'Value'],
      ['path', 'string'],
      ['errors', 'Findings'],
    ] as const;
    const shared = sharedAs('validate', node);
    const code = { name: `validate${hint}`, parameters, returns: 'void', body, shared };
    const name = body.length === 0 ? undefined : this.code.define(code);
    this.names.set(node, name);
    return name;
  }

  private body(node: Node, hint: string): string[] {
    const site = { value: 'value', path: 'path', hint, root: false, counted: false };
    const lists = this.listLines(node, hint);
    const objects = this.objectLines(node, hint);
    const others = [...this.combinations.lines(node, site), ...this.keywords.lines(node, hint)];
    return [
      ...others,
      ...this.part('Array.isArray(value)', lists, others.length + objects.length === 0),
      ...this.part(`${this.code.use('isObject')}(value)`, objects, others.length + lists.length === 0),
    ];
  }

  /** The statements for a value of a type; `alone`: for other values there is nothing to do. */
  private part(condition: string, lines: readonly string[], alone: boolean): string[] {
    if (lines.length === 0) return [];
    return alone ? [`if (!${condition}) return;`, ...lines] : [`if (${condition}) {`, ...indent(lines), '}'];
  }

  private objectLines(node: Node, hint: string): string[] {
    const { minProperties, maxProperties } = node.schema;
    const at: Position = { value: 'value', root: false };
    const lines = [...this.partLines(node, at, hint), ...this.mapLines(node, hint)];
    const sizes: string[] = [];
    if (minProperties !== undefined && minProperties > 0) {
      sizes.push(
        this.keywords.check(
          node,
          'minProperties',
          `count < ${literal(minProperties)}`,
          `must have at least ${minProperties} items`,
        ),
      );
    }
    if (maxProperties !== undefined) sizes.push(this.tooMany(node, 'maxProperties', 'count', maxProperties));
    const counted = sizes.length === 0 ? [] : [`const count = ${this.code.use('countProperties')}(value);`, ...sizes];
    return [...lines, ...counted];
  }

  private partLines(node: Node, at: Position, hint: string): string[] {
    const name = `validate${hint}Fields`;
    const parameters = [
      ['value', 'JsonObject'],
      ['path', 'string'],
      ['errors', 'Findings'],
    ] as const;
    return inParts(this.code, this.linesByField(node, at, []), { name, parameters });
  }

  private fieldLines(node: Node, at: Position, skipped: readonly string[]): string[] {
    return this.linesByField(node, at, skipped).flat();
  }

  private linesByField(node: Node, at: Position, skipped: readonly string[]): string[][] {
    const required = new Set(node.schema.required ?? []);
    return [...node.properties].map(([name, child]) =>
      skipped.includes(name) ? [] : this.propertyLines(name, child, at, required.has(name)),
    );
  }

  /** A missing field, or what is wrong with it; in the order of the schema. */
  private propertyLines(name: string, child: Node, at: Position, required: boolean): string[] {
    const value = read(this.code, at, name);
    const path = reportedPath(at, name, child);
    const call = this.call(child, pascal(name));
    const check = call === undefined ? '' : `${call}(${value}, ${path}, errors);`;
    const nonEmpty = child.schema['x-kindforge-non-empty'] === true;
    // A field that is always present is never missing, only empty.
    const missable = required && (nonEmpty || child.schema['x-kindforge-presence'] !== 'always');
    if (!missable) return check === '' ? [] : [`if (${value} !== undefined) ${check}`];
    const missing = nonEmpty ? `${this.code.use('isZero')}(${value})` : `${value} === undefined`;
    const words = wordsFor(child.schema, 'required');
    const detail = words === undefined ? '' : `, ${quoted(words)}`;
    const line = `if (${missing}) errors.push(${this.code.use('required')}(${path}${detail}));`;
    return check === '' ? [line] : [line, `else ${check}`];
  }

  private mapLines(node: Node, hint: string): string[] {
    const child = additionalNode(node);
    const call = child && this.call(child, singular(hint));
    if (call === undefined) return [];
    const names = [...node.properties.keys()];
    const skip = names.length === 0 ? [] : [`if (${this.code.constant('fields', nameSet(names))}.has(key)) continue;`];
    const body = ['if (errors.full) break;', ...skip, `${call}(value[key], ${entryPath}, errors);`];
    return ['for (const key in value) {', ...indent(body), '}'];
  }

  private listLines(node: Node, hint: string): string[] {
    const { minItems, maxItems } = node.schema;
    const lines = node.items === undefined ? [] : this.itemLines(node, node.items, hint);
    if (minItems !== undefined && minItems > 0) {
      const usual = minItems === 1 ? 'Required value' : `must have at least ${minItems} items`;
      lines.push(this.keywords.check(node, 'minItems', `value.length < ${literal(minItems)}`, usual));
    }
    if (maxItems !== undefined) lines.push(this.tooMany(node, 'maxItems', 'value.length', maxItems));
    return lines;
  }

  private tooMany(node: Node, keyword: string, count: string, maximum: number | bigint): string {
    const words = wordsFor(node.schema, keyword);
    const usual = `errors.push(${this.code.use('tooManyItems')}(path, ${count}, ${literal(maximum)}));`;
    return `if (${count} > ${maximum}) ${words === undefined ? usual : report(this.code, 'path', count, words)}`;
  }

  private itemLines(node: Node, items: Node, hint: string): string[] {
    const unique = node.schema['x-kindforge-unique'];
    const call = this.call(items, singular(hint));
    if (unique === undefined && call === undefined) return [];
    const path = items.schema['x-kindforge-report-as'] === '' ? 'path' : itemPath;
    const head = 'for (let i = 0; i < value.length && !errors.full; i++) {';
    if (unique === undefined) return [head, `  ${call}(value[i], ${path}, errors);`, '}'];
    const check = call === undefined ? [] : [`${call}(value[i], at, errors);`];
    const body = [`const at = ${path};`, ...this.repeatLines(items, unique), ...check];
    return [`const repeats = new ${this.code.use('Repeats')}();`, head, ...indent(body), '}'];
  }

  /** An item that repeats another is reported, and nothing else in it is looked at. */
  private repeatLines(items: Node, unique: string): string[] {
    const duplicate = this.code.use('duplicate');
    if (unique === '.') {
      return ['if (repeats.includes(value[i])) {', `  errors.push(${duplicate}(at, value[i]));`, '  continue;', '}'];
    }
    const property = items.properties.get(unique);
    const shown = property?.schema['x-kindforge-report-as'] ?? unique;
    const place = shown === '' ? 'at' : pathTemplate('at', `.${shown}`);
    const key = `const key = ${this.code.use('keyOf')}(value[i], ${quoted(unique)});`;
    return [key, 'if (repeats.includes(key)) {', `  errors.push(${duplicate}(${place}, key));`, '  continue;', '}'];
  }
}
