/** Finds the types of lists, maps and objects of named types. */
import type { Expr, ListLiteral, MapLiteral, MessageLiteral } from '../syntax/ast.js';
import type { CheckHost } from './host.js';
import { mostGeneral } from './substitution.js';
import { dyn, errorType, formatType, isDynOrError, list, map, optional, type Type } from './types.js';

export class AggregateChecker {
  /** Whether lists and maps may hold values of several types. */
  private mixed: boolean;

  constructor(private readonly host: CheckHost) {
    this.mixed = host.environment.options.mixedLiterals === true;
  }

  /** Checks parts whose lists and maps may hold values of several types. */
  mixing(check: () => void): void {
    const { mixed } = this;
    this.mixed = true;
    check();
    this.mixed = mixed;
  }

  /** A list, of the most general type of its items. */
  list(expr: ListLiteral): Type {
    let element: Type | undefined;
    expr.items.forEach((item, i) => {
      const type = this.optionalEntry(item, this.host.check(item), expr.optional.has(i));
      element = this.join(item, element, type);
    });
    return list(element ?? this.host.substitution.fresh());
  }

  /** A map, of the most general types of its keys and values. */
  map(expr: MapLiteral): Type {
    let key: Type | undefined;
    let value: Type | undefined;
    for (const entry of expr.entries) {
      key = this.join(entry.key, key, this.host.check(entry.key));
      value = this.join(
        entry.value,
        value,
        this.optionalEntry(entry.value, this.host.check(entry.value), entry.optional),
      );
    }
    return map(key ?? this.host.substitution.fresh(), value ?? this.host.substitution.fresh());
  }

  /** An optional entry holds an optional; what it wraps is the entry's type. */
  private optionalEntry(expr: Expr, type: Type, isOptional: boolean): Type {
    if (!isOptional) return type;
    const known = this.host.substitution.apply(type);
    if (known.kind === 'opaque' && known.name === 'optional_type') return known.params[0] ?? dyn;
    if (isDynOrError(known)) return known;
    this.host.report(expr, `expected type '${formatType(optional(known))}' but found '${formatType(known)}'`);
    return errorType;
  }

  private join(expr: Expr, previous: Type | undefined, current: Type): Type {
    if (previous === undefined) return current;
    if (this.host.substitution.assign([previous], [current])) return mostGeneral(previous, current);
    if (this.mixed) return dyn;
    const [expected, found] = [previous, current].map((type) => formatType(this.host.substitution.apply(type)));
    this.host.report(expr, `expected type '${expected}' but found '${found}'`);
    return errorType;
  }

  /** An object of a named type, whose fields have types of their own. */
  message(expr: MessageLiteral): Type {
    const name = this.host.environment
      .candidates(expr.name)
      .find((candidate) => this.host.environment.typeNames.get(candidate) !== undefined);
    const type = name === undefined ? undefined : this.host.environment.typeNames.get(name);
    if (name === undefined || type === undefined) {
      for (const { value } of expr.fields) this.host.check(value);
      return this.host.undeclared(expr, expr.name);
    }
    const fields = this.host.environment.objects.get(name)?.fields;
    if (fields === undefined) {
      this.host.report(expr, `'${name}' is not a message type`);
      return errorType;
    }
    this.host.references.set(expr, { kind: 'message', name });
    for (const { at, name: field, value, optional: isOptional } of expr.fields) {
      const found = this.optionalEntry(value, this.host.check(value), isOptional);
      const wanted = Object.hasOwn(fields, field) ? fields[field] : undefined;
      if (wanted === undefined) this.host.report({ at }, `undefined field '${field}'`);
      else if (!this.host.substitution.assign([found], [wanted])) {
        const message = `expected type of field '${field}' is '${formatType(wanted)}' but provided type is '${formatType(found)}'`;
        this.host.report({ at }, message);
      }
    }
    return type;
  }
}
