/** Finds the type of every part of an expression, and what its names refer to. */
import type { Environment, FunctionDeclaration, Overload } from '../environment.js';
import type {
  Call,
  Comprehension,
  Expr,
  Ident,
  ListLiteral,
  MapLiteral,
  MessageLiteral,
  Select,
} from '../syntax/ast.js';
import type { RawIssue } from '../syntax/source.js';
import { mostGeneral, Substitution } from './substitution.js';
import {
  bool,
  bytes as bytesType,
  double,
  dyn,
  errorType,
  formatType,
  int,
  isDyn,
  isDynOrError,
  list,
  map,
  nullType,
  optional,
  sameType,
  string,
  type Type,
  typeOf,
  uint,
  withParts,
} from './types.js';

/** What a name in an expression refers to. */
export type Reference =
  | { readonly kind: 'variable'; readonly name: string }
  /** A variable of a macro. */
  | { readonly kind: 'local'; readonly name: string }
  /** The name of a type. */
  | { readonly kind: 'type'; readonly name: string; readonly type: Type }
  /** Overloads that may be called, as the types that are known allow. */
  | {
      readonly kind: 'function';
      readonly name: string;
      readonly overloads: readonly Overload[];
      readonly namespaced: boolean;
    }
  /** The full name of a type whose object is made. */
  | { readonly kind: 'message'; readonly name: string };

/** Types and references of the parts of an expression. */
export interface Checked {
  readonly types: ReadonlyMap<Expr, Type>;
  readonly references: ReadonlyMap<Expr, Reference>;
}

export type CheckResult =
  | { readonly ok: true; readonly checked: Checked; readonly type: Type }
  | { readonly ok: false; readonly issues: readonly RawIssue[] };

/** Checks an expression; all mistakes are reported. */
export function check(expr: Expr, environment: Environment): CheckResult {
  const checker = new Checker(environment);
  checker.check(expr);
  return checker.finish(expr);
}

/** `a.b.c` as one name; `undefined` where it is more than that. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.test) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}

/** Variables of macros by name, the innermost first. */
interface Scope {
  readonly names: ReadonlyMap<string, Type>;
  readonly outer: Scope | undefined;
}

class Checker {
  private readonly substitution = new Substitution();
  private readonly types = new Map<Expr, Type>();
  private readonly references = new Map<Expr, Reference>();
  private readonly issues: RawIssue[] = [];
  private scope: Scope | undefined;
  /** Whether lists and maps may hold values of several types. */
  private mixed: boolean;

  constructor(private readonly environment: Environment) {
    this.mixed = environment.options.mixedLiterals === true;
  }

  finish(expr: Expr): CheckResult {
    if (this.issues.length > 0) return { ok: false, issues: this.issues };
    for (const [part, type] of this.types) this.types.set(part, this.substitution.apply(type, true));
    const type = this.types.get(expr) ?? dyn;
    return { ok: true, checked: { types: this.types, references: this.references }, type };
  }

