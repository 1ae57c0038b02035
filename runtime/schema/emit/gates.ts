/** Code that takes out the fields whose feature gate is off. */
import { additionalNode, type Node } from '../node.js';
import { indent, inside, read, remove } from './access.js';
import { quoted } from './literal.js';
import type { ModuleCode } from './module-code.js';
import { pascal, singular } from './names.js';
import { anywhere, childNodes, type Trait } from './traits.js';
import { sharedAs } from './type-names.js';

const gateOf = (node: Node): string | undefined => node.schema['x-kindforge-feature-gate'];

/** The purpose of a walk to the fields of a gate: they are looked for, or removed. */
interface Errand {
  readonly verb: 'uses' | 'drop';
  readonly gate: string;
  /** Whether a node has fields of the gate in it. */
  readonly reaches: Trait;
  /** Names of the functions for the nodes that have been seen to. */
  readonly names: Map<Node, string>;
}

/**
 * Emits, for each gate, a walk that tells whether an object uses it and one that removes its fields. They go only
 * where such fields can be; an object is looked at no more than twice for a gate that is off, and never for one that
 * is on.
 */
export class GatesEmitter {
  constructor(private readonly code: ModuleCode) {}

  /** Statements for `object`, `old` and `enabled`; none if no field has a gate. */
  root(node: Node): string[] {
    return gatesIn(node).map((gate) => {
      const reaches = anywhere((part) => gateOf(part) === gate);
      const uses = this.function({ verb: 'uses', gate, reaches, names: new Map() }, node, '');
      const drop = this.function({ verb: 'drop', gate, reaches, names: new Map() }, node, '');
      return `if (!enabled(${quoted(gate)}) && !${uses}(old)) ${drop}(object);`;
    });
  }

  private function(errand: Errand, node: Node, hint: string): string {
    const known = errand.names.get(node);
    if (known !== undefined) return known;
    const { verb, gate } = errand;
    const isList = node.items !== undefined && errand.reaches(node.items);
    const isOther = isList ? '!Array.isArray(value)' : `!${this.code.use('isObject')}(value)`;
    const lines = isList ? this.items(errand, node, hint) : this.fields(errand, node, hint);
    const name = this.code.define({
      name: `${verb}${pascal(gate)}${hint === '' ? '' : `In${hint}`}`,
      parameters: [['value', 'Value']],
      returns: verb === 'uses' ? 'boolean' : 'void',
      body: [
        `if (${isOther}) return${verb === 'uses' ? ' false' : ''};`,
        ...(verb === 'uses' ? answered(lines) : lines),
      ],
      shared: sharedAs(`${verb}${pascal(gate)}In`, node),
    });
    errand.names.set(node, name);
    return name;
  }

  private fields(errand: Errand, node: Node, hint: string): string[] {
    const own = [...node.properties].flatMap(([name, child]) => {
      if (gateOf(child) === errand.gate) return [this.atField(errand, name)];
      return errand.reaches(child) ? [this.into(errand, child, pascal(name), read(this.code, inside, name))] : [];
    });
    const values = additionalNode(node);
    if (values === undefined || !errand.reaches(values)) return own;
    const each = this.into(errand, values, singular(hint), 'value[key]');
    return [...own, 'for (const key in value) {', ...indent([each]), '}'];
  }

  private items(errand: Errand, node: Node, hint: string): string[] {
    if (node.items === undefined) return [];
    const each = this.into(errand, node.items, singular(hint), 'item');
    return ['for (const item of value) {', ...indent([each]), '}'];
  }

  /** The statements at a field of the gate. */
  private atField({ verb }: Errand, name: string): string {
    if (verb === 'drop') return remove(inside, name);
    return `if (${read(this.code, inside, name)} !== undefined) return true;`;
  }

  private into(errand: Errand, node: Node, hint: string, value: string): string {
    const call = `${this.function(errand, node, hint)}(${value})`;
    return errand.verb === 'uses' ? `if (${call}) return true;` : `${call};`;
  }
}

/**
 * Statements that find out whether something is so, with the answer at their end: the last condition, where it is
 * one.
 */
function answered(lines: readonly string[]): string[] {
  const [, condition] = /^if \((.*)\) return true;$/.exec(lines.at(-1) ?? '') ?? [];
  return condition === undefined ? [...lines, 'return false;'] : [...lines.slice(0, -1), `return ${condition};`];
}

/** The gates that fields below a node have, in the order of their names. */
function gatesIn(root: Node): readonly string[] {
  const gates = new Set<string>();
  const seen = new Set<Node>();
  const visit = (node: Node): void => {
    if (seen.has(node)) return;
    seen.add(node);
    const gate = gateOf(node);
    if (gate !== undefined) gates.add(gate);
    childNodes(node).forEach(visit);
  };
  visit(root);
  return [...gates].sort();
}
