/** Compiles a schema to a table: a node for each part, with everything that the walks of the engine need. */
import type { JsonValue, Schema } from '../../contract/index.js';
import { memoize } from '../../objects/memoize.js';
import { allFormats, type LaterFormats } from '../formats.js';
import { Checks, type Decoding } from './checks.js';
import { type Reading, readingOf, scalarZero, zeroOf } from './readings.js';

/** A compiled schema. */
export interface Table {
  /** The whole object. */
  readonly root: Node;
  /** The fields of the whole object without fields of the runtime. */
  readonly body: Fields;
}

/** Compiles a schema in linear time. Parts that are the same JavaScript object are compiled once. */
export function compileTable(schema: Schema, decoding: Decoding, formats = allFormats): Table {
  const root = new Compiler(decoding, formats).node(schema, undefined);
  const own = root.fields.list.filter(({ name }) => !isHead(name));
  return { root, body: own.length === root.fields.list.length ? root.fields : new Fields(own) };
}

/** Reports whether every object has a field of this name. */
export const isHead = (name: string): boolean => name === 'metadata' || name === 'kind' || name === 'apiVersion';

/**
 * The work for defaults below a value. `nothing` means no work, `nulls` means to remove nulls at every depth, and
 * `walk` means to visit the fields, because some have defaults or keep nulls.
 */
export type DefaultsNeed = 'nothing' | 'nulls' | 'walk';

/** One part of a schema. */
export class Node {
  readonly checks: Checks;
  /** How typed kinds read a value. */
  readonly reading: Reading;
  readonly keepsUnknown: boolean;
  readonly embedded: boolean;
  /** Whether `additionalProperties: true`: every name is allowed, but the fields of its value are not known. */
  readonly anyValues: boolean;

  fields: Fields = noFields;
  /** The values of a map, or the other properties of an object. */
  values: Node | undefined;
  items: Node | undefined;
  anyOf: readonly Node[] = noNodes;
  oneOf: readonly Node[] = noNodes;
  allOf: readonly Node[] = noNodes;
  not: Node | undefined;

  /** Whether no field below a value is known. Pruning then empties the objects in it. */
  isOpaque = false;
  defaults: DefaultsNeed = 'nothing';
  /** Whether a value can break a keyword here or below. */
  canFail = false;
  /** Whether schemas are combined here or below, including in branches. */
  combines = false;
  /** Whether there are embedded objects here or below. */
  hasEmbedded = false;
  /** Whether there are lists of type `set` or `map` here or below. */
  hasKeyedLists = false;
  /** Whether this field, or a field of its fields at any depth, is immutable. */
  hasFixed = false;
  /** The gates here and below. */
  gates: ReadonlySet<string> = noGates;

  /** `again` is the node of the enclosing type, for a type that contains itself. */
  constructor(
    readonly schema: Schema,
    decoding: Decoding,
    readonly again: Node | undefined,
    formats: LaterFormats,
  ) {
    this.anyValues = schema.additionalProperties === true;
    this.keepsUnknown = schema['x-kubernetes-preserve-unknown-fields'] === true;
    this.embedded = schema['x-kubernetes-embedded-resource'] === true;
    this.checks = new Checks(schema, decoding, formats);
    this.reading = readingOf(schema, again !== undefined);
  }
}

/** The stored value of an absent field: a zero, an empty object, null, or nothing. */
type WhenAbsent = 'zero' | 'object' | 'null' | 'nothing';

/** A field of an object. */
export class Field {
  /** The field's part of a path, after the path of its object. */
  readonly step: string;
  /** The step in errors of typed kinds; empty if errors name the object instead. */
  readonly shownStep: string;
  /** Whether every JavaScript object inherits a property of this name. */
  readonly isInherited: boolean;
  readonly gate: string | undefined;
  readonly default: JsonValue | undefined;
  readonly whenAbsent: WhenAbsent;
  readonly zero: string | number | boolean;
  /** The scalar that counts as absent, if any. */
  readonly dropped: string | number | boolean | undefined;
  /** Whether an empty list or map counts as absent. */
  readonly dropsEmpty: boolean;
  /** Whether a default also replaces the zero, because reading stores the zero for an absent field. */
  readonly defaultsZero: boolean;