  check(expr: Expr): Type {
    // Parts that a macro uses twice are checked once.
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
        return this.ident(expr);
      case 'select':
        return this.select(expr);
      case 'call':
        return this.call(expr);
      case 'list':
        return this.list(expr);
      case 'map':
        return this.map(expr);
      case 'message':
        return this.message(expr);
      case 'comprehension':
        return this.comprehension(expr);
    }
  }

  private ident(expr: Ident): Type {
    const type = this.lookup(expr, expr.name);
    if (type !== undefined) return type;
    return this.undeclared(expr, expr.name);
  }

  private undeclared(expr: Expr, name: string): Type {
    this.report(
      expr,
      `undeclared reference to '${name.replace(/^\./, '')}' (in container '${this.environment.options.container ?? ''}')`,
    );
    return errorType;
  }

  /** The type of what a name refers to; the reference is kept. */
  private lookup(expr: Expr, name: string): Type | undefined {
    const local = this.local(name);
    if (local !== undefined) {
      this.references.set(expr, { kind: 'local', name });
      return local;
    }
    for (const candidate of this.environment.candidates(name)) {
      const variable = this.environment.variable(candidate);
      if (variable !== undefined) {
        this.references.set(expr, { kind: 'variable', name: candidate });
        return withoutParams(variable.type);
      }
      const type = this.environment.typeNames.get(candidate);
      if (type !== undefined) {
        this.references.set(expr, { kind: 'type', name: candidate, type });
        return typeOf(type);
      }
    }
    return undefined;
  }

  private local(name: string): Type | undefined {
    for (let scope = this.scope; scope !== undefined; scope = scope.outer) {
      const type = scope.names.get(name);
      if (type !== undefined) return type;
    }
    return undefined;
  }

  private select(expr: Select): Type {
    const name = expr.test ? undefined : qualifiedName(expr);
    // A variable of a macro hides longer names that begin with its own.
    const first = name?.split('.')[0];
    if (name !== undefined && first !== undefined && this.local(first) === undefined) {
      const type = this.lookup(expr, name);
      if (type !== undefined) return type;
    }
    const field = this.field(expr, expr.operand, expr.field, false);
    return expr.test ? bool : field;
  }

  private field(expr: Expr, operand: Expr, name: string, makeOptional: boolean): Type {
    const found = this.substitution.apply(this.check(operand));
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
        const fields = this.environment.objects.get(target.name)?.fields;
        if (fields === undefined) {
          this.report(expr, `unexpected failed resolution of '${target.name}'`);
          return errorType;
        }
        const type = Object.hasOwn(fields, name) ? fields[name] : undefined;
        if (type !== undefined) return type;
        this.report(expr, `undefined field '${name}'`);
        return errorType;
      }
      case 'param':
        this.substitution.assign([dyn], [target]);
        return dyn;
      default:
        if (isDynOrError(target)) return dyn;
        this.report(expr, `type '${formatType(target)}' does not support field selection`);
        return errorType;
    }
  }

  private call(expr: Call): Type {
    if (expr.name === '_?._') return this.optionalSelect(expr);
    this.arguments(expr);
    if (expr.target === undefined) {
      const declaration = this.function(expr.name);
      if (declaration === undefined) return this.undeclared(expr, expr.name);
      return this.resolve(expr, declaration, undefined, false);
    }
    const prefix = qualifiedName(expr.target);
    const namespaced = prefix === undefined ? undefined : this.function(`${prefix}.${expr.name}`);
    if (namespaced !== undefined) return this.resolve(expr, namespaced, undefined, true);
    this.check(expr.target);
    const declaration = this.environment.functions.get(expr.name);
    if (declaration === undefined) return this.undeclared(expr, expr.name);
    return this.resolve(expr, declaration, expr.target, false);
  }

  /** What is formatted may be of several types. */
  private arguments(expr: Call): void {
    const mixed = this.mixed;
    this.mixed ||= expr.name === 'format' && expr.target !== undefined;
    for (const argument of expr.args) this.check(argument);
    this.mixed = mixed;
  }

  private function(name: string): FunctionDeclaration | undefined {
    for (const candidate of this.environment.candidates(name)) {
      const declaration = this.environment.functions.get(candidate);
      if (declaration !== undefined) return declaration;
    }
    return undefined;
  }

  private optionalSelect(expr: Call): Type {
    const [operand, name] = expr.args;
    if (operand === undefined || name?.kind !== 'constant' || name.literal.type !== 'string') return errorType;
    this.types.set(name, string);
    const declaration = this.environment.functions.get(expr.name);
    this.references.set(expr, {
      kind: 'function',
      name: expr.name,
      overloads: declaration?.overloads ?? [],
      namespaced: false,
    });
    return this.field(expr, operand, name.literal.value, true);
  }

  private resolve(expr: Call, declaration: FunctionDeclaration, target: Expr | undefined, namespaced: boolean): Type {
    const args = target === undefined ? expr.args : [target, ...expr.args];
    const types = args.map((argument) => this.types.get(argument) ?? dyn);
    const fitting: Overload[] = [];
    let result: Type | undefined;
    for (const overload of declaration.overloads) {
      if (overload.member !== (target !== undefined) || overload.params.length !== types.length) continue;
      if (!this.allowed(overload)) continue;
      const rename = this.renaming();
      if (!this.substitution.assign(types, overload.params.map(rename))) continue;
      fitting.push(overload);
      const type = this.substitution.apply(rename(overload.result));
      if (result === undefined) result = type;
      else if (!isDyn(result) && !sameType(type, result)) result = dyn;
    }
    if (result === undefined) return this.noOverload(expr, declaration.name, types, target !== undefined);
    this.references.set(expr, { kind: 'function', name: declaration.name, overloads: fitting, namespaced });
    return result;
  }

  /** Comparisons of numbers of different types are there, but may be switched off. */
  private allowed({ id }: Overload): boolean {
    return this.environment.options.mixedComparisons === true || !mixedComparison.test(id);
  }

  private noOverload(expr: Expr, name: string, types: readonly Type[], member: boolean): Type {
    const names = types.map((type) => formatType(this.substitution.apply(type)));
    const applied = member ? `${names[0]}.(${names.slice(1).join(', ')})` : `(${names.join(', ')})`;
    this.report(expr, `found no matching overload for '${name}' applied to '${applied}'`);
    return errorType;
  }

  /** Gives the parameters of a signature names of their own. */
  private renaming(): (type: Type) => Type {
    const names = new Map<string, Type>();
    const rename = (type: Type): Type => {
      if (type.kind !== 'param') return withParts(type, rename);
      const known = names.get(type.name) ?? this.substitution.fresh();
      names.set(type.name, known);
      return known;
    };
    return rename;
  }

  private list(expr: ListLiteral): Type {
    let element: Type | undefined;
    expr.items.forEach((item, i) => {
      const type = this.optionalEntry(item, this.check(item), expr.optional.has(i));
      element = this.join(item, element, type);
    });
    return list(element ?? this.substitution.fresh());
  }

  private map(expr: MapLiteral): Type {
    let key: Type | undefined;
    let value: Type | undefined;
    for (const entry of expr.entries) {
      key = this.join(entry.key, key, this.check(entry.key));
      value = this.join(entry.value, value, this.optionalEntry(entry.value, this.check(entry.value), entry.optional));
    }
    return map(key ?? this.substitution.fresh(), value ?? this.substitution.fresh());
  }

  /** An optional entry holds an optional; what it wraps is the entry's type. */
  private optionalEntry(expr: Expr, type: Type, isOptional: boolean): Type {
    if (!isOptional) return type;
    const known = this.substitution.apply(type);
    if (known.kind === 'opaque' && known.name === 'optional_type') return known.params[0] ?? dyn;
    if (isDynOrError(known)) return known;
    this.report(expr, `expected type '${formatType(optional(known))}' but found '${formatType(known)}'`);
    return errorType;
  }

  private join(expr: Expr, previous: Type | undefined, current: Type): Type {
    if (previous === undefined) return current;
    if (this.substitution.assign([previous], [current])) return mostGeneral(previous, current);
    if (this.mixed) return dyn;
    const [expected, found] = [previous, current].map((type) => formatType(this.substitution.apply(type)));
    this.report(expr, `expected type '${expected}' but found '${found}'`);
    return errorType;
  }

  private message(expr: MessageLiteral): Type {
    const name = this.environment
      .candidates(expr.name)
      .find((candidate) => this.environment.typeNames.get(candidate) !== undefined);
    const type = name === undefined ? undefined : this.environment.typeNames.get(name);
    if (name === undefined || type === undefined) {
      for (const { value } of expr.fields) this.check(value);
      return this.undeclared(expr, expr.name);
    }
    const fields = this.environment.objects.get(name)?.fields;
    if (fields === undefined) {
      this.report(expr, `'${name}' is not a message type`);
      return errorType;
    }
    this.references.set(expr, { kind: 'message', name });
    for (const { at, name: field, value, optional: isOptional } of expr.fields) {
      const found = this.optionalEntry(value, this.check(value), isOptional);
      const wanted = Object.hasOwn(fields, field) ? fields[field] : undefined;
      if (wanted === undefined) this.issues.push({ at, message: `undefined field '${field}'` });
      else if (!this.substitution.assign([found], [wanted])) {
        const message = `expected type of field '${field}' is '${formatType(wanted)}' but provided type is '${formatType(found)}'`;
        this.issues.push({ at, message });
      }
    }
    return type;
  }

  private comprehension(expr: Comprehension): Type {
    const range = this.substitution.apply(this.check(expr.range));
    const accumulated = this.check(expr.init);
    const outer = this.scope;
    const result: Scope = { names: new Map([[expr.accumulator, accumulated]]), outer };
    this.scope = { names: this.loopVariables(expr, range), outer: result };
    this.check(expr.condition);
    this.expect(expr.condition, bool);
    this.check(expr.step);
    this.expect(expr.step, accumulated);
    this.scope = result;
    const type = this.check(expr.result);
    this.scope = outer;
    return this.substitution.apply(type);
  }

  private loopVariables(expr: Comprehension, range: Type): ReadonlyMap<string, Type> {
    const [first, second] = this.elementTypes(expr, range);
    if (expr.second === undefined) return new Map([[expr.variable, range.kind === 'list' ? second : first]]);
    return new Map([
      [expr.variable, first],
      [expr.second, second],
    ]);
  }

  /** The index or key, and the value. */
  private elementTypes(expr: Comprehension, range: Type): readonly [Type, Type] {
    if (range.kind === 'list') return [int, range.element];
    if (range.kind === 'map') return [range.key, range.value];
    if (range.kind === 'param') this.substitution.assign([dyn], [range]);
    else if (!isDynOrError(range)) {
      const message = `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
      this.report(expr.range, message);
      return [errorType, errorType];
    }
    return [dyn, dyn];
  }

  private expect(expr: Expr, wanted: Type): void {
    const found = this.types.get(expr) ?? dyn;
    if (this.substitution.assign([wanted], [found])) return;
    const [expected, actual] = [wanted, found].map((type) => formatType(this.substitution.apply(type)));
    this.report(expr, `expected type '${expected}' but found '${actual}'`);
  }

  private report({ at }: Expr, message: string): void {
    this.issues.push({ at, message });
  }
}

const mixedComparison = /^(less|less_equals|greater|greater_equals)_(int64|uint64|double)_(int64|uint64|double)$/;

const constantTypes = { null: nullType, bool, int, uint, double, string, bytes: bytesType } as const;

/** Parameters in the type of a variable stand for anything. */
function withoutParams(type: Type): Type {
  return type.kind === 'param' ? dyn : withParts(type, withoutParams);
}
