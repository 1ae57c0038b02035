/** Code that finds fields of typed kinds that were changed although they cannot be. */
import type { Immutability } from '../../contract/index.js';
import type { Node } from '../node.js';
import { atRoot, read } from './access.js';
import { quoted } from './literal.js';
import type { ModuleCode } from './module-code.js';
import { pascal } from './names.js';
import { anywhere, type Trait } from './traits.js';
import { ownTypeName, packageName, sharedAs } from './type-names.js';
import { reportedPath } from './typed-validate.js';
import { report } from './wording.js';

const usualWords = 'field is immutable';

const isFixed: Trait = (node) => {
  const rule = node.schema['x-kindforge-immutable'];
  return rule !== undefined && rule !== false;
};

/**
 * Emits the comparison of an object with the one before it. It follows fields of objects; what is in lists and maps
 * has no fixed counterpart and is compared as part of a field that holds it.
 */
export class ImmutableEmitter {
  private readonly reaches: Trait;
  private readonly names = new Map<Node, string>();

  constructor(private readonly code: ModuleCode) {
    this.reaches = anywhere(isFixed, (node) => [...node.properties.values()]);
  }

  /** Statements for the whole objects `object` and `old`; none if nothing is immutable. */
  root(node: Node): string[] {
    return this.fieldLines(node, true);
  }

  private fieldLines(node: Node, root: boolean): string[] {
    return [...node.properties].flatMap(([name, child]) => {
      if (!this.reaches(child)) return [];
      const [now, before] = root
        ? [read(this.code, atRoot, name), read(this.code, { ...atRoot, value: 'old' }, name)]
        : [this.part('value', name), this.part('old', name)];
      const path = reportedPath({ value: 'value', root }, name, child);
      const own = isFixed(child) ? [this.comparison(child, now, before, path)] : [];
      const below = [...child.properties.values()].some(this.reaches);
      return below ? [...own, `${this.function(child, pascal(name))}(${now}, ${before}, ${path}, errors);`] : own;
    });
  }

  private part(variable: string, name: string): string {
    return `${this.code.use('field')}(${variable}, ${quoted(name)})`;
  }

  private comparison(node: Node, now: string, before: string, path: string): string {
    const rule = node.schema['x-kindforge-immutable'];
    const { field, message }: Immutability = typeof rule === 'object' ? rule : {};
    const shown = field === undefined ? path : quoted(field);
    return `if (!${this.code.use('equal')}(${now}, ${before})) ${report(this.code, shown, this.printed(node, now), message ?? usualWords)}`;
  }

  /** Lists of texts are printed with the name of their type. */
  private printed(node: Node, value: string): string {
    if (node.schema.type !== 'array' || node.items?.schema.type !== 'string') return value;
    const name = ownTypeName(node.items);
    const library = packageName(node.items);
    const type = name === undefined ? '[]string' : `[]${library}.${name}`;
    return `${this.code.use('printedList')}(${value}, ${quoted(type)})`;
  }

  private function(node: Node, hint: string): string {
    const known = this.names.get(node);
    if (known !== undefined) return known;
    const name = this.code.define({
      name: `compare${hint}`,
      parameters: [
        ['value', 'Value'],
        ['old', 'Value'],
        ['path', 'string'],
        ['errors', 'ErrorSink'],
      ],
      returns: 'void',
      body: this.fieldLines(node, false),
      shared: sharedAs('compare', node),
    });
    this.names.set(node, name);
    return name;
  }
}
