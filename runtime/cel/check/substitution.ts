/** Binds the parameters of signatures to types, and decides whether one type may be used as another. */
import { dyn, isDyn, isDynOrError, partsOf, sameType, type Type, withParts } from './types.js';

/** The types that parameters stand for, as found so far. */
export class Substitution {
  private found = new Map<string, Type>();
  private count = 0;

  /** Makes a new, unique parameter. */
  fresh(): Type {
    return { kind: 'param', name: `_var${this.count++}` };
  }

  /** Replaces the parameters in a type by their bindings. Unbound ones become `dyn` if `freeToDyn`. */
  apply(type: Type, freeToDyn = false): Type {
    if (type.kind !== 'param') return withParts(type, (part) => this.apply(part, freeToDyn));
    const known = this.found.get(type.name);
    if (known !== undefined) return this.apply(known, freeToDyn);
    return freeToDyn ? dyn : type;
  }

  /** Returns whether values of types `from` may be used as types `to`. If so, keeps the bindings of parameters. */
  assign(from: readonly Type[], to: readonly Type[]): boolean {
    if (from.length !== to.length) return false;
    const before = new Map(this.found);
    if (from.every((type, i) => this.fits(type, to[i] ?? dyn))) return true;
    this.found = before;
    return false;
  }

  private fits(from: Type, to: Type): boolean {
    if (to.kind === 'param') {
      const outcome = this.bind(from, to);
      if (outcome !== 'unbound') return outcome === 'fits';
    }
    if (from.kind === 'param') {
      const outcome = this.bind(to, from);
      if (outcome !== 'unbound') return outcome === 'fits';
    }
    if (isDynOrError(from) || isDynOrError(to)) return true;
    if (from.kind === 'null') return takesNull(to);
    if (to.kind === 'null') return takesNull(from);
    if (from.kind === 'wrapper') return sameType(from.of, to.kind === 'wrapper' ? to.of : to);
    if (to.kind === 'wrapper') return sameType(from, to.of);
    if (from.kind === 'type') return to.kind === 'type';
    if (from.kind !== to.kind) return false;
    if ('name' in from && 'name' in to && from.name !== to.name) return false;
    const left = partsOf(from);
    const right = partsOf(to);
    return left.length === right.length && left.every((part, i) => this.fits(part, right[i] ?? dyn));
  }

  private bind(type: Type, parameter: Type & { kind: 'param' }): 'fits' | 'differs' | 'unbound' {
    if (type.kind === 'param' && type.name === parameter.name) return 'fits';
    const known = this.found.get(parameter.name);
    if (known === undefined) {
      if (this.mentions(type, parameter.name)) return 'unbound';
      this.found.set(parameter.name, type);
      return 'fits';
    }
    if (sameType(type, known)) return 'fits';
    if (!this.fits(type, known)) return 'differs';
    const general = mostGeneral(type, known);
    if (!this.mentions(general, parameter.name)) this.found.set(parameter.name, general);
    return 'fits';
  }

  private mentions(type: Type, name: string): boolean {
    if (type.kind === 'param') {
      if (type.name === name) return true;
      const known = this.found.get(type.name);
      return known !== undefined && this.mentions(known, name);
    }
    return partsOf(type).some((part) => this.mentions(part, name));
  }
}

function takesNull(type: Type): boolean {
  return ['null', 'object', 'opaque', 'wrapper', 'timestamp', 'duration', 'any', 'dyn'].includes(type.kind);
}

/** Returns the more general of two types. */
export function mostGeneral(a: Type, b: Type): Type {
  return isEqualOrLessSpecific(a, b) ? a : b;
}

function isEqualOrLessSpecific(a: Type, b: Type): boolean {
  if (isDyn(a) || a.kind === 'param') return true;
  if (isDyn(b) || b.kind === 'param') return false;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if ('name' in a && 'name' in b && a.name !== b.name) return false;
  const right = partsOf(b);
  return (
    partsOf(a).length === right.length && partsOf(a).every((part, i) => isEqualOrLessSpecific(part, right[i] ?? dyn))
  );
}
