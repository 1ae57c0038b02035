/** Code that removes what a schema does not know. */
import { additionalNode, holdsObjects, type Node } from '../node.js';
import {
  atRoot,
  childPath,
  headFields,
  indent,
  inside,
  itemPath,
  keyPath,
  ownPath,
  type Position,
  read,
} from './access.js';
import { quoted } from './literal.js';
import type { ModuleCode } from './module-code.js';
import { camel, pascal, singular } from './names.js';
import { isEmbedded, keepsUnknown } from './traits.js';
import { sharedAs } from './type-names.js';

/** The need of a value: nothing, to lose all contents (scalars have none), or a call of this function. */
type Need = 'nothing' | 'contents' | Call;

/** A call with a value and its path; of a type that holds itself with the function for that, by its name. */
interface Call {
  readonly name: string;
  readonly self?: string;
  /** Whether the value may be something else than one of the type. */
  readonly either?: true;
}

/**
 * Emits the functions that prune. A part that keeps unknown fields is walked in another way than the others: what the
 * schema knows below it is pruned, everything else stays.
 */
export class PruneEmitter {
  private readonly needs = new Map<string, Need>();
  /** The shared type that the function being emitted is about, or is called by. */
  private holder: string | undefined;

  constructor(private readonly code: ModuleCode) {}

  /** Statements for the whole object, in the variable `object`; removed fields go to `unknown`. */
  root(node: Node): string[] {
    return this.loopOverKeys(node, atRoot, 'Entry', headFields, keepsUnknown(node));
  }

  /** A statement that prunes a value, as an expression, of a node; none if there is nothing to prune. */
  statement(node: Node, hint: string, value: string, path: string): string[] {
    const need = this.need(node, hint, keepsUnknown(node));
    if (need === 'nothing') return [];
    return [callText(need === 'contents' ? { name: this.code.use('dropContents') } : need, value, path)];
  }

  /** `keeping`: fields that the schema does not know stay. */
  private need(node: Node, hint: string, keeping: boolean): Need {
    const again = this.againNeed(node);
    if (again !== undefined) return again;
    const key = `${node.id} ${keeping}`;
    const known = this.needs.get(key);
    if (known !== undefined) return known;
    const outer = this.holder;
    this.holder = node.schema['x-kindforge-type'] ?? outer;
    const made = keeping ? this.keepingNeed(node, hint) : this.strictNeed(node, hint);
    this.holder = outer;
    this.needs.set(key, made);
    return made;
  }

  /** The need of a value of the type that it is within: the same again. */
  private againNeed({ schema }: Node): Call | undefined {
    if (this.holder === undefined || schema['x-kindforge-within'] !== this.holder) return undefined;
    if (schema['x-kindforge-or'] === undefined) return { name: 'self', self: 'self' };
    return { name: this.code.use('pruneEither'), self: 'self', either: true };
  }

  private strictNeed(node: Node, hint: string): Need {
    if (!holdsObjects(node) && !isEmbedded(node)) return this.listNeed(node, hint);
    if (node.properties.size === 0 && this.additionalNeed(node, hint) === 'contents') {
      return this.define('prune', node, hint, [`${this.code.use('dropInValues')}(value, path, unknown);`]);
    }
    const lists = node.items === undefined ? [] : this.statementsForItems(node.items, hint, false);
    const whenList = lists.length === 0 ? [] : ['if (Array.isArray(value)) {', ...indent(lists), '  return;', '}'];
    const head = isEmbedded(node) ? headFields : [];
    const objects = this.loopOverKeys(node, inside, hint, head, false);
    return this.define('prune', node, hint, [
      ...whenList,
      ...this.dropUnless(`${this.code.use('isObject')}(value)`),
      ...objects,
    ]);
  }

  private listNeed(node: Node, hint: string): Need {
    const items =
      node.items === undefined ? 'contents' : this.need(node.items, singular(hint), keepsUnknown(node.items));
    if (items === 'contents') return 'contents';
    return this.define('prune', node, hint, [...this.dropUnless('Array.isArray(value)'), ...loopOverItems(items)]);
  }

  private keepingNeed(node: Node, hint: string): Need {
    const objects = this.loopOverKeys(node, inside, hint, isEmbedded(node) ? headFields : [], true);
    const lists = node.items === undefined ? [] : this.statementsForItems(node.items, hint, true);
    if (objects.length + lists.length === 0) return 'nothing';
    const inObject =
      objects.length === 0 ? [] : [`if (${this.code.use('isObject')}(value)) {`, ...indent(objects), '}'];
    const inList = lists.length === 0 ? [] : ['if (Array.isArray(value)) {', ...indent(lists), '}'];
    return this.define('pruneKnown', node, hint, [...inObject, ...inList]);
  }

  /** In a value of another type than the schema's, nothing is known. */
  private dropUnless(condition: string): string[] {
    const drop = `${this.code.use('dropContents')}(value, path, unknown);`;
    return [`if (!${condition}) {`, `  ${drop}`, '  return;', '}'];
  }

