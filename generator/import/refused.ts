/**
 * Removes keywords from imported definitions that `check` would refuse. Servers publish less than their own schemas, so
 * a rule may need a hidden field, and some publish schemas without meaning.
 */
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { analyse, type Document, documentsOf, typesOf } from '../check/analyse.js';
import { severityOf } from '../diagnostics/codes.js';
import type { Path, Problem } from '../diagnostics/problem.js';
import { resolveTypes } from '../model/shared-types.js';
import type { ImportedFile } from './imported-file.js';
import type { Remarks } from './remarks.js';

/** Maximum number of passes. A list type without its keys, for example, is only refused in the next pass. */
const ROUNDS = 4;

/** A keyword of a schema that must be removed. */
interface Refused {
  readonly path: Path;
  readonly why: string;
}

/** Returns the files without refused keywords, and reports each that is removed. */
export function withoutRefused(files: readonly ImportedFile[], remarks: Remarks): readonly ImportedFile[] {
  let all = files;
  let looked = files;
  for (let round = 0; round < ROUNDS && looked.length > 0; round++) {
    const found = refusedIn(looked, all);
    const changed = new Map(
      [...found].map(([file, refused]) => [file, { ...file, value: without(file.value, refused) }]),
    );
    for (const [{ path: name }, refused] of found) {
      for (const { path, why } of refused) {
        remarks({ severity: 'note', path: [name, ...path], message: `\`${keyOf(path)}\` is left out: ${why}` });
      }
    }
    all = all.map((file) => changed.get(file) ?? file);
    looked = [...changed.values()];
  }
  return all;
}

function refusedIn(
  looked: readonly ImportedFile[],
  all: readonly ImportedFile[],
): ReadonlyMap<ImportedFile, Refused[]> {
  const documents = new Map(all.map((file) => [file, documentOf(file)]));
  const types = resolveTypes([...documents.values()].flatMap((each) => (each ? typesOf(each) : [])));
  const cycles = new Set([...types.values()].flatMap((type) => type.cycles.map(({ node }) => node)));
  const found = new Map<ImportedFile, Refused[]>();
  for (const file of looked) {
    const document = documents.get(file);
    if (document === undefined) continue;
    const { problems } = analyse(document, { types, cycles, isIncomplete: false });
    const refused = problems.flatMap((problem) => refusedBy(problem, file.value) ?? []);
    if (refused.length > 0)
      found.set(file, [...new Map(refused.map((each) => [JSON.stringify(each.path), each])).values()]);
  }
  return found;
}

function documentOf({ path, value }: ImportedFile): Document | undefined {
  return documentsOf({ path, hash: '', text: '', documents: [value], problems: [] })[0];
}

/** Returns the keyword of a problem; `undefined` if removing it would not help. */
function refusedBy({ code, path, message }: Problem, value: JsonObject): Refused | undefined {
  if (severityOf(code, true) === 'warning') return undefined;
  const start = schemaStart(path);
  if (code === 'KF4035' && at(value, [...path.slice(0, 3), 'storage']) === true) return undefined;
  const keyword = start === undefined ? undefined : (keywordAt(path, start) ?? listTypeAround(path, code));
  if (keyword === undefined || at(value, keyword) === undefined) return undefined;
  return { path: keyword, why: message };
}

/** Returns the index of the first step within a schema. */
function schemaStart(path: Path): number | undefined {
  if (path[0] !== 'spec') return undefined;
  if (path[1] === 'types') return 3;
  return path[1] === 'versions' && path[4] === 'openAPIV3Schema' ? 5 : undefined;
}

/** Keywords that cannot be removed without changing the schema. */
const NEEDED = new Set(['type', '$ref', 'description', 'x-kubernetes-preserve-unknown-fields']);

/**
 * Returns the path of the keyword that a path leads to or into, with the index of an item if its value is a list. A
 * choice is removed as a whole: with fewer options it would have another meaning.
 */
function keywordAt(path: Path, start: number): Path | undefined {
  let index = start;
  let rule: Path | undefined;
  for (;;) {
    const key = path[index];
    if (typeof key !== 'string' || NEEDED.has(key)) return rule;
    if (isChoice(key)) return path.slice(0, index + 1);
    if (key === 'allOf') rule ??= path.slice(0, index + 2);
    const steps = key === 'properties' || key === 'allOf' ? 2 : isChild(key) ? 1 : 0;
    if (steps === 0 || path.length <= index + steps) {
      const isItem = typeof path[index + 1] === 'number' && steps !== 1;
      return steps === 1 || key === 'properties' ? rule : path.slice(0, index + (isItem ? 2 : 1));
    }
    index += steps;
  }
}

/** Returns the path of the type of a list with items that do not fit that type. */
function listTypeAround(path: Path, code: Problem['code']): Path | undefined {
  const items = path.lastIndexOf('items');
  return LISTS.has(code) && items > 0 ? [...path.slice(0, items), 'x-kubernetes-list-type'] : undefined;
}

const LISTS: ReadonlySet<Problem['code']> = new Set(['KF3014', 'KF3016']);

const isChoice = (key: string): boolean => key === 'anyOf' || key === 'oneOf' || key === 'not';
const isChild = (key: string): boolean => key === 'items' || key === 'additionalProperties';

/** Returns the name of the keyword at the end of a path. */
function keyOf(path: Path): string {
  return String(typeof path.at(-1) === 'number' ? path.at(-2) : path.at(-1));
}

function at(value: JsonValue, path: Path): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((each, step) => {
    if (Array.isArray(each)) return each[Number(step)];
    return isObject(each) && Object.hasOwn(each, step) ? each[step] : undefined;
  }, value);
}

/** Returns a copy without some places. Copies only the nodes on the way to them. */
function without(value: JsonObject, refused: readonly Refused[]): JsonObject {
  const last = ({ path }: Refused): number => Number(path.at(-1));
  // Removes items from the end, so that earlier items keep their places.
  const ordered = [...refused].sort((a, b) => (last(b) || 0) - (last(a) || 0));
  const removed = ordered.reduce<JsonValue>((each, { path }) => changedAt(each, path), value);
  return isObject(removed) ? removed : value;
}

/** Returns a copy without the end of a path. */
function changedAt(value: JsonValue, [step, ...rest]: Path): JsonValue {
  if (Array.isArray(value)) {
    if (rest.length === 0) return value.filter((_, index) => index !== step);
    return value.map((item, index) => (index === step ? changedAt(item, rest) : item));
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, each]) => {
    if (key !== String(step)) return [[key, each] as const];
    return rest.length === 0 || each === undefined ? [] : [[key, changedAt(each, rest)] as const];
  });
  return Object.fromEntries(entries);
}
