/** The definitions of a compiled schema before they have names: functions and constants that refer to each other. */
import { referencesIn, referenceTo, withNames } from './references.js';

/** A shared type that a function is about, and what the function is called where that type is at home. */
export interface SharedName {
  /** `<library>#/<Type>`. */
  readonly type: string;
  readonly name: string;
}

/** A function: its parameters and their types, what it returns, and its statements with references in them. */
export interface FunctionCode {
  /** The name that it gets if that is free. */
  readonly name: string;
  readonly parameters: readonly (readonly [name: string, type: string])[];
  readonly returns: string;
  readonly body: readonly string[];
  /** Absent where it is about no shared type. */
  readonly shared?: SharedName | undefined;
}

/** A constant: what it is called if the name is free, and its value with references in it. */
export interface ConstantCode {
  readonly name: string;
  readonly expression: string;
}

export type Definition = FunctionCode | ConstantCode;

/** All that a compiled schema defines. */
export interface Definitions {
  /** By number; what a definition refers to has a lower one. */
  readonly definitions: ReadonlyMap<number, Definition>;
  /** The functions that the module offers, under exactly these names. Those that are read first come last. */
  readonly offered: ReadonlyMap<number, string>;
}

/** Some definitions and those that they lead to, directly or not, in the order of their numbers. */
export function reachable(
  from: Iterable<number>,
  definitionOf: (number: number) => Definition | undefined,
): ReadonlyMap<number, Definition> {
  const found = new Map<number, Definition>();
  const open = [...from];
  for (let number = open.pop(); number !== undefined; number = open.pop()) {
    const definition = found.has(number) ? undefined : definitionOf(number);
    if (definition === undefined) continue;
    found.set(number, definition);
    for (const next of referencesOf(definition)) open.push(next);
  }
  return new Map([...found].sort(([a], [b]) => a - b));
}

/** The numbers that a definition refers to, in the order of its text. */
export const referencesOf = (definition: Definition): readonly number[] =>
  referencesIn('body' in definition ? definition.body.join('\n') : definition.expression);

/** A definition that refers to the same by other references. */
export function withReferences(definition: Definition, referenceOf: (number: number) => string): Definition {
  const change = (text: string): string => withNames(text, { definition: referenceOf, helper: referenceTo });
  return 'body' in definition
    ? { ...definition, body: definition.body.map(change) }
    : { ...definition, expression: change(definition.expression) };
}

/** A text that two definitions share exactly if they are the same but for their names. */
export function keyOf(definition: Definition): string {
  if (!('body' in definition)) return definition.expression;
  const { shared, parameters, returns, body } = definition;
  const head = [
    shared?.type ?? '',
    shared?.name ?? '',
    returns,
    ...parameters.map((parameter) => parameter.join(': ')),
  ];
  return `${head.join(', ')}\n${body.join('\n')}`;
}
