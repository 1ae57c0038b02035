/** Rules on versions without a conversion: each must be able to read the objects of the other. */
import { encodeJson } from '../../../runtime/codec/json.js';
import type { JsonValue, Schema } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { get, list, type Raw } from '../../../runtime/schema/read.js';
import type { Code } from '../../diagnostics/codes.js';
import type { Path, Report } from '../../diagnostics/problem.js';
import { extentOf, isWithinBounds } from '../../model/extent.js';
import type { ResourceModel, VersionModel } from '../../model/model.js';
import { writtenPath } from '../written-path.js';
import { NOUNS } from './type-nouns.js';

/** A version with its place in the definition. */
interface Side {
  readonly version: VersionModel;
  /** The schema as written. */
  readonly raw: Raw;
  readonly path: Path;
}

/** Reports where a served version and the stored one contradict each other, at both places. */
export function checkVersionClashes(value: Raw, resource: ResourceModel, report: Report): void {
  if (resource.conversionWebhook !== undefined || resource.storedAs !== undefined) return;
  const written = list(get(get(value, 'spec'), 'versions'));
  const sides = resource.versions.map((version, index): Side => {
    const path = ['spec', 'versions', index, 'schema', 'openAPIV3Schema'];
    return { version, raw: get(get(written[index], 'schema'), 'openAPIV3Schema'), path };
  });
  const stored = sides.find(({ version }) => version.storage);
  if (stored === undefined) return;
  for (const side of sides) {
    const { storage, served, conversion, schema } = side.version;
    if (storage || !served || conversion !== undefined) continue;
    if (![schema, stored.version.schema].every((each) => isWithinBounds(extentOf(each)))) continue;
    new Comparison(side, stored, report).nodes(schema, stored.version.schema, []);
  }
}

/** Both sides of one field. */
interface Pair {
  readonly own: Schema;
  readonly stored: Schema;
  readonly steps: Path;
}

class Comparison {
  constructor(
    private readonly own: Side,
    private readonly stored: Side,
    private readonly report: Report,
  ) {}

  /** Compares two nodes and everything below. Earlier checks limit the depth of schemas. */
  nodes(own: Schema, stored: Schema, steps: Path): void {
    if (own === stored) return;
    const pair: Pair = { own, stored, steps };
    const [type, other] = [typeOf(own), typeOf(stored)];
    if (type === undefined || other === undefined) return;
    if (type !== other) {
      this.say({
        code: 'KF4035',
        pair,
        keys: bothSides(),
        verb: 'is',
        own: type,
        stored: other,
        suggestion: TYPES_APART,
      });
      return;
    }
    this.enums(pair);
    this.bounds(pair);
    this.nulls(pair);
    this.uniqueness(pair);
    this.defaults(pair);
    this.required(pair, 'own');
    this.required(pair, 'stored');
    this.children(pair);
  }

  private children({ own, stored, steps }: Pair): void {
    const names = new Set([own, stored].flatMap(({ properties = {} }) => Object.keys(properties)));
    for (const name of names) {
      const [child, other] = [member(own, name), member(stored, name)];
      if (child && other && !(steps.length === 0 && ENVELOPE.has(name)))
        this.nodes(child, other, [...steps, 'properties', name]);
    }
    if (own.items && stored.items) this.nodes(own.items, stored.items, [...steps, 'items']);
    const [values, others] = [own.additionalProperties, stored.additionalProperties];
    if (typeof values === 'object' && typeof others === 'object')
      this.nodes(values, others, [...steps, 'additionalProperties']);
  }

  private enums(pair: Pair): void {
    const [values, others] = [pair.own.enum ?? [], pair.stored.enum ?? []];
    if (values.length === 0 || others.length === 0) return;
    if (values.some((value) => others.some((other) => equal(value, other)))) return;
    this.say({
      code: 'KF4035',
      pair,
      keys: bothSides('enum'),
      verb: 'is one of',
      own: listed(values),
      stored: listed(others),
      suggestion: ENUMS_APART,
    });
  }

  /** Reports bounds of the two sides that exclude every value. */
  private bounds(pair: Pair): void {
    for (const [low, high] of BOUNDS) {
      for (const [key, opposite] of [
        [low, high],
        [high, low],
      ] as const) {
        const [bound, other] = [pair.own[key], pair.stored[opposite]];
        if (bound === undefined || other === undefined || (key === low ? bound <= other : bound >= other)) continue;
        const [own, stored] = [`\`${key}\` ${bound}`, `\`${opposite}\` ${other}`];
        const keys = { own: [key], stored: [opposite] };
        this.say({ code: 'KF4035', pair, keys, verb: 'has', own, stored, suggestion: ENUMS_APART });
      }
    }
  }

  /** Reports a null that only one side allows, if the other side has no default for it. */
  private nulls(pair: Pair): void {
    const [own, stored] = [pair.own, pair.stored].map(({ nullable = false }) => nullable);
    const strict = own ? pair.stored : pair.own;
    if (own === stored || strict.default !== undefined) return;
    const [here, there] = own ? ['may be null', 'may not'] : ['may not be null', 'may'];
    this.say({
      code: 'KF4036',
      pair,
      keys: bothSides('nullable'),
      verb: '',
      own: here,
      stored: there,
      suggestion: NULLS_APART,
    });
  }

  /** Reports lists with keys that differ between the sides. */
  private uniqueness(pair: Pair): void {
    const [own, stored] = [uniquenessOf(pair.own), uniquenessOf(pair.stored)];
    if (own === stored) return;
    const keys = bothSides('x-kubernetes-list-type');
    this.say({ code: 'KF4036', pair, keys, verb: 'is', own, stored, suggestion: LISTS_APART });
  }

