/** Code that checks a value against a structural schema, in the order and the words of the reference. */
import { additionalNode, type Node } from '../node.js';
import { CombinationEmitter } from './combinations.js';
import { type Check, checkLine, firstOf, isText, KeywordEmitter, type Site, when } from './keywords.js';
import { quoted } from './literal.js';
import type { Helper, ModuleCode } from './module-code.js';
import { isCombination, isIntOrString } from './traits.js';
import { type CheckCall, type CheckMode, StructureEmitter } from './validate-structure.js';

/** Helpers for values that only have a type. */
const plainHelpers: Readonly<Record<string, Helper>> = {
  string: 'expectString',
  integer: 'expectInteger',
  number: 'expectNumber',
  boolean: 'expectBoolean',
  object: 'expectObject',
  array: 'expectArray',
};

/** Emits the functions that check values, one per node and mode. */
export class ValidateEmitter {
  private readonly keywords: KeywordEmitter;
  private readonly combinations: CombinationEmitter;
  private readonly structure: StructureEmitter;
  private readonly calls = new Map<string, CheckCall | undefined>();

  constructor(private readonly code: ModuleCode) {
    const check = (node: Node, hint: string, mode: CheckMode): CheckCall | undefined => this.call(node, hint, mode);
    this.keywords = new KeywordEmitter(code);
    this.structure = new StructureEmitter(code, this.keywords, check);
    this.combinations = new CombinationEmitter(code, (node, hint, root) => this.branch(node, hint, root));
  }

  /** The name of the function that checks the whole object; it is called with an empty path. */
  root(node: Node, hint: string): string {
    return this.defined(node, hint, { counted: false, root: true });
  }

  /** The name of the function that checks a branch of a combination. */
  branch(node: Node, hint: string, root: boolean): string {
    return this.defined(node, hint, { counted: true, root });
  }

  /** How a value of a node is checked; nothing if there is nothing to check. */
  private call(node: Node, hint: string, mode: CheckMode): CheckCall | undefined {
    const key = keyOf(node, mode);
    if (this.calls.has(key)) return this.calls.get(key);
    const plain = mode.counted || mode.root ? undefined : this.plainCall(node, hint);
    const made = plain === 'nothing' ? undefined : (plain ?? this.define(node, hint, mode));
    this.calls.set(key, made);
    return made;
  }

  private defined(node: Node, hint: string, mode: CheckMode): string {
    return (this.call(node, hint, mode) ?? this.define(node, hint, mode)).name;
  }

  /** A value that a helper can check alone: it has a type, or also a format or a list of texts; or not even a type. */
  private plainCall(node: Node, hint: string): CheckCall | 'nothing' | undefined {
    const { type, nullable } = node.schema;
    const typed = type !== undefined || isIntOrString(node);
    if (!this.isPlain(node, hint) || (typed && nullable === true)) return undefined;
    const values = node.schema.enum;
    if (values !== undefined) {
      if (type !== 'string' || node.format !== undefined || !values.every(isText)) return undefined;
      return this.helper('expectEnum', this.keywords.enumConstant(values, hint));
    }
    if (node.format !== undefined) return this.formattedCall(node, node.schema.format ?? '');
    if (isIntOrString(node)) return this.helper('expectIntOrString');
    const helper = type === undefined ? undefined : plainHelpers[type];
    return helper === undefined ? 'nothing' : this.helper(helper);
  }

  private formattedCall({ schema }: Node, format: string): CheckCall | undefined {
    if (schema.type === 'integer') return this.helper('expectFormattedInteger', quoted(format));
    return schema.type === 'string' ? this.helper('expectFormat', this.keywords.formatConstant(format)) : undefined;
  }

  private helper(helper: Helper, extra?: string): CheckCall {
    return { name: this.code.use(helper), leaf: true, absentOk: true, ...(extra === undefined ? {} : { extra }) };
  }

  /** Whether a schema has no other keywords than its type, its format and an enumeration. */
  private isPlain(node: Node, hint: string): boolean {
    const { schema } = node;
    const keywords = [schema.minLength, schema.maxLength, schema.pattern, schema.minimum, schema.maximum];
    const sizes = [schema.minItems, schema.maxItems, schema.minProperties, schema.maxProperties];
    const others = [schema.multipleOf, schema.uniqueItems || undefined];
    return (
      [...keywords, ...sizes, ...others].every((keyword) => keyword === undefined) &&
      (schema.required ?? []).length === 0 &&
      !isCombination(node) &&
      this.structure.childCalls(node, hint).every((call) => call === undefined)
    );
  }

  private define(node: Node, hint: string, mode: CheckMode): CheckCall {
    const leaf = !mode.counted && !mode.root && isLeaf(node);
    const place = leaf ? ([['place', 'Place']] as const) : [];
    const name = this.code.define({
      name: `${mode.counted ? 'match' : 'validate'}${hint}`,
      parameters: [['value', 'Value'], ['path', 'string'], ...place, ['errors', 'Findings']],
      returns: mode.counted ? 'number' : 'void',
      body: this.body(node, hint, mode, leaf ? `${this.code.use('locate')}(path, place)` : 'path'),
    });
    return { name, leaf, absentOk: false };
  }

