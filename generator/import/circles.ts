/** Finds where definitions refer back to themselves, so that each circle can be cut at one place. */

/** The definitions that some others reach, and the references that close a circle. */
export interface Circles {
  /** All that is referred to; a start only where it is, too. */
  readonly reached: ReadonlySet<string>;
  /** Whether a reference leads back to what is being defined, directly or through others. */
  readonly closing: (from: string, to: string) => boolean;
}

/** Walks depth first, without recursion. Linear in definitions and references. */
export function circles(starts: readonly string[], references: (id: string) => readonly string[]): Circles {
  const reached = new Set<string>();
  const entered = new Set<string>();
  const open = new Set<string>();
  const closing = new Map<string, Set<string>>();
  const calls: { readonly id: string; readonly next: Iterator<string> }[] = [];

  const enter = (id: string): void => {
    entered.add(id);
    open.add(id);
    calls.push({ id, next: references(id)[Symbol.iterator]() });
  };
  const follow = (from: string, to: string): void => {
    reached.add(to);
    if (open.has(to)) closing.set(from, (closing.get(from) ?? new Set()).add(to));
    else if (!entered.has(to)) enter(to);
  };

  for (const start of starts) {
    if (!entered.has(start)) enter(start);
    for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
      const step = call.next.next();
      if (step.done !== true) follow(call.id, step.value);
      else {
        open.delete(call.id);
        calls.pop();
      }
    }
  }
  return { reached, closing: (from, to) => closing.get(from)?.has(to) === true };
}
