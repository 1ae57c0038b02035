/** One version of a definition as the server applies it: the results of writes, changes and reads of objects. */
import {
  checkRules,
  compileRuleTree,
  laterEnvironment,
  laterReading,
  type RulePlace,
} from '../../../runtime/cel/index.js';
import type { FieldError, JsonObject, Schema, SchemaFunctions } from '../../../runtime/contract/index.js';
import { clone } from '../../../runtime/objects/clone.js';
import { Correlation, schemaFunctions, updateErrors } from '../../../runtime/schema/index.js';
import type { DefinitionAnswer, DiffedVersion } from '../difference.js';

/** An answer, with the fields that the definition did not know and therefore left out. */
export type Answer = DefinitionAnswer & { readonly pruned: readonly string[] };

/** A stored object as it is read, without the fields that the definition no longer knows. */
export interface Reading {
  readonly object: JsonObject;
  readonly pruned: readonly string[];
  /** The reason that it cannot be read. */
  readonly undecodable?: string;
}

/** The part of a version that affects its answers. */
export interface DefinitionParts {
  readonly schema: Schema;
  readonly decoding: 'typed' | 'structural';
  readonly kind: string;
  readonly apiVersion: string;
  /** Parts of the object that only the `status` subresource writes. */
  readonly statusParts: readonly string[];
}

/** Returns this part of a version, with its own schema or another one. */
export function partsOf({ resource, version }: DiffedVersion, schema: Schema = version.schema): DefinitionParts {
  const status = version.subresources.find(({ name }) => name === 'status');
  return {
    schema,
    decoding: resource.decoding,
    kind: resource.names.kind,
    apiVersion: resource.group === '' ? version.name : `${resource.group}/${version.name}`,
    statusParts: status === undefined || status.atCreate === true ? [] : status.writes,
  };
}

/**
 * Answers writes with the functions and rules that the server compiles for the same schema. As in a server without
 * `--emulated-version`, updates may leave wrong values as they are.
 */
export class Definition {
  private readonly functions: SchemaFunctions;
  private readonly rules: RulePlace | undefined;

  constructor(private readonly parts: DefinitionParts) {
    const { schema, decoding, kind, apiVersion } = parts;
    const version = apiVersion.split('/').at(-1) ?? '';
    this.functions = schemaFunctions(schema, { decoding, kind, version });
    this.rules = compileRuleTree(schema, laterEnvironment, laterReading);
  }

  /** Returns the answer to a create. */
  create(sent: JsonObject): Answer {
    const reading = this.read(sent);
    const { object, pruned } = reading;
    if (reading.undecodable !== undefined) return refused([reading.undecodable], pruned);
    for (const part of this.parts.statusParts) delete object[part];
    // Restores parts that are always present, and parts with a default.
    if (this.parts.decoding === 'typed') this.functions.normalize?.(object);
    this.functions.applyDefaults(object);
    const errors: FieldError[] = [];
    this.functions.validate(object, errors);
    checkRules(this.rules, object, undefined, errors);
    return errors.length > 0 ? refused(textsOf(errors), pruned) : { accepted: true, object, pruned };
  }

  /** Returns the answer to an update of a stored object that this definition has read. */
  update(before: JsonObject, sent: JsonObject, through: 'object' | 'status' = 'object'): Answer {
    const reading = this.read(sent);
    const { pruned } = reading;
    if (reading.undecodable !== undefined) return refused([reading.undecodable], pruned);
    const object = this.writable(before, reading.object, through);
    const { functions } = this;
    const { decoding, schema } = this.parts;
    const ratchets = decoding === 'structural';
    const isStatus = through === 'status';
    const errors = [...updateErrors({ functions, decoding, ratchets, isStatus }, object, before)];
    functions.validateUpdate?.(object, before, errors);
    const ratchet = { correlation: new Correlation(schema, object, before), warn: () => undefined };
    checkRules(this.rules, object, before, errors, ratchets ? { ratchet } : {});
    return errors.length > 0 ? refused(textsOf(errors), pruned) : { accepted: true, object, pruned };
  }

  /** Reads a stored object, with defaults. */
  read(stored: JsonObject): Reading {
    const { apiVersion, kind } = this.parts;
    const object: JsonObject = Object.assign(clone(stored), { apiVersion, kind });
    const pruned: string[] = [];
    const mismatch = this.functions.normalize?.(object);
    if (mismatch !== undefined) return { object, pruned, undecodable: mismatch.message };
    this.functions.prune(object, (path) => void pruned.push(path));
    this.functions.applyDefaults(object);
    return { object, pruned };
  }

  /** Returns the part of an object that this definition knows. */
  known(object: JsonObject): JsonObject {
    const copy = Object.assign(clone(object), { apiVersion: this.parts.apiVersion });
    this.functions.prune(copy, () => {});
    return copy;
  }

  /** Returns an update without changes to the parts that its path cannot write. */
  private writable(before: JsonObject, sent: JsonObject, through: 'object' | 'status'): JsonObject {
    const { statusParts } = this.parts;
    const [from, into] = through === 'status' ? [sent, clone(before)] : [before, sent];
    for (const part of statusParts) {
      const value = from[part];
      if (value === undefined) delete into[part];
      else into[part] = clone(value);
    }
    return into;
  }
}

const refused = (causes: readonly string[], pruned: readonly string[]): Answer => ({
  accepted: false,
  causes,
  pruned,
});

const textsOf = (errors: readonly FieldError[]): readonly string[] =>
  errors.map(({ field, message }) => `${field}: ${message}`);
