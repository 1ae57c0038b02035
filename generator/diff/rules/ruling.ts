/** The part of a verdict that needs no object: the affected parties, the rule, and what to do instead. */
import type { Schema } from '../../../runtime/contract/index.js';
import type { ResourceModel, VersionModel } from '../../model/model.js';
import type { Difference, Effect } from '../difference.js';

/** The rules of deprecation by their numbers. */
export type Rule = '1' | '2' | '3' | '4a' | '4b';

/** The effect of a difference that no object can show. */
export interface Ruling {
  /** `break`: clients fail. `warning`: clients may get something that they do not know. */
  readonly severity: 'break' | 'warning' | 'safe';
  readonly effects: readonly Effect[];
  /** The effect in a few words; empty if it is safe. */
  readonly why: string;
}

/** The definitions on both sides of a difference, as far as each has the resource and the version. */
export interface Definitions {
  readonly old?: ResourceModel | undefined;
  readonly new?: ResourceModel | undefined;
  readonly oldVersion?: VersionModel | undefined;
  readonly newVersion?: VersionModel | undefined;
}

/** A row of the table of rules. */
export interface KeywordRule {
  readonly rule: Rule;
  /** Returns whether the new definition may refuse or change objects, so that they must be tried. */
  readonly isTried: (difference: Difference) => boolean;
  readonly judge: (difference: Difference, definitions: Definitions) => Ruling;
  /** Returns further affected parties if an object shows the break. */
  readonly also?: (difference: Difference) => readonly Effect[];
  readonly advice: string | ((difference: Difference) => string);
}

export const safe: Ruling = { severity: 'safe', effects: [], why: '' };

export const breaks = (why: string, ...effects: Effect[]): Ruling => ({ severity: 'break', effects, why });

export const warns = (why: string, ...effects: Effect[]): Ruling => ({ severity: 'warning', effects, why });

/** Returns the node of a schema at keys from its root. */
export function nodeAt(schema: Schema | undefined, keys: readonly string[]): Schema | undefined {
  return nodesTo(schema, keys).at(-1);
}

/**
 * Returns the nodes on the path to the node at these keys, including that node; empty if the schema does not have it.
 */
export function nodesTo(schema: Schema | undefined, keys: readonly string[]): readonly Schema[] {
  const nodes: Schema[] = [];
  let node = schema;
  for (let index = 0; node !== undefined; ) {
    nodes.push(node);
    const key = keys[index];
    if (key === undefined) return nodes;
    if (key === 'properties') node = ownProperty(node, keys[index + 1] ?? '');
    else node = key === 'items' ? node.items : valuesOf(node);
    index += key === 'properties' ? 2 : 1;
  }
  return [];
}

function ownProperty({ properties = {} }: Schema, name: string): Schema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function valuesOf({ additionalProperties }: Schema): Schema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