  private statementsForItems(items: Node, hint: string, keeping: boolean): string[] {
    const need = this.need(items, singular(hint), keeping || keepsUnknown(items));
    return need === 'contents' ? [`${this.code.use('dropContents')}(value, path, unknown);`] : loopOverItems(need);
  }

  private additionalNeed(node: Node, hint: string): Need | undefined {
    if (node.additional === undefined) return undefined;
    const child = additionalNode(node);
    return child === undefined ? 'contents' : this.need(child, singular(hint), keepsUnknown(child));
  }

  /** Goes through the properties: those that the schema knows, those of a map, and those that nobody knows. */
  private loopOverKeys(node: Node, at: Position, hint: string, head: readonly string[], keeping: boolean): string[] {
    const numbers = node.properties.size > mostCompared ? numbered([...head, ...node.properties.keys()]) : undefined;
    const label = (name: string): string => String(numbers?.get(name) ?? quoted(name));
    const cases = this.propertyCases(node, at, head, label);
    const additional = this.additionalNeed(node, hint);
    const drop = [`unknown.drop(${at.value}, key, ${ownPath(at)});`];
    const otherwise = additional === undefined ? (keeping ? [] : drop) : this.statementForKey(additional, at);
    const works = cases.called.length > 0 || otherwise.length > 0;
    if (!works) return [];
    const lines = [...cases.passed, ...cases.called];
    const subject = numbers ? `${this.code.constant(`${camel(hint)}Fields`, mapText(numbers))}.get(key)` : 'key';
    const last = otherwise.length === 0 ? [] : ['default:', ...indent(otherwise)];
    const body = lines.length === 0 ? otherwise : [`switch (${subject}) {`, ...indent([...lines, ...last]), '}'];
    return [`for (const key in ${at.value}) {`, ...indent(body), '}'];
  }

  /** Cases for the known properties, those that need the same together. */
  private propertyCases(
    node: Node,
    at: Position,
    head: readonly string[],
    label: (name: string) => string,
  ): { passed: string[]; called: string[] } {
    const casesOf = (names: readonly string[], lines: readonly string[]): string[] => casesAt(names.map(label), lines);
    const passed = [...head];
    const emptied: string[] = [];
    const called: string[] = [];
    for (const [name, child] of node.properties) {
      if (head.includes(name)) continue;
      const need = this.need(child, pascal(name), keepsUnknown(child));
      if (need === 'nothing') passed.push(name);
      else if (need === 'contents') emptied.push(name);
      else called.push(...casesOf([name], [callText(need, read(this.code, at, name), childPath(at, name))]));
    }
    return {
      passed: casesOf(passed, []),
      called: [...casesOf(emptied, this.statementForKey('contents', at)), ...called],
    };
  }

  private statementForKey(need: Need, at: Position): string[] {
    if (need === 'nothing') return [];
    const value = `${at.value}[key]`;
    if (need === 'contents') return [`${this.code.use('dropBelow')}(${value}, ${ownPath(at)}, key, unknown);`];
    return [callText(need, value, keyPath(at))];
  }

  private define(verb: string, node: Node, hint: string, body: readonly string[]): Need {
    const parameters = [
      ['value', 'Value'],
      ['path', 'string'],
      ['unknown', 'UnknownFields'],
    ] as const;
    const isRecursive = body.some((line) => line.includes(', self);'));
    const all = isRecursive ? [...parameters, ['self', 'SelfPruner'] as const] : parameters;
    const name = this.code.define({
      name: verb + hint,
      parameters: all,
      returns: 'void',
      body,
      shared: sharedAs(verb, node),
    });
    if (!isRecursive) return { name };
    // The function of the type is its own, those of its parts are handed it.
    return { name, self: node.schema['x-kindforge-type'] === undefined ? 'self' : name };
  }
}

function casesAt(labels: readonly string[], lines: readonly string[]): string[] {
  if (labels.length === 0) return [];
  return [...labels.map((label) => `case ${label}:`), ...indent(lines), '  break;'];
}

/** A key is compared with one case after the other; beyond this many it is looked up, and its number is jumped to. */
const mostCompared = 200;

const numbered = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...new Set(names)].map((name, i) => [name, i]));

const mapText = (numbers: ReadonlyMap<string, number>): string =>
  `new Map([${[...numbers].map(([name, i]) => `[${quoted(name)}, ${i}]`).join(', ')}])`;

function callText({ name, self, either }: Call, value: string, path: string): string {
  if (either === true) return `${name}(${value}, self);`;
  return self === undefined ? `${name}(${value}, ${path}, unknown);` : `${name}(${value}, ${path}, unknown, ${self});`;
}

function loopOverItems(need: Need): string[] {
  if (typeof need === 'string') return [];
  const call = callText(need, 'value[i]', itemPath);
  return ['for (let i = 0; i < value.length; i++) {', `  ${call}`, '}'];
}
