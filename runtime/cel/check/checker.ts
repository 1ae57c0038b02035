/** Finds the type of every part of an expression, and the targets of its names. */
import { type Environment, fieldTypeIn } from '../environment.js';
import type { Comprehension, Expr, ListLiteral, MapLiteral, MessageLiteral } from '../syntax/ast.js';
import type { RawIssue } from '../syntax/source.js';
import { CallChecker } from './calls.js';
import { type CheckHost, Scope } from './host.js';
import { NameChecker } from './names.js';
import type { Checked, Reference } from './references.js';
import { mostGeneral, Substitution } from './substitution.js';
import {
  bool,
  bytes,
  double,
  dyn,
  errorType,
  formatType,
  int,
  isDynOrError,
  list,
  map,
  nullType,
  optional,
  string,
  type Type,
  uint,
} from './types.js';

export type CheckResult =
  | { readonly ok: true; readonly checked: Checked; readonly type: Type }
  | { readonly ok: false; readonly issues: readonly RawIssue[] };

/** Checks an expression and reports all mistakes. */
export function check(expr: Expr, environment: Environment): CheckResult {
  const checker = new Checker(environment);
  checker.check(expr);
  return checker.finish(expr);
}

const constantTypes = { null: nullType, bool, int, uint, double, string, bytes } as const;

class Checker implements CheckHost {
  readonly substitution = new Substitution();
  readonly scope = new Scope();
  readonly types = new Map<Expr, Type>();
  readonly references = new Map<Expr, Reference>();
  private readonly issues: RawIssue[] = [];
  private readonly names = new NameChecker(this);
  private readonly calls = new CallChecker(this);
  private readonly aggregates: AggregateChecker;
  private readonly comprehensions = new ComprehensionChecker(this);

  constructor(readonly environment: Environment) {
    this.aggregates = new AggregateChecker(this);
  }

  finish(expr: Expr): CheckResult {
    if (this.issues.length > 0) return { ok: false, issues: this.issues };
    for (const [part, type] of this.types) this.types.set(part, this.substitution.apply(type, true));
    const type = this.types.get(expr) ?? dyn;
    return { ok: true, checked: { types: this.types, references: this.references }, type };
  }

  check(expr: Expr): Type {
    // Checks a part once, even if a macro uses it twice.
    const known = this.types.get(expr);
    if (known !== undefined) return known;
    const type = this.typeFor(expr);
    this.types.set(expr, type);
    return type;
  }

  private typeFor(expr: Expr): Type {
    switch (expr.kind) {
      case 'constant':
        return constantTypes[expr.literal.type];
      case 'ident':
        return this.names.ident(expr);
      case 'select':
        return this.names.select(expr);
      case 'call':
        return this.calls.call(expr);
      case 'list':
        return this.aggregates.list(expr);
      case 'map':
        return this.aggregates.map(expr);
      case 'message':
        return this.aggregates.message(expr);
      case 'comprehension':
        return this.comprehensions.comprehension(expr);
    }
  }

  field(expr: Expr, operand: Expr, name: string, makeOptional: boolean): Type {
    return this.names.field(expr, operand, name, makeOptional);
  }

  mixing(check: () => void): void {
    this.aggregates.mixing(check);
  }

  undeclared(expr: Expr, name: string): Type {
    this.report(
      expr,
      `undeclared reference to '${name.replace(/^\./, '')}' (in container '${this.environment.options.container ?? ''}')`,
    );
    return errorType;
  }

  report({ at }: Pick<RawIssue, 'at'>, message: string): void {
    this.issues.push({ at, message });
  }
}

class ComprehensionChecker {
  constructor(private readonly host: CheckHost) {}

  /** Checks a loop. Its type is the type of its result. */
  comprehension(expr: Comprehension): Type {
    const range = this.host.substitution.apply(this.host.check(expr.range));
    const accumulated = this.host.check(expr.init);
    this.host.scope.enter(new Map([[expr.accumulator, accumulated]]));
    this.host.scope.enter(this.loopVariables(expr, range));
    this.host.check(expr.condition);
    this.expect(expr.condition, bool);
    this.host.check(expr.step);
    this.expect(expr.step, accumulated);
    this.host.scope.leave();
    const type = this.host.check(expr.result);
    this.host.scope.leave();
    return this.host.substitution.apply(type);
  }

  private loopVariables(expr: Comprehension, range: Type): ReadonlyMap<string, Type> {
    const [first, second] = this.elementTypes(expr, range);
    if (expr.second === undefined) return new Map([[expr.variable, range.kind === 'list' ? second : first]]);
    return new Map([
      [expr.variable, first],
      [expr.second, second],
    ]);
  }

  /** Returns the types of the index or key, and of the value. */
  private elementTypes(expr: Comprehension, range: Type): readonly [Type, Type] {
    if (range.kind === 'list') return [int, range.element];
    if (range.kind === 'map') return [range.key, range.value];
    if (range.kind === 'param') this.host.substitution.assign([dyn], [range]);
    else if (!isDynOrError(range)) {
      const message = `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
      this.host.report(expr.range, message);
      return [errorType, errorType];
    }
    return [dyn, dyn];
  }

  private expect(expr: Expr, wanted: Type): void {
    const found = this.host.types.get(expr) ?? dyn;
    if (this.host.substitution.assign([wanted], [found])) return;
    const [expected, actual] = [wanted, found].map((type) => formatType(this.host.substitution.apply(type)));
    this.host.report(expr, `expected type '${expected}' but found '${actual}'`);
  }
}

class AggregateChecker {
  /** Whether lists and maps may hold values of several types. */
  private mixed: boolean;

  constructor(private readonly host: CheckHost) {
    this.mixed = host.environment.options.mixedLiterals === true;
  }

  /** Runs checks in which lists and maps may have values of several types. */
  mixing(check: () => void): void {
    const { mixed } = this;
    this.mixed = true;
    check();
    this.mixed = mixed;
  }

  /** Checks a list. Its items have the most general of their types. */
  list(expr: ListLiteral): Type {
    let element: Type | undefined;
    expr.items.forEach((item, i) => {
      const type = this.optionalEntry(item, this.host.check(item), expr.optional.has(i));
      element = this.join(item, element, type);
    });
    return list(element ?? this.host.substitution.fresh());
  }

  /** Checks a map. Its keys and values have the most general of their types. */
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

  /** Returns the type of an entry. For an optional entry, this is the type of the optional's value. */
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

  /** Checks an object of a named type and its fields. */
  message(expr: MessageLiteral): Type {
    const name = this.host.environment
      .candidates(expr.name)
      .find((candidate) => this.host.environment.typeNamed(candidate) !== undefined);
    const type = name === undefined ? undefined : this.host.environment.typeNamed(name);
    if (name === undefined || type === undefined) {
      for (const { value } of expr.fields) this.host.check(value);
      return this.host.undeclared(expr, expr.name);
    }
    const known = this.host.environment.objectNamed(name);
    if (known === undefined) {
      this.host.report(expr, `'${name}' is not a message type`);
      return errorType;
    }
    this.host.references.set(expr, { kind: 'message', name });
    for (const { at, name: field, value, optional: isOptional } of expr.fields) {
      const found = this.optionalEntry(value, this.host.check(value), isOptional);
      const wanted = fieldTypeIn(known, field);
      if (wanted === undefined) this.host.report({ at }, `undefined field '${field}'`);
      else if (!this.host.substitution.assign([found], [wanted])) {
        const message = `expected type of field '${field}' is '${formatType(wanted)}' but provided type is '${formatType(found)}'`;
        this.host.report({ at }, message);
      }
    }
    return type;
  }
}
