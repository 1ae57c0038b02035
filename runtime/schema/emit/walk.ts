/** Code that goes to certain parts of a value, wherever a schema has them, and does something there. */
import { additionalNode, type Node } from '../node.js';
import { atRoot, childPath, indent, inside, itemPath, type Position, read } from './access.js';
import type { ModuleCode } from './module-code.js';
import { pascal, singular } from './names.js';
import { anywhere, type Trait } from './traits.js';

/** What a walk is for. */
export interface Walk {
  /** How its functions are called, with the name of the field behind. */
  readonly name: string;
  /** Parameters besides the value and its path. */
  readonly parameters: readonly (readonly [name: string, type: string])[];
  readonly returns: string;
  /** The nodes it goes to. */
  readonly wanted: Trait;
  /** What is done with the value at such a node, as statements. */
  readonly visit: (node: Node, value: string, path: string) => readonly string[];
  /** A call of a function of the walk, as statements. */
  readonly call: (call: string) => readonly string[];
  /** Statement that ends each function; none where the walk returns nothing. */
  readonly end?: string;
  /** How a key of a map stands in paths: `[key]` or `.key`. */
  readonly keyPath: (at: Position) => string;
}

/** Emits the functions of a walk. */
export class WalkEmitter {
  private readonly reaches: Trait;
  private readonly names = new Map<Node, string>();

  constructor(
    private readonly code: ModuleCode,
    private readonly walk: Walk,
  ) {
    this.reaches = anywhere(walk.wanted);
  }

  /** Statements for the whole object, in the variable `object`; none if the schema has no such part. */
  root(node: Node): string[] {
    return this.reaches(node) ? this.children(node, atRoot, '') : [];
  }

  /** The function for values of a node, or nothing if there is nothing to go to. */
  private function(node: Node, hint: string): string | undefined {
    if (!this.reaches(node)) return undefined;
    const known = this.names.get(node);
    if (known !== undefined) return known;
    const visit = this.walk.wanted(node) ? this.walk.visit(node, 'value', 'path') : [];
    const end = this.walk.end === undefined ? [] : [this.walk.end];
    const name = this.code.define({
      name: `${this.walk.name}${hint}`,
      parameters: [['value', 'Value'], ['path', 'string'], ...this.walk.parameters],
      returns: this.walk.returns,
      body: [...visit, ...this.children(node, inside, hint), ...end],
    });
    this.names.set(node, name);
    return name;
  }

  private children(node: Node, at: Position, hint: string): string[] {
    const inObject = [...this.properties(node, at), ...this.additional(node, at, hint)];
    const guarded = at.root ? inObject : this.guard(`${this.code.use('isObject')}(value)`, inObject);
    return [...guarded, ...this.items(node, hint)];
  }

  private guard(condition: string, lines: readonly string[]): string[] {
    return lines.length === 0 ? [] : [`if (${condition}) {`, ...indent(lines), '}'];
  }

  private properties(node: Node, at: Position): string[] {
    return [...node.properties].flatMap(([name, child]) => {
      const found = this.function(child, pascal(name));
      if (found === undefined) return [];
      const value = read(this.code, at, name);
      return this.guard(`${value} !== undefined`, this.call(found, value, childPath(at, name)));
    });
  }

  private additional(node: Node, at: Position, hint: string): string[] {
    const child = additionalNode(node);
    const found = child && this.function(child, singular(hint));
    if (found === undefined) return [];
    const lines = this.call(found, `${at.value}[key]`, this.walk.keyPath(at));
    return [`for (const key in ${at.value}) {`, ...indent(lines), '}'];
  }

  private items(node: Node, hint: string): string[] {
    const found = node.items && this.function(node.items, singular(hint));
    if (found === undefined) return [];
    const lines = this.call(found, 'value[i]', itemPath);
    const loop = ['for (let i = 0; i < value.length; i++) {', ...indent(lines), '}'];
    return this.guard('Array.isArray(value)', loop);
  }

  private call(name: string, value: string, path: string): readonly string[] {
    const others = this.walk.parameters.map(([parameter]) => parameter);
    return this.walk.call(`${name}(${[value, path, ...others].join(', ')})`);
  }
}
