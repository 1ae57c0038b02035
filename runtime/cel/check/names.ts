/** Finds the targets of names and selected fields. */
import { fieldTypeIn } from '../environment.js';
import type { Expr, Ident, Select } from '../syntax/ast.js';
import type { CheckHost } from './host.js';
import { qualifiedName } from './references.js';
import {
  bool,
  dyn,
  errorType,
  formatType,
  isDynOrError,
  optional,
  type SimpleKind,
  type Type,
  typeOf,
  withParts,
} from './types.js';

export class NameChecker {
  constructor(private readonly host: CheckHost) {}

  /** Checks a name without dots. */
  ident(expr: Ident): Type {
    const type = this.lookup(expr, expr.name);
    if (type !== undefined) return type;
    return this.host.undeclared(expr, expr.name);
  }

  /** Returns the type that a name refers to, and keeps the reference. */
  private lookup(expr: Expr, name: string): Type | undefined {
    const local = this.host.scope.find(name);
    if (local !== undefined) {
      this.host.references.set(expr, { kind: 'local', name });
      return local;
    }
    for (const candidate of this.host.environment.candidates(name)) {
      const variable = this.host.environment.variable(candidate);
      if (variable !== undefined) {
        this.host.references.set(expr, { kind: 'variable', name: candidate });
        return withoutParams(variable.type);
      }
      const type = this.host.environment.typeNamed(candidate);
      if (type !== undefined) {
        this.host.references.set(expr, { kind: 'type', name: candidate, type });
        return typeOf(type);
      }
    }
    return undefined;
  }

  /** Checks a name with dots, or a field of a value. */
  select(expr: Select): Type {
    const name = expr.test ? undefined : qualifiedName(expr);
    // A variable of a macro hides longer names that begin with its own.
    const first = name?.split('.')[0];
    if (name !== undefined && first !== undefined && this.host.scope.find(first) === undefined) {
      const type = this.lookup(expr, name);
      if (type !== undefined) return type;
    }
    const field = this.field(expr, expr.operand, expr.field, false);
    return expr.test ? bool : field;
  }

  /** Returns the type of a field. A field of an optional is optional itself. */
  field(expr: Expr, operand: Expr, name: string, makeOptional: boolean): Type {
    const found = this.host.substitution.apply(this.host.check(operand));
    const isOptional = found.kind === 'opaque' && found.name === 'optional_type';
    const target = isOptional ? (found.params[0] ?? dyn) : found;
    const type = this.fieldOf(expr, target, name);
    return isOptional || makeOptional ? optional(type) : type;
  }

  private fieldOf(expr: Expr, target: Type, name: string): Type {
    switch (target.kind) {
      case 'map':
        return target.value;
      case 'object': {
        const known = this.host.environment.objectNamed(target.name);
        if (known === undefined) {
          this.host.report(expr, `unexpected failed resolution of '${target.name}'`);
          return errorType;
        }
        const type = fieldTypeIn(known, name);
        if (type !== undefined) return type;
        this.host.report(expr, `undefined field '${name}'`);
        return errorType;
      }
      case 'param':
        this.host.substitution.assign([dyn], [target]);
        return dyn;
      default:
        if (isDynOrError(target)) return dyn;
        this.host.report(expr, `type '${this.operandType(target)}' does not support field selection`);
        return errorType;
    }
  }

  private operandType(type: Type): string {
    return this.host.environment.options.earlyMessages === true ? typeMessage(type) : formatType(type);
  }
}

/** Replaces parameters in the type of a variable by `dyn`. */
function withoutParams(type: Type): Type {
  return type.kind === 'param' ? dyn : withParts(type, withoutParams);
}

// Prints types as some errors of release 1.27 do: in the text form of their protobuf messages.

const primitives: Partial<Readonly<Record<SimpleKind, string>>> = {
  bool: 'BOOL',
  int: 'INT64',
  uint: 'UINT64',
  double: 'DOUBLE',
  string: 'STRING',
  bytes: 'BYTES',
};

const wellKnown: Partial<Readonly<Record<SimpleKind, string>>> = {
  any: 'ANY',
  timestamp: 'TIMESTAMP',
  duration: 'DURATION',
};

/** Returns the text form of a type's message: `primitive:INT64`, `list_type:{elem_type:{primitive:STRING}}`. */
function typeMessage(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `list_type:{elem_type:{${typeMessage(type.element)}}}`;
    case 'map':
      return `map_type:{key_type:{${typeMessage(type.key)}} value_type:{${typeMessage(type.value)}}}`;
    case 'type':
      return `type:{${type.of === undefined ? '' : typeMessage(type.of)}}`;
    case 'object':
      return `message_type:"${type.name}"`;
    case 'opaque':
      return `abstract_type:{name:"${type.name}"${type.params.map((of) => ` parameter_types:{${typeMessage(of)}}`).join('')}}`;
    case 'wrapper':
      return typeMessage(type.of).replace(/^primitive:/, 'wrapper:');
    case 'param':
      return `type_param:"${type.name}"`;
    case 'null':
      return 'null:NULL_VALUE';
    case 'dyn':
      return 'dyn:{}';
    case 'error':
      return 'error:{}';
    default:
      return simpleMessage(type.kind);
  }
}

function simpleMessage(kind: SimpleKind): string {
  const primitive = primitives[kind];
  if (primitive !== undefined) return `primitive:${primitive}`;
  const known = wellKnown[kind];
  return known === undefined ? formatType({ kind }) : `well_known:${known}`;
}
