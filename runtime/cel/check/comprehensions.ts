/** Finds the types of the loops that macros become. */
import type { Comprehension, Expr } from '../syntax/ast.js';
import type { CheckHost } from './host.js';
import { bool, dyn, errorType, formatType, int, isDynOrError, type Type } from './types.js';

export class ComprehensionChecker {
  constructor(private readonly host: CheckHost) {}

  /** A loop, of the type of its result. */
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

  /** The index or key, and the value. */
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
