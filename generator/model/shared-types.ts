/** Resolves the types of all libraries against each other, each once, whatever the order of files. */
import type { Schema } from '../../runtime/contract/index.js';
import type { Raw } from '../../runtime/schema/read.js';
import { type FieldPresence, readSchema } from '../../runtime/schema/read-schema.js';
import { type Extent, extentOf } from './extent.js';
import type { SharedType, SourceFile } from './model.js';
import { findReferences, type Reference } from './references.js';

/** A type as a library writes it. */
export interface WrittenType {
  /** `<library>#/<Type>`. */
  readonly name: string;
  readonly raw: Raw;
  readonly fieldPresence: FieldPresence;
  readonly source: SourceFile;
}

/** A type with everything it refers to. Its schema is the same object while it and all of these types stay the same. */
export interface ResolvedType extends SharedType {
  readonly written: WrittenType;
  readonly references: readonly Reference[];
  /** References that lead back here and are not cut. These are mistakes. */
  readonly cycles: readonly Reference[];
  readonly extent: Extent;
  /** The schema of each reference. If one of them changes, the type is resolved again. */
  readonly dependencies: ReadonlyMap<string, Schema | undefined>;
}

/** Types by name. */
export type ResolvedTypes = ReadonlyMap<string, ResolvedType>;

/**
 * Resolves every type. If two types have the same name, the first counts. A reference back to its own type is cut if
 * its node preserves unknown fields; otherwise it is a mistake. In both cases it is not expanded. `previous` is an
 * earlier result with unchanged types to reuse; if all are unchanged, it is the result itself.
 */
export function resolveTypes(written: readonly WrittenType[], previous?: ResolvedTypes): ResolvedTypes {
  const types = new Map<string, WrittenType>();
  for (const type of written) if (!types.has(type.name)) types.set(type.name, type);
  const references = new Map([...types.values()].map((type) => [type.name, referencesOf(type, previous)]));
  const targets = (name: string, counts: (each: Reference) => boolean): readonly string[] =>
    (references.get(name) ?? []).filter(counts).map((each) => each.target);
  // A reference that may be cut is cut if it leads back. One that still leads back after that is a mistake.
  const whole = numbered(components(types.keys(), (name) => targets(name, () => true)));
  const isCut = (from: string, each: Reference): boolean => each.mayCut && whole.get(from) === whole.get(each.target);
  const remaining = components(types.keys(), (name) => targets(name, (each) => !isCut(name, each)));
  const parts = numbered(remaining);

  const resolved = new Map<string, ResolvedType>();
  for (const name of remaining.flat()) {
    const type = types.get(name);
    if (type === undefined) continue;
    const own = references.get(name) ?? [];
    const cycles = own.filter((each) => !isCut(name, each) && parts.get(name) === parts.get(each.target));
    const expanded = own.filter((each) => !isCut(name, each) && !cycles.includes(each));
    resolved.set(name, resolveType(type, own, cycles, expanded, resolved, previous?.get(name)));
  }
  return previous !== undefined && hasSameTypes(previous, resolved) ? previous : resolved;
}

/** Returns whether nothing has changed, so that results from the earlier types are still valid. */
function hasSameTypes(before: ResolvedTypes, after: ResolvedTypes): boolean {
  return before.size === after.size && [...after].every(([name, type]) => before.get(name) === type);
}

function referencesOf(type: WrittenType, previous: ResolvedTypes | undefined): readonly Reference[] {
  const known = previous?.get(type.name);
  return known !== undefined && known.written.raw === type.raw ? known.references : findReferences(type.raw);
}

function resolveType(
  written: WrittenType,
  references: readonly Reference[],
  cycles: readonly Reference[],
  expanded: readonly Reference[],
  resolved: ResolvedTypes,
  known: ResolvedType | undefined,
): ResolvedType {
  const dependencies = new Map(references.map((each) => [each.target, undefined as Schema | undefined]));
  for (const each of expanded) dependencies.set(each.target, resolved.get(each.target)?.schema);
  const { name, source } = written;
  if (known !== undefined && isSame(known, written, dependencies)) {
    const { schema, extent } = known;
    if (known.written.raw === written.raw && known.cycles.length === cycles.length) return known;
    return { name, source, schema, written, references, cycles, extent, dependencies };
  }
  const nodes = new Set(expanded.map((each) => each.node));
  const schema = readSchema(written.raw, {
    fieldPresence: written.fieldPresence,
    resolve: (reference, node) => (nodes.has(node) ? resolved.get(reference) : undefined),
  });
  const extent = extentOf(schema);
  return { name, source, schema, written, references, cycles, extent, dependencies };
}

function isSame(known: ResolvedType, written: WrittenType, dependencies: ReadonlyMap<string, Schema | undefined>) {
  return (
    (known.written.raw === written.raw || print(known.written.raw) === print(written.raw)) &&
    known.written.fieldPresence === written.fieldPresence &&
    known.dependencies.size === dependencies.size &&
    [...dependencies].every(([name, schema]) => known.dependencies.has(name) && known.dependencies.get(name) === schema)
  );
}

/** Returns a raw schema as text. The order of properties counts, because errors and documentation use it. */
function print(raw: Raw): string {
  return JSON.stringify(raw, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)) ?? '';
}

/** Returns the number of each node's part. */
function numbered(parts: readonly string[][]): ReadonlyMap<string, number> {
  return new Map(parts.flatMap((part, index) => part.map((name) => [name, index] as const)));
}

/**
 * Returns the strongly connected parts, each before the parts that lead to it. `edges` returns the nodes that a node
 * leads to; unknown names are ignored. Linear in nodes and edges.
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
