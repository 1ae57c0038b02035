/**
 * Leaves out of two schemas what no witness of a difference needs: optional fields away from its place. Objects without
 * these fields get the same answers, and much smaller schemas are compiled.
 */
import { escapeName } from '../../../runtime/cel/index.js';
import type { Schema } from '../../../runtime/contract/index.js';
import { getOwn } from '../../../runtime/objects/guards.js';
import type { Segment } from '../../../runtime/schema/index.js';
import { childOf } from './place.js';

/** The schemas of one place in two definitions; a definition may lack the place. */
export interface Sides {
  readonly old: Schema | undefined;
  readonly new: Schema | undefined;
}

/** Optional fields of the place itself that are kept for objects to be of many kinds. */
const KEPT_AT_PLACE = 12;

/** Both schemas without the optional fields that lie off the path. */
export function narrowTo(sides: Sides, path: readonly Segment[]): Sides {
  return narrow(sides, path, '');
}

/** `mentions` is the text of all rules and conditions around a place: the fields that these name are kept. */
function narrow(sides: Sides, path: readonly Segment[] | undefined, mentions: string): Sides {
  if (sides.old === undefined && sides.new === undefined) return sides;
  const around = `${mentions} ${mentionsOf(sides.old)} ${mentionsOf(sides.new)}`;
  const names = keptNames(sides, path, around);
  const [segment, ...rest] = path ?? [];
  const below = (at: Segment): Sides => {
    const isOnPath = path !== undefined && segment !== undefined && isSame(at, segment);
    const child = { old: childOf(sides.old, at), new: childOf(sides.new, at) };
    return narrow(child, isOnPath ? rest : undefined, around);
  };
  const children = new Map(names.map((name) => [name, below({ key: name })]));
  const each = below('each');
  const narrowed = (side: 'old' | 'new'): Schema | undefined => {
    const schema = sides[side];
    if (schema === undefined) return undefined;
    const { properties, items, additionalProperties, 'x-kindforge-type': _type, ...rest } = schema;
    const kept = names.flatMap((name): [string, Schema][] => {
      const child = children.get(name)?.[side];
      return child === undefined ? [] : [[name, child]];
    });
    return {
      ...rest,
      ...(properties === undefined ? {} : { properties: Object.fromEntries(kept) }),
      ...(items === undefined ? {} : { items: each[side] ?? items }),
      ...(additionalProperties === undefined ? {} : { additionalProperties: narrowedValues(schema, each[side]) }),
    };
  };
  return { old: narrowed('old'), new: narrowed('new') };
}

const narrowedValues = ({ additionalProperties = true }: Schema, each: Schema | undefined): boolean | Schema =>
  typeof additionalProperties === 'object' ? (each ?? additionalProperties) : additionalProperties;

const isSame = (one: Segment, other: Segment): boolean =>
  one === 'each' || other === 'each' ? one === other : one.key === other.key;

function keptNames(sides: Sides, path: readonly Segment[] | undefined, mentions: string): readonly string[] {
  const [old, now] = [sides.old?.properties ?? {}, sides.new?.properties ?? {}];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const [segment] = path ?? [];
  const required = new Set([...(sides.old?.required ?? []), ...(sides.new?.required ?? [])]);
  const isPlace = path !== undefined && segment === undefined;
  const isCounted = [sides.old, sides.new].some(
    (side) => side?.minProperties !== undefined || side?.maxProperties !== undefined,
  );
  const isNeeded = (name: string): boolean => {
    const [one, other] = [getOwn(old, name), getOwn(now, name)];
    return (
      (segment !== undefined && segment !== 'each' && segment.key === name) ||
      required.has(name) ||
      one?.default !== undefined ||
      other?.default !== undefined ||
      (isPlace && (one === undefined || other === undefined)) ||
      isMentioned(name, mentions)
    );
  };
  const more = isPlace || isCounted ? names.filter((name) => !isNeeded(name)).slice(0, KEPT_AT_PLACE) : [];
  return names.filter((name) => isNeeded(name) || more.includes(name));
}

/** The words of the rules and conditions of one node, between blanks. */
function mentionsOf(schema: Schema | undefined): string {
  if (schema === undefined) return '';
  const { allOf, anyOf, oneOf, not } = schema;
  const rules = schema['x-kubernetes-validations'];
  if (allOf === undefined && anyOf === undefined && oneOf === undefined && not === undefined && rules === undefined)
    return '';
  const text = JSON.stringify([allOf, anyOf, oneOf, not, rules], (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return text.replace(/\\n|[^\w$-]+/g, ' ');
}

const isMentioned = (name: string, mentions: string): boolean =>
  mentions.trim() !== '' &&
  (mentions.includes(` ${name} `) || mentions.includes(` ${escapeName(name) ?? name} `) || /\W/.test(name));
