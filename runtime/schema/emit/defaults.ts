/** Code that fills in defaults and removes nulls where none may be. */
import { additionalNode, defaultOf, type Node } from '../node.js';
import { atRoot, headFields, indent, inside, nameSet, type Position, read, write } from './access.js';
import { literal } from './literal.js';
import type { ModuleCode } from './module-code.js';
import { pascal, singular } from './names.js';
import { inParts } from './parts.js';
import { type DefaultsNeed, defaultsNeeds, keepsUnknown } from './traits.js';
import { sharedAs } from './type-names.js';

/** Emits the functions that fill in defaults. */
export class DefaultsEmitter {
  private readonly needOf: (node: Node) => DefaultsNeed;
  private readonly names = new Map<Node, string>();

  /** `dropNulls`: a null in a field that cannot be null is the same as the field's absence. */
  constructor(
    private readonly code: ModuleCode,
    private readonly dropNulls: boolean,
  ) {
    this.needOf = defaultsNeeds(dropNulls);
  }

  /** Statements for the whole object, in the variable `object`. */
  root(node: Node): string[] {
    return this.needOf(node) === 'nothing' ? [] : this.objectLines(node, atRoot, '');
  }

  /** A statement that treats a value, if its node calls for one. */
  private statement(node: Node, value: string, hint: string): string[] {
    const need = this.needOf(node);
    if (need === 'nothing') return [];
    return [`${need === 'nulls' ? this.code.use('dropNullsBelow') : this.function(node, hint)}(${value});`];
  }

  private function(node: Node, hint: string): string {
    const known = this.names.get(node);
    if (known !== undefined) return known;
    const inObject = this.objectLines(node, inside, hint);
    const inList = this.listLines(node, hint);
    const name = this.code.define({
      name: `default${hint}`,
      parameters: [['value', 'Value']],
      returns: 'void',
      body: this.byType(inObject, inList),
      shared: sharedAs('default', node),
    });
    this.names.set(node, name);
    return name;
  }

  private byType(inObject: readonly string[], inList: readonly string[]): string[] {
    if (inList.length === 0) return [`if (!${this.code.use('isObject')}(value)) return;`, ...inObject];
    if (inObject.length === 0) return ['if (!Array.isArray(value)) return;', ...inList];
    const whenObject = [`if (${this.code.use('isObject')}(value)) {`, ...indent(inObject), '}'];
    return [...whenObject, 'if (Array.isArray(value)) {', ...indent(inList), '}'];
  }

  private objectLines(node: Node, at: Position, hint: string): string[] {
    const nulls = this.nullLines(node, at);
    const fields = fieldsOf(node, at);
    const filled = fields.map(([name, child]) => {
      const value = defaultOf(child);
      if (value === undefined) return [];
      return [`if (${isLeftOut(child, read(this.code, at, name))}) ${write(this.code, at, name, literal(value))}`];
    });
    const inner = fields.map(([name, child]) => {
      const found = read(this.code, at, name);
      return this.statement(child, found, pascal(name)).map((line) => `if (${found} !== undefined) ${line}`);
    });
    const whole = { name: `default${hint}Fields`, parameters: [[at.value, 'JsonObject']] } as const;
    const lines = [...nulls, ...inParts(this.code, [...filled, ...inner], whole)];
    const additional = additionalNode(node);
    return additional === undefined ? lines : [...lines, ...this.mapLines(node, additional, at, hint)];
  }

  /** Removes properties that are null; those with a default get it afterwards, as if they had been absent. */
  private nullLines(node: Node, at: Position): string[] {
    if (node.properties.size === 0 || !this.dropNulls) return [];
    const names = (nullable: boolean): string[] =>
      fieldsOf(node, at)
        .filter(([, child]) => (child.schema.nullable === true) === nullable)
        .map(([name]) => name);
    if (at.root || keepsUnknown(node) || node.additional !== undefined) {
      const plain = names(false);
      if (plain.length === 0) return [];
      const set = this.code.constant('plainFields', nameSet(plain));
      return [`${this.code.use('dropNamedNulls')}(${at.value}, ${set});`];
    }
    const nullable = names(true);
    const rest = nullable.length === 0 ? '' : `, ${this.code.constant('nullableFields', nameSet(nullable))}`;
    return [`${this.code.use('dropNulls')}(${at.value}${rest});`];
  }

  private mapLines(node: Node, child: Node, at: Position, hint: string): string[] {
    const value = `${at.value}[key]`;
    const fallback = defaultOf(child);
    const whenNull = fallback === undefined ? `delete ${value};` : `${value} = ${literal(fallback)};`;
    const lines = child.schema.nullable === true || !this.dropNulls ? [] : [`if (${value} === null) ${whenNull}`];
    lines.push(...this.statement(child, value, singular(hint)));
    if (lines.length === 0) return [];
    const known = [...node.properties.keys()];
    const skip = known.length === 0 ? [] : [`if (${this.code.constant('fields', nameSet(known))}.has(key)) continue;`];
    return [`for (const key in ${at.value}) {`, ...indent([...skip, ...lines]), '}'];
  }

  private listLines({ items }: Node, hint: string): string[] {
    if (items === undefined) return [];
    const fallback = defaultOf(items);
    const lines: string[] = [];
    if (fallback !== undefined && items.schema.nullable !== true && this.dropNulls)
      lines.push(`if (value[i] === null) value[i] = ${literal(fallback)};`);
    lines.push(...this.statement(items, 'value[i]', singular(hint)));
    return lines.length === 0 ? [] : ['for (let i = 0; i < value.length; i++) {', ...indent(lines), '}'];
  }
}

/** The properties that are treated: of the whole object, those that do not belong to the runtime. */
function fieldsOf(node: Node, at: Position): [name: string, child: Node][] {
  return [...node.properties].filter(([name]) => !at.root || !headFields.includes(name));
}

/** The condition that a field was left out. One that is always there then has the zero value of its type. */
const isLeftOut = ({ schema }: Node, found: string): string =>
  schema['x-kindforge-presence'] === 'always' ? `!${found}` : `${found} === undefined`;
