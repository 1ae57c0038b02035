/** Builds the functions for a kind's objects from its schema. */
import type {
  ErrorSink,
  FieldError,
  JsonObject,
  JsonValue,
  Schema,
  SchemaFunctions,
  TypeMismatch,
} from '../../contract/index.js';
import { getOwn, isObject } from '../../objects/guards.js';
import { Correlation } from '../correlation.js';
import type { LaterFormats } from '../formats.js';
import { objectMetaSchema } from '../object-meta.js';
import type { Decoding } from './checks.js';
import { checkEmbedded, readEmbedded } from './embedded.js';
import { fillStructural, fillTyped, pruneObject, pruneValue, replaceNulls, UnknownFields } from './fields.js';
import { Findings, Path } from './findings.js';
import { checkMap, checkSet } from './list-types.js';
import { pascal } from './mistake.js';
import { normalizeFields } from './normalize.js';
import { findChanges, keyBehindDot, keyInBrackets, walkParts } from './parts.js';
import { compileTable, type Node, type Table } from './table.js';
import { Validator } from './validate.js';
import { TypedValidator } from './validate-typed.js';

export interface SchemaOptions {
  /** How to report wrong values; see `ResourceModule.decoding`. */
  readonly decoding: Decoding;
  /** The kind, for messages about typed kinds; by default `Object`. */
  readonly kind?: string;
  /** The version, for messages about typed kinds; by default `v1`. */
  readonly version?: string;
  /** The formats of later releases that values must match; by default all. */
  readonly formats?: LaterFormats;
}

/** Compiles a schema and returns the functions for its objects. The schema must not change later. */
export function schemaFunctions(schema: Schema, options: SchemaOptions): SchemaFunctions {
  return options.decoding === 'typed' ? typedFunctions(schema, options) : structuralFunctions(schema, options);
}

function typedFunctions(schema: Schema, { kind, version = 'v1', formats }: SchemaOptions): SchemaFunctions {
  const table = compileTable(schema, 'typed', formats);
  const { root, body } = table;
  const names = { kind: pascal(kind ?? 'Object'), version };
  return {
    normalize: (object) => normalizeFields(body, object, names),
    prune(object, report) {
      const unknown = new UnknownFields();
      pruneObject(root, object, unknown);
      unknown.reportTo(report, false);
    },
    applyDefaults: (object) => fillTyped(table, object),
    validate: validation((object, found, inOrder) => {
      new TypedValidator(new Path(), found, inOrder).object(table, object);
      if (root.combines) found.dropRepeats();
    }),
    ...(root.gates.size === 0 ? {} : { dropDisabled: (...given) => dropDisabled(root, ...given) }),
    ...(root.hasFixed ? { validateUpdate: (...given) => findChanges(table, ...given) } : {}),
  };
}

function structuralFunctions(schema: Schema, { formats }: SchemaOptions): SchemaFunctions {
  const table = compileTable(schema, 'structural', formats);
  const { root } = table;
  return {
    ...(root.hasEmbedded ? { normalize: (object) => readAllEmbedded(root, object) } : {}),
    prune: (object, report) => pruneStructural(root, object, report),
    applyDefaults: (object) => fillStructural(table, object),
    replaceNulls: (object) => replaceNulls(table, object),
    validate: validation((object, found, inOrder, update) => {
      const validator = update
        ? new UpdateValidator(new Path(), found, new Correlation(schema, object, update.old), update.pass)
        : new Validator(new Path(), found, inOrder);
      validator.check(root, object);
      if (root.combines) found.dropRepeats();
      checkAllEmbedded(root, object, found);
      checkKeyedLists(root, object, found);
    }),
  };
}

/** Adds the errors of an object to the findings. */
type Check = (object: JsonObject, found: Findings, inOrder: boolean, update?: Update) => void;

interface Update {
  readonly old: JsonObject;
  /** Gets the errors of unchanged values. */
  readonly pass: (error: FieldError) => unknown;
}

/**
 * Makes the validation. It reports errors in the order of the schema, but not for unchanged values. Most objects have
 * no errors, so the walk in this order is rare.
 */
const validation =
  (check: Check) =>
  (object: JsonObject, sink: ErrorSink, old?: JsonObject): void => {
    const any = new Findings();
    check(object, any, false);
    if (any.empty) return;
    const found = new Findings();
    check(object, found, true, old && { old, pass: (error) => sink.pass?.(error) });
    found.reportTo(sink);
  };

/** Prunes an object. Reports fields of metadata after all other fields, each group in the order of paths. */
function pruneStructural(root: Node, object: JsonObject, report: (path: string) => void): void {
  const unknown = new UnknownFields();
  pruneObject(root, object, unknown);
  unknown.reportTo(report, true);
  if (!root.hasEmbedded) return;
  const inMetadata = new UnknownFields();
  walkParts(root, object, {
    reaches: ({ hasEmbedded }) => hasEmbedded,
    keyStep: keyBehindDot,
    visit({ embedded }, value, path) {
      if (!embedded || !isObject(value)) return;
      pruneValue(metadata().root, getOwn(value, 'metadata'), path.below('.metadata'), inMetadata);
    },
  });
  inMetadata.reportTo(report, true);
}