  private defaults(pair: Pair): void {
    const [value, other] = [pair.own.default, pair.stored.default];
    if (equal(value, other)) return;
    const [own, stored] = [value, other].map((each) =>
      each === undefined ? 'no default' : `default ${encodeJson(each)}`,
    );
    if (own === undefined || stored === undefined) return;
    this.say({
      code: 'KF4037',
      pair,
      keys: bothSides('default'),
      verb: 'has',
      own,
      stored,
      suggestion: DEFAULTS_APART,
    });
  }

  /** Reports fields that one side requires, and that objects of the other side may lack. */
  private required(pair: Pair, which: Which): void {
    const [asking, giving] = which === 'own' ? [pair.own, pair.stored] : [pair.stored, pair.own];
    const [side, other] = which === 'own' ? [this.own, this.stored] : [this.stored, this.own];
    for (const [index, name] of (asking.required ?? []).entries()) {
      if (giving.required?.includes(name) || (pair.steps.length === 0 && ENVELOPE.has(name))) continue;
      if (isAlwaysThere(property(asking, name)) || isAlwaysThere(property(giving, name))) continue;
      if (giving['x-kubernetes-preserve-unknown-fields'] === true && property(giving, name) === undefined) continue;
      const field = fieldOf([...pair.steps, 'properties', name]);
      const [here, there] = [side.version.name, other.version.name];
      const suggestion = 'require it in both, or give it a default';
      const asked = `\`${field}\` is required, and objects of ${there} may lack it`;
      this.report({
        code: 'KF4036',
        path: writtenPath(side.raw, side.path, [...pair.steps, 'required', index]),
        message: asked,
        suggestion,
      });
      this.report({
        code: 'KF4036',
        path: writtenPath(other.raw, other.path, [...pair.steps, 'properties', name]),
        at: 'key',
        message: `\`${field}\` may be missing, and ${here} requires it`,
        suggestion,
      });
    }
  }

  /** Reports at both places what each side says. */
  private say({ code, pair, keys, verb, own, stored, suggestion }: Clash): void {
    const field = fieldOf(pair.steps);
    const subject = [field === '' ? 'an object' : `\`${field}\``, ...(verb === '' ? [] : [verb])].join(' ');
    const at = ({ raw, path }: Side, key: Path): Path => writtenPath(raw, path, [...pair.steps, ...key]);
    const [here, there] = [this.own.version.name, this.stored.version.name];
    const message = `${subject} ${own} here, and ${stored} in ${there}`;
    this.report({ code, path: at(this.own, keys.own), at: 'key', message, suggestion });
    const opposite = `${subject} ${stored} here, and ${own} in ${here}`;
    this.report({ code, path: at(this.stored, keys.stored), at: 'key', message: opposite, suggestion });
  }
}

/** A difference, with what each side says in words. */
interface Clash {
  readonly code: Code;
  readonly pair: Pair;
  /** The keyword on each side, below the field. */
  readonly keys: { readonly own: Path; readonly stored: Path };
  readonly verb: string;
  readonly own: string;
  readonly stored: string;
  readonly suggestion: string;
}

/** Maximum number of values of a list in a message. */
const MOST_LISTED = 5;

function listed(values: readonly JsonValue[]): string {
  const shown = values.slice(0, MOST_LISTED).map((value) => encodeJson(value));
  return [...shown, ...(values.length > MOST_LISTED ? ['…'] : [])].join(', ');
}

type Which = 'own' | 'stored';

/** Returns the same keyword on both sides, or the field itself. */
const bothSides = (...key: readonly string[]): Clash['keys'] => ({ own: key, stored: key });

const BOUNDS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/** Returns in words how the items of a list differ from each other. */
function uniquenessOf(schema: Schema): string {
  const type = schema['x-kubernetes-list-type'];
  if (type === 'set') return 'a set';
  const keys = type === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : [];
  return keys.length === 0
    ? 'a list that may repeat items'
    : `a list of items with different ${[...keys].sort().join(', ')}`;
}

const TYPES_APART = 'without a conversion, objects of one version cannot be read in the other';
const ENUMS_APART = 'without a conversion, the versions must share at least one value';
const NULLS_APART = 'write `nullable` in both, or a default in the version that does not allow null';
const LISTS_APART = 'write the same list type in both';
const DEFAULTS_APART = 'write the same default in both: an object must not depend on the version of the request';

/** Fields that every object has, which are the same in all versions. */
const ENVELOPE: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function property({ properties = {} }: Schema, name: string): Schema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** Returns the schema of a field. All fields of a map have the same one. */
function member(schema: Schema, name: string): Schema | undefined {
  const { additionalProperties } = schema;
  return property(schema, name) ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
}

/** Returns whether a field gets a value if it is absent. */
const isAlwaysThere = (schema: Schema | undefined): boolean =>
  schema?.default !== undefined || schema?.['x-kindforge-presence'] === 'always';

/** Returns the type in words; `undefined` for any type. */
function typeOf(schema: Schema): string | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return 'an integer or string';
  return schema.type && NOUNS[schema.type];
}

/** Returns the path of a field as in `spec.rules[].host`. */
function fieldOf(steps: Path): string {
  let text = '';
  for (let index = 0; index < steps.length; index++) {
    const step = steps[index];
    if (step === 'items') text += '[]';
    else if (step === 'additionalProperties') text += '{}';
    else text += `${text === '' ? '' : '.'}${String(steps[++index] ?? '')}`;
  }
  return text;
}