  constructor(
    readonly name: string,
    readonly node: Node,
  ) {
    const { schema } = node;
    const presence = schema['x-kindforge-presence'];
    const shown = schema['x-kindforge-report-as'] ?? name;
    const isImplicit = presence === 'implicit';
    this.step = `.${name}`;
    this.shownStep = shown === '' ? '' : `.${shown}`;
    this.isInherited = name in Object.prototype;
    this.gate = schema['x-kindforge-feature-gate'];
    this.default = schema.default ?? undefined;
    this.whenAbsent = whenAbsent(schema);
    this.zero = zeroOf(schema) ?? '';
    // An empty text is not a time.
    const isTime = node.reading === 'time' || node.reading === 'micro-time';
    this.dropped = isImplicit && !isTime ? scalarZero(schema) : undefined;
    this.dropsEmpty =
      isImplicit && (schema.type === 'array' || (schema.type === 'object' && node.fields.list.length === 0));
    this.defaultsZero = presence === 'always';
  }
}

function whenAbsent(schema: Schema): WhenAbsent {
  const presence = schema['x-kindforge-presence'];
  if (presence === 'nullable') return 'null';
  if (presence !== 'always') return 'nothing';
  if (zeroOf(schema) !== undefined) return 'zero';
  return schema.type === 'object' ? 'object' : 'null';
}

/** The fields of an object. A walk visits some of them even if they are absent. */
export class Fields {
  readonly byName: ReadonlyMap<string, Field>;
  /** Fields that are stored even if they are absent in the body. */
  readonly stored: readonly Field[];
  readonly withDefault: readonly Field[];
  /** Fields with work for defaults below them. */
  readonly aboveDefaults: readonly Field[];
  #nullable: ReadonlySet<string> | undefined;
  #plain: ReadonlySet<string> | undefined;

  /** `list` is in the order of the schema, which is the order of errors. */
  constructor(readonly list: readonly Field[]) {
    const byName = new Map<string, Field>();
    for (const field of list) byName.set(field.name, field);
    this.byName = byName;
    this.stored = list.filter((field) => field.whenAbsent !== 'nothing');
    this.withDefault = list.filter((field) => field.default !== undefined);
    this.aboveDefaults = list.filter(({ node }) => node.defaults !== 'nothing');
  }

  /** The names of fields that may be null. */
  get nullable(): ReadonlySet<string> {
    this.#nullable ??= this.#names(true);
    return this.#nullable;
  }

  /** The names of fields in which null means absent. */
  get plain(): ReadonlySet<string> {
    this.#plain ??= this.#names(false);
    return this.#plain;
  }

  #names(isNullable: boolean): ReadonlySet<string> {
    const found = this.list.filter(({ node }) => (node.schema.nullable === true) === isNullable);
    return new Set(found.map(({ name }) => name));
  }
}

const noFields = new Fields([]);
const noNodes: readonly Node[] = [];
const noGates: ReadonlySet<string> = new Set();

/** A type in progress. Parts of it may be of the same type. */
interface Around {
  readonly type: string;
  readonly node: Node;
  readonly outer: Around | undefined;
}

/** Shared nodes of schemas with the same decoding and formats. */
interface Shared {
  /** Fields by their `properties`, which many kinds share in generated schemas. */
  readonly fields: WeakMap<object, Fields>;
  readonly plain: Map<string, Node>;
}

const sharedOf = memoize((_reading): Shared => ({ fields: new WeakMap(), plain: new Map() }));

const mostPlain = 256;

/**
 * Returns a text that is the same for scalars with the same meaning. Returns `undefined` if a schema has other
 * keywords.
 */
function plainKey(schema: Schema): string | undefined {
  const { type, format = '', nullable = false } = schema;
  if (type === undefined || type === 'object' || type === 'array') return undefined;
  for (const key in schema) {
    if (key !== 'type' && key !== 'description' && key !== 'format' && key !== 'nullable') return undefined;
  }
  return `${type} ${nullable} ${format}`;
}

class Compiler {
  private readonly shared: Shared;

  constructor(
    private readonly decoding: Decoding,
    private readonly formats: LaterFormats,
  ) {
    this.shared = sharedOf(`${decoding} ${formats.names} ${formats.numbers}`);
  }

  /**
   * Makes the node of a schema after its parts. Most schemas are scalars without further keywords, and share a node.
   */
  node(schema: Schema, around: Around | undefined): Node {
    const plain = plainKey(schema);
    if (plain === undefined) return this.make(schema, around);
    const known = this.shared.plain;
    const found = known.get(plain) ?? this.make(schema, undefined);
    // Limits the map, because definitions may use any text as a format.
    if (known.size < mostPlain) known.set(plain, found);
    return found;
  }

