/** Code for the keywords that look at one value: its type, texts, numbers, enumerations. */
import type { JsonValue } from '../../contract/index.js';
import type { Node } from '../node.js';
import { indent } from './access.js';
import { literal, quoted } from './literal.js';
import type { ModuleCode } from './module-code.js';
import { camel, pascal } from './names.js';
import { isIntOrString } from './traits.js';

/** Where a value's code stands: its path as an expression, and what constants are named after. */
export interface Site {
  readonly path: string;
  readonly hint: string;
}

/** A condition that is true of wrong values, and the statement that reports it. */
export interface Check {
  readonly wrong: string;
  readonly report: string;
}

/** Emits checks of single values. The value is in the variable `value`. */
export class KeywordEmitter {
  constructor(private readonly code: ModuleCode) {}

  /** The check of a value's type; none where the schema names no type. */
  type(node: Node, site: Site): Check | undefined {
    const { wrong, name } = this.typeTest(node);
    if (wrong === undefined) return undefined;
    const report =
      node.format === undefined
        ? this.push('wrongType', site.path, quoted(name), 'value')
        : this.push('wrongFormattedType', site.path, quoted(name), quoted(node.schema.format ?? ''), 'value');
    return { wrong, report };
  }

  private typeTest(node: Node): { wrong?: string; name: string } {
    // A format of texts lets lists pass, too: the reference leaves both to the format, which only looks at texts.
    const notText = `typeof value !== 'string'${node.format === undefined ? '' : ' && !Array.isArray(value)'}`;
    if (isIntOrString(node)) {
      return { wrong: `${notText} && !${this.code.use('isInt64')}(value)`, name: 'integer,string' };
    }
    const { type } = node.schema;
    switch (type) {
      case undefined:
        return node.format === undefined ? { name: '' } : { wrong: notText, name: '' };
      case 'object':
        return { wrong: `!${this.code.use('isObject')}(value)`, name: type };
      case 'array':
        return { wrong: '!Array.isArray(value)', name: type };
      case 'integer':
        return { wrong: `!${this.code.use('isInt64')}(value)`, name: type };
      case 'number':
        return { wrong: `!${this.code.use('isNumber')}(value)`, name: type };
      case 'string':
        return { wrong: notText, name: type };
      case 'boolean':
        return { wrong: `typeof value !== 'boolean'`, name: type };
    }
  }

  /** Checks of a text, of which only the first that fails is reported. */
  text({ schema }: Node, site: Site): Check[] {
    const { minLength, maxLength, pattern } = schema;
    const checks: Check[] = [];
    if (maxLength !== undefined) {
      checks.push({
        wrong: `${this.code.use('isLonger')}(value, ${Number(maxLength)})`,
        report: this.push('tooLong', site.path, literal(maxLength)),
      });
    }
    if (minLength !== undefined && minLength > 0) {
      const wrong = minLength === 1 ? `value === ''` : `${this.code.use('isShorter')}(value, ${Number(minLength)})`;
      checks.push({ wrong, report: this.push('tooShort', site.path, 'value', literal(minLength)) });
    }
    if (pattern !== undefined && pattern !== '') {
      const name = this.code.constant(`${camel(site.hint)}Pattern`, `${this.code.use('pattern')}(${quoted(pattern)})`);
      checks.push({
        wrong: `!${name}.matches(value)`,
        report: this.push('notMatching', site.path, 'value', `${name}.source`),
      });
    }
    return checks;
  }

  /** The check of a text's format. */
  format(node: Node, site: Site): Check | undefined {
    const format = node.schema.format ?? '';
    const numeric = node.schema.type === 'integer' || node.schema.type === 'number';
    if (node.format === undefined || numeric || format === 'password') return undefined;
    const name = this.formatConstant(format);
    return { wrong: `!${name}.matches(value)`, report: this.push('wrongFormat', site.path, quoted(format), 'value') };
  }

  /** The constant that holds a format. */
  formatConstant(format: string): string {
    return this.code.constant(`${camel(pascal(format))}Format`, `${this.code.use('stringFormat')}(${quoted(format)})`);
  }

  /** The constant that holds the values of an enumeration. */
  enumConstant(values: readonly JsonValue[], hint: string): string {
    return this.code.constant(`${camel(hint)}Values`, literal([...values]));
  }

  /** Checks of a number; all that fail are reported. */
  number({ schema }: Node, site: Site): Check[] {
    const { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
    const checks: Check[] = [];
    if (multipleOf !== undefined) {
      checks.push({
        wrong: `!${this.code.use('isMultiple')}(value, ${multipleOf})`,
        report: this.push('notMultiple', site.path, 'value', `${multipleOf}`),
      });
    }
    if (minimum !== undefined) {
      const bound = this.bound(minimum);
      const [operator, error] = exclusiveMinimum ? (['<=', 'notAbove'] as const) : (['<', 'tooSmall'] as const);
      checks.push({ wrong: `value ${operator} ${bound}`, report: this.push(error, site.path, 'value', bound) });
    }
    if (maximum !== undefined) {
      const bound = this.bound(maximum);
      const [operator, error] = exclusiveMaximum ? (['>=', 'notBelow'] as const) : (['>', 'tooLarge'] as const);
      checks.push({ wrong: `value ${operator} ${bound}`, report: this.push(error, site.path, 'value', bound) });
    }
    return checks;
  }

  /** A bound with a fraction loses it for integers, as in the reference. */
  private bound(value: number | bigint): string {
    if (typeof value === 'bigint' || Number.isInteger(value)) return literal(value);
    return `(${this.code.use('isInt64')}(value) ? ${Math.trunc(value)} : ${value})`;
  }

  /** The check of a value against a list of values. */
  enumeration({ schema }: Node, site: Site): Check | undefined {
    const values = schema.enum;
    if (values === undefined || values.length === 0) return undefined;
    const name = this.enumConstant(values, site.hint);
    const wrong = values.every(isText)
      ? `typeof value !== 'string' || !${name}.includes(value)`
      : `!${this.code.use('isOneOf')}(${name}, value)`;
    return { wrong, report: this.push('notInEnum', site.path, 'value', name) };
  }

  /** A statement that reports an error made by a helper. */
  push(helper: Parameters<ModuleCode['use']>[0], ...parameters: readonly string[]): string {
    return `errors.push(${this.code.use(helper)}(${parameters.join(', ')}));`;
  }
}

/** Whether a value is a text, for enumerations. */
export const isText = (value: JsonValue): boolean => typeof value === 'string';

/** Statements for a check on its own. */
export function checkLine({ wrong, report }: Check): string {
  return `if (${wrong}) ${report}`;
}

/** Checks of which only the first that fails is reported. */
export function firstOf(checks: readonly Check[]): string[] {
  return checks.map((check, index) => `${index === 0 ? '' : 'else '}${checkLine(check)}`);
}

/** Statements that are run if a condition holds; none for none. */
export function when(condition: string, lines: readonly string[]): string[] {
  const [only] = lines;
  if (only === undefined) return [];
  const simple = lines.length === 1 && !only.startsWith('if ') && !only.startsWith('for ');
  return simple ? [`if (${condition}) ${only}`] : [`if (${condition}) {`, ...indent(lines), '}'];
}
