/** Reads the JSONPaths of columns, selectable fields and subresources, and follows them through a schema. */
import type { Schema } from '../../runtime/contract/index.js';
import { type PathStep, parseJsonPath } from '../../runtime/objects/selectors/json-path-parser.js';
import { didYouMean } from '../../runtime/objects/suggest.js';
import { objectMetaSchema } from '../../runtime/schema/object-meta.js';
import type { Path } from '../diagnostics/problem.js';

/** One step of a path. */
export type Step =
  | { readonly kind: 'field'; readonly name: string }
  /** `[0]`, `[*]`, `[1:3]`, `[?(…)]`: from a list to items. A filter reads further paths of each item. */
  | { readonly kind: 'items'; readonly reads?: readonly (readonly Step[])[] }
  /** `..name`, `.*`: a step that cannot be followed through a schema. */
  | { readonly kind: 'any' };

export type ParsedPath = { readonly steps: readonly Step[] } | { readonly problem: string };

/** Maximum number of characters of a path. */
const LONGEST = 4_096;
const PATTERNS: readonly (readonly [RegExp, (match: RegExpExecArray) => readonly Step[]])[] = [
  [/\.\.(?:\*|(?:[^.[\]\s\\]|\\.)+)/y, () => [{ kind: 'any' }]],
  [/\.\*/y, () => [{ kind: 'any' }]],
  [/\.((?:[^.[\]\s\\*'"{}()]|\\.)+)/y, ([, name = '']) => [{ kind: 'field', name: unquote(name) }]],
  [/\['((?:[^'\\]|\\.)*)'\]/y, ([, path = '']) => fieldsOf(path)],
  [/\[(?:\*|-?\d+|-?\d*:-?\d*(?::-?\d*)?|-?\d+(?:,-?\d+)+)\]/y, () => [{ kind: 'items' }]],
  [
    /\[\?\((?:[^'"()]|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")*\)\]/y,
    ([text]) => [{ kind: 'items', reads: readsOf(text) }],
  ],
];

/**
 * Parses a path such as `.status.conditions[?(@.type=="Ready")].status`. Returns its steps, or the place of a mistake.
 */
export function parsePath(text: string): ParsedPath {
  if (text.length > LONGEST) return { problem: `has more than ${LONGEST} characters` };
  const steps: Step[] = [];
  let at = 0;
  while (at < text.length) {
    const found = stepAt(text, at);
    if (found === undefined)
      return { problem: `cannot be read from character ${at + 1} on: \`${text.slice(at, at + 20)}\`` };
    steps.push(...found.steps);
    at = found.end;
  }
  if (steps.length === 0) return { problem: 'is empty' };
  return parseJsonPath(text).ok ? { steps } : { problem: 'cannot be read by servers' };
}

/** Reads a quoted key. Dots separate fields in it; a dot within a field has a backslash. */
function fieldsOf(path: string): readonly Step[] {
  const names = path.match(/(?:[^.\\]|\\.)+/gs) ?? [''];
  return names.map((name) => ({ kind: 'field', name: unquote(name) }));
}

/** Returns the paths that a filter reads from each item. */
function readsOf(filter: string): readonly (readonly Step[])[] {
  const parsed = parseJsonPath(filter);
  const steps = parsed.ok ? parsed.value : [];
  return steps.flatMap((step) => {
    if (step.kind !== 'filter') return [];
    return [step.left, step.right].flatMap((operand) =>
      operand && 'path' in operand ? [operand.path.map(stepOf)] : [],
    );
  });
}

const stepOf = (step: PathStep): Step => (step.kind === 'field' ? { kind: 'field', name: step.name } : { kind: 'any' });

function stepAt(text: string, at: number): { readonly steps: readonly Step[]; readonly end: number } | undefined {
  for (const [pattern, toSteps] of PATTERNS) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) return { steps: toSteps(match), end: pattern.lastIndex };
  }
  return undefined;
}

function unquote(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}

/** The target of a path: a node, a place where anything may be, or nothing from some step on. */
export type Target =
  | { readonly found: Schema }
  | { readonly found: 'anything' }
  | { readonly found: undefined; readonly why: string; readonly nearest: () => string | undefined };

/** Follows a path from the schema of a whole object. Every object has the same apiVersion, kind and metadata. */
export function followObject(root: Schema, steps: readonly Step[]): Target {
  return follow(isImplied(steps) ? ENVELOPE : root, steps);
}

/** Returns whether a path leads to a field that every object has and definitions leave out. */
export function isImplied([first]: readonly Step[]): boolean {
  return first?.kind === 'field' && Object.hasOwn(ENVELOPE.properties ?? {}, first.name);
}

/** Follows a path from any node. */
export function follow(start: Schema, steps: readonly Step[]): Target {
  let node = start;
  for (const step of steps) {
    if (step.kind === 'any' || isOpen(node)) return { found: 'anything' };
    const next = step.kind === 'items' ? node.items : childOf(node, step.name);
    if (next === undefined) return missing(node, step);
    for (const read of step.kind === 'items' ? (step.reads ?? []) : []) {
      const target = follow(next, read);
      if (target.found === undefined) return target;
    }
    node = next;
  }
  return isOpen(node) ? { found: 'anything' } : { found: node };
}

/** Returns the steps of a path through a schema, as keys; empty for places without a schema. */
export function schemaSteps(steps: readonly Step[], root: Schema): Path {
  const path: (string | number)[] = [];
  let node: Schema | undefined = root;
  for (const step of steps) {
    if (node === undefined || step.kind === 'any') break;
    if (step.kind === 'items') path.push('items');
    else if (Object.hasOwn(node.properties ?? {}, step.name)) path.push('properties', step.name);
    else path.push('additionalProperties');
    node = step.kind === 'items' ? node.items : childOf(node, step.name);
  }
  return path;
}

const ENVELOPE: Schema = {
  type: 'object',
  properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: objectMetaSchema },
};

function isOpen(node: Schema): boolean {
  return node['x-kubernetes-preserve-unknown-fields'] === true || node['x-kubernetes-embedded-resource'] === true;
}

function childOf(node: Schema, name: string): Schema | undefined {
  if (node.properties !== undefined && Object.hasOwn(node.properties, name)) return node.properties[name];
  if (node.additionalProperties === true) return { 'x-kubernetes-preserve-unknown-fields': true };
  return typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
}

function missing(node: Schema, step: Step): Target {
  if (step.kind !== 'field')
    return { found: undefined, why: 'it expects a list, but the value is not a list', nearest: () => undefined };
  const { name } = step;
  return {
    found: undefined,
    why: `field \`${name}\` does not exist`,
    nearest: () => didYouMean(name, Object.keys(node.properties ?? {})),
  };
}
