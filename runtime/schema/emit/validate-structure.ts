/** Code for the checks that look into lists and objects. */
import { additionalNode, type Node } from '../node.js';
import {
  childPath,
  childPlace,
  indent,
  itemPath,
  keyPath,
  keyPlace,
  nameSet,
  ownPath,
  type Position,
  read,
} from './access.js';
import type { KeywordEmitter } from './keywords.js';
import { literal } from './literal.js';
import type { ModuleCode } from './module-code.js';
import { pascal, singular } from './names.js';
import { inParts } from './parts.js';

/** A function that checks a value. */
export interface CheckCall {
  readonly name: string;
  /** It is given the path and the place below it apart, so that a path is only put together for an error. */
  readonly leaf: boolean;
  /** It may be called for a value that is absent. */
  readonly absentOk: boolean;
  /** A last argument that it takes besides. */
  readonly extra?: string;
}

/**
 * How a value is checked. Branches of combinations are `counted`: their functions answer how many checks applied.
 * The whole object is at the `root`: its fields have no path before them.
 */
export interface CheckMode {
  readonly counted: boolean;
  readonly root: boolean;
}

/** Finds the function for the values of a node. */
export type CheckFinder = (node: Node, hint: string, mode: CheckMode) => CheckCall | undefined;

/** Emits what is done with the parts of a list or an object, in the variable `value`. */
export class StructureEmitter {
  constructor(
    private readonly code: ModuleCode,
    private readonly keywords: KeywordEmitter,
    private readonly find: CheckFinder,
  ) {}

  /** The functions for all parts of a node's values. */
  childCalls(node: Node, hint: string): (CheckCall | undefined)[] {
    const additional = additionalNode(node);
    const mode: CheckMode = { counted: false, root: false };
    const calls = [...node.properties].map(([name, child]) => this.find(child, pascal(name), mode));
    if (additional !== undefined) calls.push(this.find(additional, singular(hint), mode));
    if (node.items !== undefined) calls.push(this.find(node.items, singular(hint), mode));
    return calls;
  }

  /** The items of a list, then their number. */
  listLines(node: Node, hint: string, mode: CheckMode): string[] {
    const { minItems, maxItems, uniqueItems } = node.schema;
    const lines = node.items === undefined ? [] : this.itemLines(node.items, singular(hint), mode);
    if (minItems !== undefined && minItems > 0) {
      const report = this.keywords.push('tooFewItems', 'path', 'value.length', literal(minItems));
      lines.push(`if (value.length < ${literal(minItems)}) ${report}`);
    }
    if (maxItems !== undefined) {
      const report = this.keywords.push('tooManyItems', 'path', 'value.length', literal(maxItems));
      lines.push(`if (value.length > ${literal(maxItems)}) ${report}`);
    }
    if (uniqueItems === true) {
      lines.push(`if (!${this.code.use('allDiffer')}(value)) ${this.keywords.push('repeatedItems', 'path')}`);
    }
    return lines;
  }

  private itemLines(items: Node, hint: string, mode: CheckMode): string[] {
    const call = this.find(items, hint, { counted: mode.counted, root: false });
    if (call === undefined) return [];
    const where = call.leaf ? 'path, i' : itemPath;
    const line = this.counting(callText(call, 'value[i]', where), mode);
    return ['for (let i = 0; i < value.length && !errors.full; i++) {', `  ${line}`, '}'];
  }

  /** The number of properties, then the properties, then those that are missing. */
  objectLines(node: Node, hint: string, mode: CheckMode): string[] {
    const at: Position = { value: 'value', root: mode.root };
    return [
      ...this.sizeLines(node, at),
      ...this.additionalLines(node, at, hint, mode),
      ...this.inParts(this.propertyLines(node, at, mode), hint, mode),
      ...this.inParts(this.requiredLines(node, at), hint, mode),
    ];
  }

  private sizeLines(node: Node, at: Position): string[] {
    const { minProperties, maxProperties } = node.schema;
    const check = (operator: string, bound: number | bigint, error: 'tooFewProperties' | 'tooManyItems'): string =>
      `if (count ${operator} ${literal(bound)}) ${this.keywords.push(error, ownPath(at), 'count', literal(bound))}`;
    const lines: string[] = [];
    if (minProperties !== undefined && minProperties > 0) lines.push(check('<', minProperties, 'tooFewProperties'));
    if (maxProperties !== undefined) lines.push(check('>', maxProperties, 'tooManyItems'));
    return lines.length === 0 ? [] : [`const count = ${this.code.use('countProperties')}(${at.value});`, ...lines];
  }

  private propertyLines(node: Node, at: Position, mode: CheckMode): string[] {
    return [...node.properties].flatMap(([name, child]) => {
      const call = this.find(child, pascal(name), { counted: mode.counted, root: false });
      if (call === undefined) return [];
      const value = read(this.code, at, name);
      const where = call.leaf ? `${ownPath(at)}, ${childPlace(at, name)}` : childPath(at, name);
      const line = this.counting(callText(call, value, where), mode);
      return [call.absentOk ? line : `if (${value} !== undefined) ${line}`];
    });
  }

  /** Statements that count the checks that applied stay together, and so do those of the whole object. */
  private inParts(lines: readonly string[], hint: string, { counted, root }: CheckMode): string[] {
    if (counted || root) return [...lines];
    const name = `validate${hint}Fields`;
    const parameters = [
      ['value', 'JsonObject'],
      ['path', 'string'],
      ['errors', 'Findings'],
    ] as const;
    return inParts(
      this.code,
      lines.map((line) => [line]),
      { name, parameters },
    );
  }

  private requiredLines(node: Node, at: Position): string[] {
    return [...new Set(node.schema.required)].map((name) => {
      const report = this.keywords.push('required', childPath(at, name));
      return `if (${read(this.code, at, name)} === undefined) ${report}`;
    });
  }

  private additionalLines(node: Node, at: Position, hint: string, mode: CheckMode): string[] {
    const child = additionalNode(node);
    const call = child && this.find(child, singular(hint), { counted: mode.counted, root: false });
    if (call === undefined) return [];
    const place = `${ownPath(at)}, ${keyPlace(at)}`;
    const line = this.counting(callText(call, `${at.value}[key]`, call.leaf ? place : keyPath(at)), mode);
    const known = [...node.properties.keys()];
    const skip = known.length === 0 ? [] : [`if (${this.code.constant('fields', nameSet(known))}.has(key)) continue;`];
    const body = ['if (errors.full) break;', ...skip, line];
    return [`for (const key in ${at.value}) {`, ...indent(body), '}'];
  }

  private counting(call: string, mode: CheckMode): string {
    return mode.counted ? `matches += ${call}` : call;
  }
}

function callText({ name, extra }: CheckCall, value: string, where: string): string {
  const rest = extra === undefined ? '' : `, ${extra}`;
  return `${name}(${value}, ${where}, errors${rest});`;
}
