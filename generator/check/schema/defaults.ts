/** The rule on defaults: the schema itself must accept them as they are, and so must its validation rules. */
import { checkDefaults, laterEnvironment, laterReading } from '../../../runtime/cel/index.js';
import type { FieldError } from '../../../runtime/contract/index.js';
import type { Report } from '../../diagnostics/problem.js';
import { type NodeRule, type SchemaNode, sayAt, writes } from './schema-node.js';

/** Notes the defaults of a schema as it is walked, to check them all at its end. */
export interface DefaultCheck {
  readonly rule: NodeRule;
  readonly finish: (report: Report) => void;
}

/**
 * Makes a check of the defaults of one schema: they have no unknown fields, and are valid as written, without nested
 * defaults. Puts all of them into one object, so that its schema is compiled only once.
 */
export function createDefaultCheck(): DefaultCheck {
  const nodes: SchemaNode[] = [];
  return {
    rule: (node) => {
      const { schema } = node;
      if (schema.default === undefined || node.level === 'root' || !writes(node, 'default')) return;
      nodes.push(node);
    },
    finish: (report) => {
      if (nodes.length > 0) checkAll(nodes, report);
    },
  };
}

function checkAll(nodes: readonly SchemaNode[], report: Report): void {
  const schemas = nodes.map(({ schema }) => schema);
  // In CustomResourceDefinitions, servers accept a default of any type for an int-or-string.
  const options = { ...laterReading, eitherType: nodes.some(({ isNative }) => isNative) };
  for (const [i, found] of checkDefaults(schemas, laterEnvironment, options).entries()) {
    const node = nodes[i];
    if (node === undefined) continue;
    for (const path of found.unknown) say(node, `field \`${path}\` does not exist`, report);
    for (const { field, message } of [...found.refused, ...found.broken.flatMap(ruleError)]) {
      say(node, field === '<nil>' ? combination(message) : [field, plain(message)].filter(Boolean).join(': '), report);
    }
  }
}

/** Reports rules that cannot be compiled at their place. */
function ruleError({ field, message }: FieldError): { readonly field: string; readonly message: string }[] {
  const words = message.replace(/^Invalid value: "[a-z]*": /, '');
  return words.startsWith('rule compile error: ') ? [] : [{ field, message: words }];
}

/** Returns the message of a combination, which already names the place. */
function combination(message: string): string {
  return message.replace('Invalid value: "": ', '').replace(/^""(?= )/, 'it');
}

/** Returns the message of a server without the path and the type. */
function plain(message: string): string {
  const last = message.lastIndexOf(' in body ');
  return last < 0 ? message : `it ${message.slice(last + ' in body '.length)}`;
}

function say(node: SchemaNode, problem: string, report: Report): void {
  const value = node.schema.default;
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  const suggestion = node.schema.type === 'string' && isScalar ? `write it in quotes: "${value}"` : undefined;
  sayAt(node.place, report)('KF4001', 'default', `the default is not valid: ${problem}`, suggestion);
}
