/** The variables of macros that an expression may name where it stands. */
import type { Type } from './types.js';

/** Variables by name, the innermost first. */
interface Level {
  readonly names: ReadonlyMap<string, Type>;
  readonly outer: Level | undefined;
}

export class Scope {
  private level: Level | undefined;

  /** Adds variables; they hide outer ones of the same names. */
  enter(names: ReadonlyMap<string, Type>): void {
    this.level = { names, outer: this.level };
  }

  /** Drops the variables that were added last. */
  leave(): void {
    this.level = this.level?.outer;
  }

  /** The type of a variable. */
  find(name: string): Type | undefined {
    for (let level = this.level; level !== undefined; level = level.outer) {
      const type = level.names.get(name);
      if (type !== undefined) return type;
    }
    return undefined;
  }
}
