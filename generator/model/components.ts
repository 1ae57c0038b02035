/** Strongly connected parts of a directed graph, by Tarjan's algorithm without recursion. */

/**
 * The parts, each before the parts that lead to it. `edges` names the nodes that a node leads to; names that are no
 * nodes are ignored. Linear in nodes and edges.
 */
export function components(nodes: Iterable<string>, edges: (node: string) => readonly string[]): readonly string[][] {
  const known = new Set(nodes);
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const parts: string[][] = [];
  const calls: { readonly node: string; readonly next: Iterator<string> }[] = [];

  const enter = (node: string): void => {
    low.set(node, order.size);
    order.set(node, order.size);
    open.push(node);
    isOpen.add(node);
    calls.push({ node, next: edges(node)[Symbol.iterator]() });
  };

  const lower = (node: string, value: number | undefined): void => {
    const current = low.get(node) ?? 0;
    if (value !== undefined && value < current) low.set(node, value);
  };

  const leave = (node: string): void => {
    const caller = calls.at(-1);
    if (caller !== undefined) lower(caller.node, low.get(node));
    if (low.get(node) === order.get(node)) parts.push(take(node));
  };

  const take = (root: string): string[] => {
    const part = open.splice(open.lastIndexOf(root));
    for (const node of part) isOpen.delete(node);
    return part;
  };

  for (const start of known) {
    if (order.has(start)) continue;
    enter(start);
    for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
      const step = call.next.next();
      if (step.done === true) {
        calls.pop();
        leave(call.node);
      } else if (!known.has(step.value)) continue;
      else if (!order.has(step.value)) enter(step.value);
      else if (isOpen.has(step.value)) lower(call.node, order.get(step.value));
    }
  }
  return parts;
}
