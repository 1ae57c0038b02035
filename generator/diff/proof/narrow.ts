/**
 * Removes from two schemas what no witness of a difference needs: optional fields away from its place. Objects without
 * these fields get the same answers, and smaller schemas compile faster.
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

/** Maximum number of optional fields kept at the place itself, so that its objects vary. */
const KEPT_AT_PLACE = 12;

/** Narrows the schemas of two definitions. Parts off every path are narrowed once for all differences. */
export class Narrowing {
  private readonly known = new Map<string, Map<Schema | undefined, Map<Schema | undefined, Sides>>>();

  constructor(private readonly sides: Sides) {}

  /** Returns both schemas without the optional fields off the path. */
  to(path: readonly Segment[]): Sides {
    return this.narrow(this.sides, path, '');
  }

  /**
   * Removes fields. `mentions` is the text of all rules and conditions around a place. Keeps the fields in this text.
   */
  private narrow(sides: Sides, path: readonly Segment[] | undefined, mentions: string): Sides {
    if (sides.old === undefined && sides.new === undefined) return sides;
    if (path !== undefined) return this.make(sides, path, mentions);
    const byOld = getOrMake(this.known, mentions, () => new Map<Schema | undefined, Map<Schema | undefined, Sides>>());
    const byNew = getOrMake(byOld, sides.old, () => new Map<Schema | undefined, Sides>());
    return getOrMake(byNew, sides.new, () => this.make(sides, path, mentions));
  }

  private make(sides: Sides, path: readonly Segment[] | undefined, mentions: string): Sides {
    const around = [mentions, mentionsOf(sides.old), mentionsOf(sides.new)].filter((text) => text !== '').join(' ');
    const names = keptNames(sides, path, around);
    const [segment, ...rest] = path ?? [];
    const below = (at: Segment): Sides => {
      const isOnPath = path !== undefined && segment !== undefined && isSame(at, segment);
      const child = { old: childOf(sides.old, at), new: childOf(sides.new, at) };
      return this.narrow(child, isOnPath ? rest : undefined, around);
    };
    const children = new Map(names.map((name) => [name, below({ key: name })]));
    const each = below('each');
    const side = (which: 'old' | 'new'): Schema | undefined => {
      const kept = names.flatMap((name): [string, Schema][] => {
        const child = children.get(name)?.[which];
        return child === undefined ? [] : [[name, child]];
      });
      return sides[which] && withChildren(sides[which], kept, each[which]);
    };
    return { old: side('old'), new: side('new') };
  }
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function withChildren(schema: Schema, kept: readonly [string, Schema][], each: Schema | undefined): Schema {
  const { properties, items, additionalProperties, 'x-kindforge-type': _type, ...rest } = schema;
  return {
    ...rest,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(kept) }),
    ...(items === undefined ? {} : { items: each ?? items }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: narrowedValues(schema, each) }),
  };
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
  const keepsUnknown = sides.old === undefined || keepsOthers(sides.old);
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
      (isPlace && (other === undefined || (one === undefined && keepsUnknown))) ||
      isMentioned(name, mentions)
    );
  };
  const optional = names.filter((name) => !isNeeded(name) && (keepsUnknown || getOwn(old, name) !== undefined));
  const more = isPlace || isCounted ? optional.slice(0, KEPT_AT_PLACE) : [];
  return names.filter((name) => isNeeded(name) || more.includes(name));
}

/** Returns whether objects of a schema may have fields that it does not name. */
const keepsOthers = ({ additionalProperties, 'x-kubernetes-preserve-unknown-fields': keepsUnknown }: Schema): boolean =>
  keepsUnknown === true || (additionalProperties !== undefined && additionalProperties !== false);

/** Returns the words of the rules, conditions and defaults of one node, between blanks. */
function mentionsOf(schema: Schema | undefined): string {
  if (schema === undefined) return '';
  const { allOf, anyOf, oneOf, not, default: fallback, enum: members } = schema;
  const values = [fallback, ...(members ?? [])].filter((value) => typeof value === 'object' && value !== null);
  const parts = [allOf, anyOf, oneOf, not, schema['x-kubernetes-validations'], ...values];
  if (parts.every((part) => part === undefined)) return '';
  const text = JSON.stringify(parts, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return text.replace(/\\n|[^\w$-]+/g, ' ');
}

const isMentioned = (name: string, mentions: string): boolean =>
  mentions.trim() !== '' &&
  (mentions.includes(` ${name} `) || mentions.includes(` ${escapeName(name) ?? name} `) || /\W/.test(name));
