/** The difference between two values, field by field. */
import { byKey, isMembers, isSame, itemKeyOf, printPath, type Step } from './paths.js';

/** A field that differs. A side that lacks the field has no value. */
export interface FieldChange {
  /** As in `spec.ports[name=web].port`; empty for the whole value. */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * Returns the fields that differ. If only one side has a field, returns the outermost such field. Compares items of
 * lists by their name, key or type if all have one, else by their index.
 */
export function diffOf(before: unknown, after: unknown, at: readonly Step[] = []): readonly FieldChange[] {
  if (isSame(before, after)) return [];
  return (
    partsOf(before, after)?.flatMap(([step, one, other]) => diffOf(one, other, [...at, step])) ?? [
      {
        path: printPath(at),
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
      },
    ]
  );
}

type Part = readonly [step: Step, before: unknown, after: unknown];

/** Returns the parts of two values that can be compared part by part, or `undefined` if they cannot. */
function partsOf(before: unknown, after: unknown): Part[] | undefined {
  if (isMembers(before) && isMembers(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].map((name) => [name, own(before, name), own(after, name)]);
  }
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  const key = itemKeyOf(before, after);
  if (key === undefined) return byIndex(before, after);
  const [old, now] = [byKey(before, key), byKey(after, key)];
  const parts = [...new Set([...old.keys(), ...now.keys()])].map(
    (value): Part => [{ key, value }, old.get(value), now.get(value)],
  );
  // If only the order of items differs, the whole list differs.
  return parts.every(([, one, other]) => isSame(one, other)) ? undefined : parts;
}

const byIndex = (before: readonly unknown[], after: readonly unknown[]): Part[] =>
  Array.from({ length: Math.max(before.length, after.length) }, (_, index) => [index, before[index], after[index]]);

const own = (members: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(members, name) ? members[name] : undefined;