function readAllEmbedded(root: Node, object: JsonObject): TypeMismatch | undefined {
  const read = (found: JsonObject): TypeMismatch | undefined =>
    normalizeFields(metadata().root.fields, found, { kind: 'ObjectMeta', version: 'v1' });
  return walkParts(root, object, {
    reaches: ({ hasEmbedded }) => hasEmbedded,
    keyStep: keyInBrackets,
    visit: ({ embedded }, value, path) => (embedded ? readEmbedded(value, path.toString(), read) : undefined),
  });
}

let metadataTable: Table | undefined;

/** Returns the table of metadata. Compiles it for the first kind with embedded objects. */
function metadata(): Table {
  metadataTable ??= compileTable(objectMetaSchema, 'typed');
  return metadataTable;
}

function checkAllEmbedded(root: Node, object: JsonObject, errors: Findings): void {
  walkParts(root, object, {
    reaches: ({ hasEmbedded }) => hasEmbedded,
    keyStep: keyInBrackets,
    visit: ({ embedded }, value, path): void => {
      if (embedded) checkEmbedded(value, path, errors);
    },
  });
}

function checkKeyedLists(root: Node, object: JsonObject, errors: Findings): void {
  walkParts(root, object, {
    reaches: ({ hasKeyedLists }) => hasKeyedLists,
    keyStep: keyInBrackets,
    visit({ schema }, value, path): void {
      const type = schema['x-kubernetes-list-type'];
      if (type === 'set') checkSet(value, path, errors);
      else if (type === 'map') checkMap(value, path, schema['x-kubernetes-list-map-keys'] ?? [], errors);
    },
  });
}

type Value = JsonValue | undefined;

/**
 * Removes, in place, the fields of disabled gates, unless the stored object has a field with the same gate. Does not
 * read objects while all gates are enabled.
 */
function dropDisabled(
  root: Node,
  object: JsonObject,
  old: JsonObject | undefined,
  isEnabled: (gate: string) => boolean,
): void {
  const off = new Set<string>();
  for (const gate of root.gates) if (!isEnabled(gate)) off.add(gate);
  if (off.size > 0 && old !== undefined) forgetUsed(root, old, off);
  if (off.size > 0) dropFields(root, object, off);
}

/** Removes the gates that a value uses from a set. */
function forgetUsed(node: Node, value: Value, off: Set<string>): void {
  forEachGated(node, value, (object, name, gate) => {
    if (gate !== undefined && getOwn(object, name) !== undefined) off.delete(gate);
    return true;
  });
}

function dropFields(node: Node, value: Value, off: ReadonlySet<string>): void {
  forEachGated(node, value, (object, name, gate) => {
    if (gate === undefined || !off.has(gate)) return true;
    Reflect.deleteProperty(object, name);
    return false;
  });
}

/** Handles a field with a gate, or with gated fields below it. Returns whether to continue below it. */
type Visit = (object: JsonObject, name: string, gate: string | undefined) => boolean;

/** Visits the fields with a gate, and the fields above them. */
function forEachGated(node: Node, value: Value, visit: Visit): void {
  if (node.gates.size === 0 || typeof value !== 'object' || value === null) return;
  const { fields, items, values } = node;
  if (Array.isArray(value)) {
    if (items !== undefined && items.gates.size > 0) for (const item of value) forEachGated(items, item, visit);
    return;
  }
  if (!isObject(value)) return;
  for (const { name, node: child, gate } of fields.list) {
    if (child.gates.size > 0 && visit(value, name, gate)) forEachGated(child, getOwn(value, name), visit);
  }
  if (values !== undefined && values.gates.size > 0) for (const key in value) forEachGated(values, value[key], visit);
}

/**
 * Drops the errors of each value that equals its earlier state, and of all values below it. Errors of a combination's
 * branches belong to the value that the combination checks.
 */
class UpdateValidator extends Validator {
  #at: Correlation | undefined;

  /** `pass` gets the dropped errors. */
  constructor(
    path: Path,
    found: Findings,
    root: Correlation,
    private readonly pass: (error: FieldError) => unknown,
  ) {
    super(path, found, true);
    this.#at = root;
  }

  protected override below(node: Node, value: JsonValue, step: string | number): number {
    const around = this.#at;
    const { count } = this.found;
    this.#at = around?.child(typeof step === 'number' ? step : step.slice(1));
    const applied = super.below(node, value, step);
    if (this.found.count > count && this.#at?.isUnchanged) this.found.dropSince(count).forEach(this.pass);
    this.#at = around;
    return applied;
  }
}
