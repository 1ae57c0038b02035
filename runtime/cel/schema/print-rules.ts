/** Prints the rules of a schema as a TypeScript file that defines them compiled. */
import type { Schema } from '../../contract/index.js';
import { importLine, quoted, typeNames } from '../compile/program-text.js';
import * as support from '../compile/support.js';
import type { Expression } from '../compile-expression.js';
import { laterEnvironment } from '../releases.js';
import { laterReading } from './from-schema.js';
import { pointerBelow } from './names.js';
import { compileRules, type RuleOutcome, type SchemaRule } from './rules.js';

/** The module that printed programs import. */
const door = 'kindforge/cel';

/**
 * Returns the text of a file that exports `rules`, for the latest release. Returns `undefined` if the schema has no
 * rules, or a rule that does not compile. The server reports that mistake at run time.
 */
export function printRules(schema: Schema): string | undefined {
  const rules = compileRules(schema, laterEnvironment, laterReading);
  if (rules.length === 0 || !rules.every(({ outcome }) => outcome.ok)) return undefined;
  return new RulesPrinter().text(rules);
}

class RulesPrinter {
  private readonly words = new Set<string>();

  text(rules: readonly SchemaRule[]): string {
    const places = new Map<string, SchemaRule[]>();
    for (const rule of rules) {
      const pointer = pointerBelow('', ...rule.steps);
      places.set(pointer, [...(places.get(pointer) ?? []), rule]);
    }
    const lines = [...places].flatMap(([pointer, here]) => [
      `${quoted(pointer)}: [`,
      ...here.flatMap((rule) => indented(this.rule(rule))),
      '],',
    ]);
    const body = ['export const rules: CompiledRules = defineRules({', ...indented(lines), '});'];
    return `${this.head()}\n${body.map((line) => `${line}\n`).join('')}`;
  }

  private rule({ rule, outcome, message }: SchemaRule): string[] {
    if (!outcome.ok) return [];
    const { variables } = outcome.expression;
    const isTransition = variables.has('oldSelf') && rule.optionalOldSelf !== true;
    return [
      '{',
      ...indented([
        ...this.expression('test', outcome.expression),
        ...(isTransition ? ['isTransition: true,'] : []),
        ...this.message(message?.outcome),
      ]),
      '},',
    ];
  }

  private message(outcome: RuleOutcome | undefined): string[] {
    return outcome?.ok === true ? this.expression('message', outcome.expression) : [];
  }

  private expression(key: string, expression: Expression): string[] {
    const { lines, words } = expression.typeScript();
    for (const word of words) this.words.add(word);
    const program = ['program: () => {', ...indented(lines), '},'];
    return [`${key}: {`, ...indented([`text: ${quoted(expression.text)},`, ...program]), '},'];
  }

  /** Returns the imports. Must be called last, when all used names are known. */
  private head(): string {
    const values = ['defineRules', ...['overloads', ...Object.keys(support)].filter((name) => this.words.has(name))];
    // If programs construct a class, its import as a value includes its type.
    const types = typeNames.filter((name) => this.words.has(name) && !values.includes(name));
    return [
      importLine('type ', ['CompiledRules'], 'kindforge/contract'),
      importLine('type ', types, door),
      importLine('', values.sort(), door),
    ].join('');
  }
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
