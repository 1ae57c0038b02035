/** Random edits of the schemas of definitions. Each adds, removes or changes one keyword at one place. */
import type { JsonValue, Schema } from '../../../runtime/contract/index.js';

/**
 * An edited schema, the place of the edit as keys of a value (`[]` for items and values of maps), and a description.
 */
export interface Edit {
  readonly schema: Schema;
  readonly place: readonly string[];
  readonly what: string;
}

type Change = (node: Schema, random: () => number) => Schema | undefined;

const pick = <T>(values: readonly T[], random: () => number): T | undefined =>
  values[Math.floor(random() * values.length)];

/** Sets a keyword, or removes it if the value is undefined. */
function put(node: Schema, key: keyof Schema, value: JsonValue | Schema | readonly unknown[] | undefined): Schema {
  const { [key]: _, ...rest } = node;
  return value === undefined ? rest : { ...rest, [key]: value };
}

/** Moves a bound, adds one or removes it. */
const bound =
  (
    type: readonly string[],
    key: 'maxLength' | 'minLength' | 'maxItems' | 'minItems' | 'maxProperties' | 'minimum' | 'maximum',
  ): Change =>
  (node, random) => {
    if (!type.includes(node.type ?? '')) return undefined;
    const now = node[key];
    if (now === undefined) return put(node, key, Math.floor(random() * 6));
    return random() < 0.3
      ? put(node, key, undefined)
      : put(node, key, Math.max(0, Number(now) + (random() < 0.5 ? 1 : -1)));
  };

const PATTERNS = ['^[a-z]+$', '^[a-z0-9-]*$', '^.{1,3}$', '^a', '\\d'];

const changes: Readonly<Record<string, Change>> = {
  maxLength: bound(['string'], 'maxLength'),
  minLength: bound(['string'], 'minLength'),
  maxItems: bound(['array'], 'maxItems'),
  minItems: bound(['array'], 'minItems'),
  maxProperties: bound(['object'], 'maxProperties'),
  minimum: bound(['integer', 'number'], 'minimum'),
  maximum: bound(['integer', 'number'], 'maximum'),
  pattern: (node, random) => {
    if (node.type !== 'string' || node.enum) return undefined;
    return put(node, 'pattern', node.pattern !== undefined && random() < 0.5 ? undefined : pick(PATTERNS, random));
  },
  format: (node, random) =>
    node.type === 'string'
      ? put(node, 'format', node.format ? undefined : pick(['date-time', 'ipv4', 'uuid'], random))
      : undefined,
  enum: (node, random) => {
    const { enum: members, type } = node;
    if (members === undefined) return type === 'string' ? put(node, 'enum', ['a', 'b']) : undefined;
    if (random() < 0.3) return put(node, 'enum', undefined);
    if (random() < 0.5 || members.length < 2) return put(node, 'enum', [...members, 'another']);
    return put(node, 'enum', members.slice(1));
  },
  nullable: (node) =>
    node.type === undefined ? undefined : put(node, 'nullable', node.nullable === true ? undefined : true),
  default: (node, random) => {
    const value = defaultFor(node, random);
    return value === undefined ? undefined : put(node, 'default', node.default === undefined ? value : undefined);
  },
  type: (node) => {
    if (node.enum || node.default !== undefined) return undefined;
    if (node.type === 'string') return { type: 'integer' };
    if (node.type === 'integer') return node.format ? { type: 'string' } : { ...node, type: 'number' };
    return node.type === 'boolean' ? { type: 'string' } : undefined;
  },
  listType: (node, random) => {
    const isText = node.type === 'array' && node.items?.type === 'string' && node.items.nullable !== true;
    if (!isText) return undefined;
    const now = node['x-kubernetes-list-type'];
    return put(node, 'x-kubernetes-list-type', now === 'set' ? undefined : random() < 0.8 ? 'set' : 'atomic');
  },
  required: (node, random) => {
    const names = Object.keys(node.properties ?? {});
    const name = pick(names, random);
    if (name === undefined) return undefined;
    const { required = [] } = node;
    const next = required.includes(name) ? required.filter((each) => each !== name) : [...required, name];
    return put(node, 'required', next.length === 0 ? undefined : next);
  },
  removeField: (node, random) => {
    const name = pick(Object.keys(node.properties ?? {}), random);
    if (name === undefined || Object.keys(node.properties ?? {}).length < 2) return undefined;
    const { [name]: _, ...properties } = node.properties ?? {};
    const required = (node.required ?? []).filter((each) => each !== name);
    return { ...put(node, 'required', required.length === 0 ? undefined : required), properties };
  },
  addField: (node, random) => {
    if (node.properties === undefined) return undefined;
    const added: Schema = random() < 0.5 ? { type: 'string' } : { type: 'integer', default: 1 };
    return { ...node, properties: { ...node.properties, addedField: added } };
  },
  keepUnknown: (node) => {
    if (node.type !== 'object' || typeof node.additionalProperties === 'object') return undefined;
    const now = node['x-kubernetes-preserve-unknown-fields'];
    return put(node, 'x-kubernetes-preserve-unknown-fields', now === true ? undefined : true);
  },
  rule: (node, random) => {
    const rule = ruleFor(node, random);
    return rule === undefined
      ? undefined
      : { ...node, 'x-kubernetes-validations': [...(node['x-kubernetes-validations'] ?? []), { rule }] };
  },
  oneOf: (node, random) => {
    const names = Object.keys(node.properties ?? {});
    const [one, other] = [pick(names, random), pick(names, random)];
    if (one === undefined || other === undefined || one === other || node.oneOf || node.anyOf) return undefined;
    return { ...node, [random() < 0.5 ? 'oneOf' : 'anyOf']: [{ required: [one] }, { required: [other] }] };
  },
};

