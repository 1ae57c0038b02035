/** Code that goes to certain parts of a value, wherever a schema has them, and does something there. */
import { additionalNode, type Node } from '../node.js';
import { atRoot, childPath, indent, inside, itemPath, type Position, read } from './access.js';
import type { ModuleCode } from './module-code.js';
import { pascal, singular } from './names.js';
import { anywhere, childNodes, type Trait } from './traits.js';

/** The purpose of a walk. */
export interface Walk {
  /** How its functions are called, with the name of the field behind. */
  readonly name: string;
  /** Parameters besides the value and its path. */
  readonly parameters: readonly (readonly [name: string, type: string])[];
  readonly returns: string;
  /** The nodes it goes to. */
  readonly wanted: Trait;
  /** Returns the statements for the value at such a node. */
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

  /** The statements for a value: none, the visit itself where that is all, or a call of the node's function. */
  private lines(node: Node, hint: string, value: string, path: string): readonly string[] {
    if (!this.reaches(node)) return [];
    const isEnd = this.walk.wanted(node) && !childNodes(node).some(this.reaches);
    if (isEnd) return this.walk.visit(node, value, path);
    const others = this.walk.parameters.map(([parameter]) => parameter);
    return this.walk.call(`${this.function(node, hint)}(${[value, path, ...others].join(', ')})`);
  }

  /** The function for values of a node. */
  private function(node: Node, hint: string): string {
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
    const inList = this.items(node, hint);
    if (at.root) return inObject;
    const isObject = `${this.code.use('isObject')}(value)`;
    if (inList.length === 0) return [`if (!${isObject}) ${this.walk.end ?? 'return;'}`, ...inObject];
    return [...guard(isObject, inObject), ...guard('Array.isArray(value)', inList)];
  }

  private properties(node: Node, at: Position): string[] {
    return [...node.properties].flatMap(([name, child]) => {
      const value = read(this.code, at, name);
      return guard(`${value} !== undefined`, this.lines(child, pascal(name), value, childPath(at, name)));
    });
  }

  private additional(node: Node, at: Position, hint: string): string[] {
    const child = additionalNode(node);
    const lines = child ? this.lines(child, singular(hint), `${at.value}[key]`, this.walk.keyPath(at)) : [];
    return lines.length === 0 ? [] : [`for (const key in ${at.value}) {`, ...indent(lines), '}'];
  }

  private items(node: Node, hint: string): string[] {
    const lines = node.items ? this.lines(node.items, singular(hint), 'value[i]', itemPath) : [];
    return lines.length === 0 ? [] : ['for (let i = 0; i < value.length; i++) {', ...indent(lines), '}'];
  }
}

/** Statements under a condition; none for none. */
function guard(condition: string, lines: readonly string[]): string[] {
  const [only = ''] = lines;
  if (lines.length < 2) return lines.map(() => `if (${condition}) ${only}`);
  return [`if (${condition}) {`, ...indent(lines), '}'];
}