  private make(schema: Schema, around: Around | undefined): Node {
    const { additionalProperties: values, items, not, properties } = schema;
    const node = new Node(schema, this.decoding, typeAround(schema['x-kindforge-within'], around), this.formats);
    const type = schema['x-kindforge-type'];
    const inner = type === undefined ? around : { type, node, outer: around };
    if (properties !== undefined) node.fields = this.fields(properties, inner);
    if (typeof values === 'object') node.values = this.node(values, inner);
    if (items !== undefined) node.items = this.node(items, inner);
    node.anyOf = this.branches(schema.anyOf);
    node.oneOf = this.branches(schema.oneOf);
    node.allOf = this.branches(schema.allOf);
    if (not !== undefined) [node.not] = this.branches([not]);
    summarize(node, this.decoding);
    return node;
  }

  private fields(properties: NonNullable<Schema['properties']>, around: Around | undefined): Fields {
    const found = this.shared.fields.get(properties);
    if (found !== undefined) return found;
    const list = Object.entries(properties).map(([name, schema]) => new Field(name, this.node(schema, around)));
    const made = list.length === 0 ? noFields : new Fields(list);
    this.shared.fields.set(properties, made);
    return made;
  }

  /**
   * Makes the nodes of branches. Branches are checked as in structural kinds, because the words of their errors do not
   * matter.
   */
  private branches(schemas: readonly Schema[] | undefined): readonly Node[] {
    if (schemas === undefined || schemas.length === 0) return noNodes;
    const compiler = this.decoding === 'structural' ? this : new Compiler('structural', this.formats);
    return schemas.map((schema) => compiler.node(schema, undefined));
  }
}

function typeAround(type: string | undefined, around: Around | undefined): Node | undefined {
  if (type === undefined) return undefined;
  for (let each = around; each !== undefined; each = each.outer) if (each.type === type) return each.node;
  return undefined;
}

/** Sets the facts about a node and everything below it. */
function summarize(node: Node, decoding: Decoding): void {
  const { schema, checks, fields, values, items } = node;
  const children = fields.list.map((field) => field.node);
  const fixed = schema['x-kindforge-immutable'];
  node.hasFixed = (fixed !== undefined && fixed !== false) || children.some((child) => child.hasFixed);
  if (values !== undefined) children.push(values);
  if (items !== undefined) children.push(items);
  const branches = [...node.anyOf, ...node.oneOf, ...node.allOf, ...(node.not === undefined ? [] : [node.not])];
  node.combines = branches.length > 0 || children.some((child) => child.combines);
  const isAgain = node.again !== undefined && decoding === 'structural';
  node.canFail = checks.any || isAgain || branches.length > 0 || children.some((child) => child.canFail);
  node.hasEmbedded = node.embedded || children.some((child) => child.hasEmbedded);
  node.hasKeyedLists = isKeyedList(schema) || children.some((child) => child.hasKeyedLists);
  node.gates = gatesOf(schema, children);
  const isLeaf = fields.list.length === 0 && values === undefined && !node.anyValues;
  node.isOpaque = isLeaf && !node.embedded && !node.keepsUnknown && !node.again && (items?.isOpaque ?? true);
  node.defaults = decoding === 'structural' ? defaultsNeed(node, children) : filledNeed(children);
}

/** Reports whether a list is a set or a map. */
const isKeyedList = ({ 'x-kubernetes-list-type': type }: Schema): boolean => type === 'set' || type === 'map';

function gatesOf(schema: Schema, children: readonly Node[]): ReadonlySet<string> {
  const gate = schema['x-kindforge-feature-gate'];
  const gated = children.filter(({ gates }) => gates.size > 0);
  if (gate === undefined && gated.length === 0) return noGates;
  return new Set([...(gate === undefined ? [] : [gate]), ...gated.flatMap(({ gates }) => [...gates])]);
}

const hasDefault = ({ schema }: Node): boolean => (schema.default ?? undefined) !== undefined;

/** Returns the work for defaults in typed kinds. Reading has already handled nulls. */
const filledNeed = (children: readonly Node[]): DefaultsNeed =>
  children.some((child) => hasDefault(child) || child.defaults === 'walk') ? 'walk' : 'nothing';

/** Reports whether a value may have parts that its schema does not describe. Nulls in such parts stay. */
const isOpen = (node: Node): boolean => node.anyValues || node.keepsUnknown || node.embedded;

function defaultsNeed(node: Node, children: readonly Node[]): DefaultsNeed {
  // The content of the enclosing type is not known yet.
  if (node.again !== undefined) return 'walk';
  const isSpecial = (child: Node): boolean =>
    hasDefault(child) || child.schema.nullable === true || isOpen(child) || child.defaults === 'walk';
  const holdsObjects = node.fields.list.length > 0 || node.values !== undefined;
  if (children.some(isSpecial) || (isOpen(node) && !node.anyValues && holdsObjects)) return 'walk';
  if (node.anyValues) return 'nothing';
  if (holdsObjects) return 'nulls';
  return node.items?.defaults ?? 'nothing';
}