function defaultFor(
  { type, enum: members, pattern, format, minLength }: Schema,
  random: () => number,
): JsonValue | undefined {
  if (members !== undefined) return pick(members, random);
  if (type === 'boolean') return true;
  if (type === 'integer') return 1;
  return type === 'string' && pattern === undefined && format === undefined && minLength === undefined
    ? 'a'
    : undefined;
}

function ruleFor(node: Schema, random: () => number): string | undefined {
  if (node.nullable === true) return undefined;
  if (node.type === 'string') return pick(["self != 'forbidden'", 'size(self) < 4', 'self == oldSelf'], random);
  if (node.type === 'integer') return pick(['self >= 0', 'self % 2 == 0', 'self <= oldSelf'], random);
  const [name] = Object.keys(node.properties ?? {}).filter((each) => /^[a-z]+$/i.test(each) && each !== 'metadata');
  return name === undefined || node.properties?.[name] === undefined ? undefined : `has(self.${name})`;
}

/** A place in a schema. */
interface Spot {
  readonly node: Schema;
  readonly place: readonly string[];
  readonly rebuild: (node: Schema) => Schema;
}

function* spotsIn(node: Schema, place: readonly string[], rebuild: (node: Schema) => Schema): Generator<Spot> {
  if (place.length > 0) yield { node, place, rebuild };
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    if (place.length === 0 && ['apiVersion', 'kind', 'metadata'].includes(name)) continue;
    yield* spotsIn(child, [...place, name], (changed) =>
      rebuild({ ...node, properties: { ...node.properties, [name]: changed } }),
    );
  }
  if (node.items) yield* spotsIn(node.items, [...place, '[]'], (items) => rebuild({ ...node, items }));
  const { additionalProperties: values } = node;
  if (typeof values === 'object')
    yield* spotsIn(values, [...place, '[]'], (changed) => rebuild({ ...node, additionalProperties: changed }));
}

/** Makes one random edit of a schema. Places near the root are as likely as all deeper places together. */
export function randomEdit(schema: Schema, random: () => number): Edit | undefined {
  const spots = [...spotsIn(schema, [], (changed) => changed)];
  for (let tries = 0; tries < 40; tries++) {
    const depth = 1 + Math.floor(random() * 8);
    const spot = pick(
      spots.filter(({ place }) => place.length <= depth),
      random,
    );
    const kind = pick(Object.keys(changes), random) ?? '';
    const changed = spot && changes[kind]?.(spot.node, random);
    if (spot !== undefined && changed !== undefined)
      return { schema: spot.rebuild(changed), place: spot.place, what: `${kind} at ${spot.place.join('.')}` };
  }
  return undefined;
}