  /** All checks of a value in their order: type, combinations, text, format, number, list, enumeration, object. */
  private body(node: Node, hint: string, mode: CheckMode, path: string): string[] {
    const site: Site = { path, hint };
    const type = this.keywords.type(node, site);
    const enumeration = this.keywords.enumeration(node, site);
    const combined = this.combinations.lines(node, { value: 'value', path, hint, ...mode });
    const texts = this.textLines(node, site, mode);
    const numbers = when(`${this.code.use('isNumber')}(value)`, this.keywords.number(node, site).map(checkLine));
    const lists = this.structure.listLines(node, hint, mode);
    const objects = this.structure.objectLines(node, hint, mode);
    if (
      !mode.counted &&
      type !== undefined &&
      enumeration === undefined &&
      combined.length === 0 &&
      !isIntOrString(node)
    ) {
      const short = this.shortBody(node, type, site, { texts, numbers, lists, objects });
      if (short !== undefined) return [...this.nullLines(node, enumeration), ...short];
    }
    const lines = mode.counted ? this.countLines(node, type, enumeration) : this.nullLines(node, enumeration);
    if (type !== undefined) lines.push(checkLine(type));
    const nullIsOut = mode.counted || lines.includes('if (value === null) return;');
    lines.push(...(nullIsOut ? combined : when('value !== null', combined)), ...texts, ...numbers);
    lines.push(...when('Array.isArray(value)', lists), ...(enumeration === undefined ? [] : [checkLine(enumeration)]));
    if (objects.length > 0) lines.push(...when(`${this.code.use('isObject')}(value)`, objects));
    return mode.counted ? [...lines, 'return matches;'] : lines;
  }

  /** A value whose type decides which checks apply: once the type is wrong, there is nothing else to check. */
  private shortBody(
    node: Node,
    type: Check,
    site: Site,
    parts: Readonly<Record<'texts' | 'numbers' | 'lists' | 'objects', readonly string[]>>,
  ): string[] | undefined {
    const only = (part: keyof typeof parts): boolean =>
      Object.entries(parts).every(([name, lines]) => name === part || lines.length === 0);
    const leave = [`if (${type.wrong}) {`, `  ${type.report}`, '  return;', '}'];
    switch (node.schema.type) {
      case 'array':
        return only('lists') ? [...leave, ...parts.lists] : undefined;
      case 'object':
        return only('objects') ? [...leave, ...parts.objects] : undefined;
      case 'string':
        return only('texts') && node.format === undefined
          ? firstOf([type, ...this.keywords.text(node, site)])
          : undefined;
      default:
        return undefined;
    }
  }

  /** A null that is allowed is only looked at for the enumeration, which no null is in. */
  private nullLines(node: Node, enumeration: Check | undefined): string[] {
    const typed = node.schema.type !== undefined || isIntOrString(node);
    if (!typed || node.schema.nullable !== true) return [];
    if (enumeration === undefined) return ['if (value === null) return;'];
    return ['if (value === null) {', `  ${enumeration.report}`, '  return;', '}'];
  }

  /** Begins the count of checks that applied; to a null, only those of the type and the enumeration do. */
  private countLines(node: Node, type: Check | undefined, enumeration: Check | undefined): string[] {
    const wanted = isIntOrString(node) ? 'integer,string' : node.schema.type;
    const refused = wanted !== undefined && node.schema.nullable !== true;
    const reported = refused ? [this.keywords.push('wrongType', 'path', quoted(wanted), 'value')] : [];
    const whenNull = [...reported, ...(enumeration ? [enumeration.report] : []), `return ${refused ? 0 : 1};`];
    const lines = when('value === null', whenNull);
    lines.push(`let matches = ${this.code.use('baseMatches')}(value);`);
    if (type !== undefined) lines.push(`matches += ${type.wrong} ? 1 : 2;`);
    return lines;
  }

  private textLines(node: Node, site: Site, mode: CheckMode): string[] {
    const format = this.keywords.format(node, site);
    const counted = mode.counted && node.format !== undefined ? ['matches += 1;'] : [];
    const formatLines = format === undefined ? counted : [...counted, checkLine(format)];
    return when(`typeof value === 'string'`, [...firstOf(this.keywords.text(node, site)), ...formatLines]);
  }
}

/** Whether a value is checked without looking into it. */
function isLeaf(node: Node): boolean {
  const { type, minItems, maxItems, uniqueItems, minProperties, maxProperties, required } = node.schema;
  const sizes = [minItems, maxItems, minProperties, maxProperties, uniqueItems || undefined];
  const parts = node.properties.size + (required ?? []).length;
  const inner = parts > 0 || additionalNode(node) !== undefined || node.items !== undefined;
  return type !== 'array' && !inner && !isCombination(node) && sizes.every((size) => size === undefined);
}

function keyOf(node: Node, { counted, root }: CheckMode): string {
  return `${node.id}${counted ? ' counted' : ''}${root ? ' root' : ''}`;
}
