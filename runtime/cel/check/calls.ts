/** Finds the overloads that a call may mean, by the types of its arguments. */
import type { FunctionDeclaration, Overload } from '../environment.js';
import type { Call, Expr } from '../syntax/ast.js';
import type { CheckHost } from './host.js';
import { qualifiedName } from './references.js';
import { bool, dyn, errorType, formatType, isDyn, noType, sameType, string, type Type, withParts } from './types.js';

const mixedComparison = /^(less|less_equals|greater|greater_equals)_(int64|uint64|double)_(int64|uint64|double)$/;

export class CallChecker {
  constructor(private readonly host: CheckHost) {}

  /** Checks a call of a function or an operator. */
  call(expr: Call): Type {
    if (expr.name === '_?._') return this.optionalSelect(expr);
    this.arguments(expr);
    if (expr.target === undefined) {
      const declaration = this.host.environment.functionNamed(expr.name);
      if (declaration === undefined) return this.host.undeclared(expr, expr.name);
      return this.resolve(expr, declaration, undefined, false);
    }
    const prefix = qualifiedName(expr.target);
    const namespaced = prefix === undefined ? undefined : this.host.environment.functionNamed(`${prefix}.${expr.name}`);
    if (namespaced !== undefined) return this.resolve(expr, namespaced, undefined, true);
    this.host.check(expr.target);
    const declaration = this.host.environment.functions.get(expr.name);
    if (declaration === undefined) return this.undeclaredMember(expr);
    return this.resolve(expr, declaration, expr.target, false);
  }

  /**
   * Returns the type of an undeclared member call. In early releases it has no type, so each use of its result is a
   * mistake too.
   */
  private undeclaredMember(expr: Call): Type {
    const type = this.host.undeclared(expr, expr.name);
    return this.host.environment.options.earlyMessages === true ? noType : type;
  }

  /** Checks the arguments of a call. The arguments of `format` may have several types. */
  private arguments(expr: Call): void {
    const check = () => {
      for (const argument of expr.args) this.host.check(argument);
    };
    if (expr.name === 'format' && expr.target !== undefined) this.host.mixing(check);
    else check();
  }

  private optionalSelect(expr: Call): Type {
    const [operand, name] = expr.args;
    if (operand === undefined || name?.kind !== 'constant' || name.literal.type !== 'string') return errorType;
    this.host.types.set(name, string);
    const declaration = this.host.environment.functions.get(expr.name);
    this.host.references.set(expr, {
      kind: 'function',
      name: expr.name,
      overloads: declaration?.overloads ?? [],
      namespaced: false,
    });
    return this.host.field(expr, operand, name.literal.value, true);
  }

  private resolve(expr: Call, declaration: FunctionDeclaration, target: Expr | undefined, namespaced: boolean): Type {
    const args = target === undefined ? expr.args : [target, ...expr.args];
    const types = args.map((argument) => this.host.types.get(argument) ?? dyn);
    const fitting: Overload[] = [];
    let result: Type | undefined;
    for (const overload of declaration.overloads) {
      if (overload.member !== (target !== undefined) || overload.params.length !== types.length) continue;
      if (!this.allowed(overload)) continue;
      const rename = this.renaming();
      if (!this.host.substitution.assign(types, overload.params.map(rename))) continue;
      fitting.push(overload);
      const type = this.host.substitution.apply(rename(overload.result));
      if (result === undefined) result = type;
      else if (!isDyn(result) && !sameType(type, result)) result = dyn;
    }
    if (result === undefined) {
      if (/^_(?:&&|\|\|)_$/.test(declaration.name) && this.host.environment.options.earlyMessages !== true) {
        return this.notBool(args, types);
      }
      return this.noOverload(expr, declaration.name, types, target !== undefined);
    }
    this.host.references.set(expr, { kind: 'function', name: declaration.name, overloads: fitting, namespaced });
    return result;
  }

  /** Returns whether an overload is allowed. Comparisons of numbers of different types may be switched off. */
  private allowed({ id }: Overload): boolean {
    return this.host.environment.options.mixedComparisons === true || !mixedComparison.test(id);
  }

  /** Reports the operands of a logical operator that are not bool. Release 1.27 reports the operator. */
  private notBool(operands: readonly Expr[], types: readonly Type[]): Type {
    for (const [i, operand] of operands.entries()) {
      const type = types[i] ?? dyn;
      if (this.host.substitution.assign([type], [bool])) continue;
      const found = formatType(this.host.substitution.apply(type));
      this.host.report(operand, `expected type 'bool' but found '${found}'`);
    }
    return errorType;
  }

  private noOverload(expr: Expr, name: string, types: readonly Type[], member: boolean): Type {
    const names = types.map((type) => formatType(this.host.substitution.apply(type)));
    const applied = member ? `${names[0]}.(${names.slice(1).join(', ')})` : `(${names.join(', ')})`;
    this.host.report(expr, `found no matching overload for '${name}' applied to '${applied}'`);
    return errorType;
  }

  /** Returns a function that gives the type parameters of a signature new, unique names. */
  private renaming(): (type: Type) => Type {
    const names = new Map<string, Type>();
    const rename = (type: Type): Type => {
      if (type.kind !== 'param') return withParts(type, rename);
      const known = names.get(type.name) ?? this.host.substitution.fresh();
      names.set(type.name, known);
      return known;
    };
    return rename;
  }
}
