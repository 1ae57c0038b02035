/** Arranges the compiled rules of a schema as a tree like the schema, without the parts that have no rules. */
import type {
  CauseReason,
  CompiledRule,
  CompiledRules,
  RuleProgram,
  Schema,
  ValidationRule,
} from '../../contract/index.js';
import type { EnvironmentOptions } from '../environment.js';
import { describeIssues } from '../syntax/source.js';
import { fieldPathIn } from './field-path.js';
import type { DataTypeOptions } from './from-schema.js';
import { pointerBelow } from './names.js';
import {
  compileRule,
  environmentsAt,
  isOptional,
  isWritten,
  type RuleEnvironments,
  type RuleOutcome,
} from './rules.js';

/** A place in a schema with rules, here or below. */
export interface RulePlace {
  /** The schema's type as errors print it. */
  readonly type: string;
  readonly rules: readonly PlacedRule[];
  readonly properties: readonly (readonly [string, RulePlace])[];
  readonly values: RulePlace | undefined;
  readonly items: RulePlace | undefined;
  /**
   * For lists of type `map`: the fields by which an item finds its earlier state. Items of other lists have no earlier
   * state.
   */
  readonly keys: readonly string[] | undefined;
}

type Test = { readonly expression: RuleProgram } | { readonly mistake: string };

/** A rule ready to be evaluated. */
export interface PlacedRule {
  /** The program of the rule, or the mistake in it. */
  readonly test: Test;
  /** Whether it compares with an earlier state. It does not apply without an earlier state. */
  readonly isTransition: boolean;
  /** Whether it reads `oldSelf`. Its errors then count for unchanged values too. */
  readonly usesOldSelf: boolean;
  /** The message if the rule has no message expression, or if that yields no usable text. */
  readonly message: string;
  readonly messageExpression: RuleProgram | undefined;
  /** The name of the rule in evaluation errors. */
  readonly title: string;
  readonly reason: CauseReason;
  /** The field to report, relative to the place: empty, or as in `spec.labels[a]`. */
  readonly fieldPath: string;
}

type Programs = Pick<PlacedRule, 'test' | 'isTransition' | 'messageExpression'>;

/** Finds the programs of the rules at a place, by the rule and its index there. */
type ProgramsAt = (part: Schema, pointer: string) => (rule: ValidationRule, index: number) => Programs;

/** Compiles all rules of a schema. Returns `undefined` if it has none. */
export function compileRuleTree(
  schema: Schema,
  release: EnvironmentOptions,
  options: DataTypeOptions = {},
): RulePlace | undefined {
  return ruleTree(schema, (part, pointer) => {
    const environments = environmentsAt(part, pointer === '', release, options);
    return (rule) => compiledPrograms(rule, environments, isOptional(rule, release));
  });
}

/** Arranges compiled rules of the same schema. Returns `undefined` if it has none. */
export function arrangeRules(schema: Schema, rules: CompiledRules): RulePlace | undefined {
  return ruleTree(schema, (_part, pointer) => {
    const here = rules.get(pointer) ?? [];
    return (rule, index) => knownPrograms(rule, here[index]);
  });
}

function ruleTree(schema: Schema, programsAt: ProgramsAt): RulePlace | undefined {
  const placedRules = (written: readonly ValidationRule[], part: Schema, pointer: string): PlacedRule[] => {
    const programsOf = programsAt(part, pointer);
    return written.map((rule, index) => placedRule(rule, part, programsOf(rule, index)));
  };
  const placeOf = (part: Schema, pointer: string): RulePlace | undefined => {
    const properties = Object.entries(part.properties ?? {}).flatMap(([name, inner]): [string, RulePlace][] => {
      const place = placeOf(inner, pointerBelow(pointer, 'properties', name));
      return place ? [[name, place]] : [];
    });
    const { additionalProperties: inner, items } = part;
    const below = {
      properties,
      values: typeof inner === 'object' ? placeOf(inner, pointerBelow(pointer, 'additionalProperties')) : undefined,
      items: items && placeOf(items, pointerBelow(pointer, 'items')),
    };
    const written = (part['x-kubernetes-validations'] ?? []).filter(isWritten);
    if (written.length === 0 && properties.length === 0 && !below.values && !below.items) return undefined;
    return {
      type: part.type ?? '',
      rules: written.length === 0 ? [] : placedRules(written, part, pointer),
      ...below,
      keys: part['x-kubernetes-list-type'] === 'map' ? part['x-kubernetes-list-map-keys'] : undefined,
    };
  };
  return placeOf(schema, '');
}

function compiledPrograms(rule: ValidationRule, environments: RuleEnvironments, takesNone: boolean): Programs {
  const environment = environments(rule);
  const outcome = compileRule(rule.rule, environment);
  const worded = rule.messageExpression ? compileRule(rule.messageExpression, environment, 'string') : undefined;
  return {
    test: outcome.ok ? { expression: outcome.expression } : { mistake: mistakeOf(rule.rule, outcome) },
    isTransition: !takesNone && outcome.ok && outcome.expression.variables.has('oldSelf'),
    messageExpression: worded?.ok === true ? worded.expression : undefined,
  };
}

/** Returns the generated programs of a rule. If they belong to another rule, evaluation reports a mistake. */
function knownPrograms({ rule }: ValidationRule, compiled: CompiledRule | undefined): Programs {
  if (compiled?.test.text !== rule) {
    const test: Test = { mistake: 'the generated code of the rule is missing or belongs to another rule' };
    return { test, isTransition: false, messageExpression: undefined };
  }
  const { test, isTransition, message } = compiled;
  return { test: { expression: test }, isTransition, messageExpression: message };
}

function placedRule(rule: ValidationRule, schema: Schema, programs: Programs): PlacedRule {
  const message = rule.message?.trim() ?? '';
  const title = message === '' ? rule.rule.trim() : message;
  return {
    ...programs,
    // An optional `oldSelf` that the rule does not read is a mistake of the definition.
    usesOldSelf: programs.isTransition || rule.optionalOldSelf === true,
    message: message === '' ? `failed rule: ${title}` : message,
    title,
    reason: reasons.find((one) => one === rule.reason) ?? 'FieldValueInvalid',
    fieldPath: reportedPath(schema, rule.fieldPath),
  };
}

/** Returns the field that a rule reports. It is the place of the rule if the rule names no field, or an unknown one. */
function reportedPath(schema: Schema, fieldPath = ''): string {
  const found = fieldPathIn(schema, fieldPath);
  return found.ok ? found.path : '';
}

const reasons = ['FieldValueRequired', 'FieldValueForbidden', 'FieldValueDuplicate'] as const;

function mistakeOf(rule: string, outcome: Exclude<RuleOutcome, { readonly ok: true }>): string {
  if ('failure' in outcome) return `compilation failed: ${describeIssues(rule, outcome.failure.issues)}`;
  return outcome.reason === 'result'
    ? 'cel expression must evaluate to a bool'
    : 'the schema around the rule has no type that expressions can work with';
}
