/** The rights of one subject in one place: its bindings there, and a table of their rules. */
import { type Binding, describeGrant, type Subject } from './binding.js';
import type { PolicyRule } from './policy-rule.js';
import { RuleTable } from './rule-table.js';

/** One role given to a subject. */
export interface Grant {
  readonly binding: Binding;
  readonly subject: Subject;
}

/** The rules of a role; `undefined` where there is no such role. */
export type RulesOfRole = (binding: Binding) => readonly PolicyRule[] | undefined;

/** Rules filed for decisions, and bindings whose role there is not. */
export interface Compiled {
  readonly table: RuleTable<Grant>;
  readonly dangling: readonly Binding[];
}

export class Holder {
  readonly #grants = new Map<Binding, Grant>();
  #compiled: Compiled | undefined;

  get isEmpty(): boolean {
    return this.#grants.size === 0;
  }

  give(binding: Binding, subject: Subject): void {
    // A binding that names a subject twice gives it nothing more.
    if (!this.#grants.has(binding)) this.#grants.set(binding, { binding, subject });
    this.outdate();
  }

  take(binding: Binding): void {
    this.#grants.delete(binding);
    this.outdate();
  }

  /** Called when a role of these bindings has changed. */
  outdate(): void {
    this.#compiled = undefined;
  }

  /** Files the rules once after each change, when they are asked for. */
  compiled(rulesOfRole: RulesOfRole): Compiled {
    this.#compiled ??= compile(this.bindings(), this.#grants, rulesOfRole);
    return this.#compiled;
  }

  /** In the order of their names, which decides which of several is named as the reason. */
  bindings(): readonly Binding[] {
    return [...this.#grants.keys()].sort(byName);
  }
}

export const byName = (a: Binding, b: Binding): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

function compile(
  bindings: readonly Binding[],
  grants: ReadonlyMap<Binding, Grant>,
  rulesOfRole: RulesOfRole,
): Compiled {
  const table = new RuleTable<Grant>();
  const dangling: Binding[] = [];
  for (const binding of bindings) {
    const rules = rulesOfRole(binding);
    const grant = grants.get(binding);
    if (!rules) dangling.push(binding);
    else if (grant) for (const rule of rules) table.add(rule, grant);
  }
  return { table, dangling };
}

/** The grant as the reason of a decision names it. */
export const grantText = ({ binding, subject }: Grant): string => describeGrant(binding, subject);
