/** Code for the keywords of typed kinds that look at one value. */
import type { Node } from '../node.js';
import { isText } from './keywords.js';
import { literal, quoted } from './literal.js';
import type { ModuleCode } from './module-code.js';
import { camel } from './names.js';
import { report, wordsFor } from './wording.js';

/** Formats that decoding has already seen to. */
const decoded = new Set(['byte', 'date-time', 'password']);

/** Emits checks of single values, whose types decoding has checked. The value is in the variable `value`. */
export class TypedKeywordEmitter {
  constructor(private readonly code: ModuleCode) {}

  /** Checks that apply to any scalar. */
  lines(node: Node, hint: string): string[] {
    return [...this.text(node, hint), ...this.number(node), ...this.enumeration(node, hint)];
  }

  private text(node: Node, hint: string): string[] {
    const { schema } = node;
    const { minLength, maxLength, pattern } = schema;
    const lines: string[] = [];
    if (maxLength !== undefined) {
      const usual = `Too long: may not be longer than ${maxLength}`;
      lines.push(this.check(node, 'maxLength', `${this.code.use('isLonger')}(value, ${Number(maxLength)})`, usual));
    }
    if (minLength !== undefined && minLength > 0) {
      const usual = minLength === 1 ? 'Required value' : `must be at least ${minLength} characters long`;
      lines.push(this.check(node, 'minLength', `${this.code.use('isShorter')}(value, ${Number(minLength)})`, usual));
    }
    if (pattern !== undefined) {
      const name = this.code.constant(`${camel(hint)}Pattern`, `${this.code.use('pattern')}(${quoted(pattern)})`);
      lines.push(this.check(node, 'pattern', `!${name}.matches(value)`, `must match '${pattern}'`));
    }
    lines.push(...this.format(node, hint), ...this.nameFormat(node, hint));
    return lines.length === 0 ? [] : [`if (typeof value === 'string') {`, ...lines.map((line) => `  ${line}`), '}'];
  }

  private format(node: Node, hint: string): string[] {
    const { format } = node.schema;
    if (node.format === undefined || format === undefined || decoded.has(format)) return [];
    if (node.schema.type !== 'string') return [];
    const name = this.code.constant(`${camel(hint)}Format`, `${this.code.use('stringFormat')}(${quoted(format)})`);
    return [this.check(node, 'format', `!${name}.matches(value)`, `must be a valid ${format}`)];
  }

  private nameFormat({ schema }: Node, hint: string): string[] {
    const id = schema['x-kindforge-name-format'];
    if (id === undefined) return [];
    const name = this.code.constant(`${camel(hint)}Name`, `${this.code.use('nameCheck')}(${quoted(id)})`);
    const push = `errors.push(${this.code.use('invalidValue')}(path, value, problem));`;
    return [`for (const problem of ${name}(value)) ${push}`];
  }

  private number(node: Node): string[] {
    const { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = node.schema;
    const lines: string[] = [];
    if (multipleOf !== undefined) {
      const wrong = `!${this.code.use('isMultiple')}(value, ${multipleOf})`;
      lines.push(this.check(node, 'multipleOf', wrong, `must be a multiple of ${multipleOf}`));
    }
    if (minimum !== undefined) {
      const [operator, words] = exclusiveMinimum
        ? ['<=', 'must be greater than']
        : ['<', 'must be greater than or equal to'];
      lines.push(this.check(node, 'minimum', `value ${operator} ${literal(minimum)}`, `${words} ${minimum}`));
    }
    if (maximum !== undefined) {
      const [operator, words] = exclusiveMaximum ? ['>=', 'must be less than'] : ['>', 'must be less than or equal to'];
      lines.push(this.check(node, 'maximum', `value ${operator} ${literal(maximum)}`, `${words} ${maximum}`));
    }
    return lines.length === 0
      ? []
      : [`if (${this.code.use('isNumber')}(value)) {`, ...lines.map((line) => `  ${line}`), '}'];
  }

  private enumeration(node: Node, hint: string): string[] {
    const values = node.schema.enum;
    if (values === undefined || values.length === 0 || node.schema['x-kindforge-unchecked'] === true) return [];
    const name = this.code.constant(`${camel(hint)}Values`, literal([...values]));
    const wrong = values.every(isText)
      ? `typeof value === 'string' && !${name}.includes(value)`
      : `value !== null && !${this.code.use('isOneOf')}(${name}, value)`;
    const words = wordsFor(node.schema, 'enum');
    const usual = `errors.push(${this.code.use('notInEnum')}(path, value, ${name}));`;
    return [`if (${wrong}) ${words === undefined ? usual : report(this.code, 'path', 'value', words)}`];
  }

  /** A check with the words of the definition, or else the usual ones. */
  check(node: Node, keyword: string, wrong: string, usual: string): string {
    return `if (${wrong}) ${report(this.code, 'path', 'value', wordsFor(node.schema, keyword) ?? usual)}`;
  }
}
