/** Finds the lines of a difference on both sides. */
import { equal } from '../../../runtime/objects/equality.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { lineCounter } from '../../../runtime/objects/lines.js';
import { get, list, type Raw, string } from '../../../runtime/schema/read.js';
import type { Path } from '../../diagnostics/problem.js';
import type { LoadedFile } from '../../load/load-folder.js';
import { createOffsets } from '../../load/positions.js';
import type { ResourceModel } from '../../model/model.js';
import type { Difference } from '../difference.js';
import type { FindingPlace } from '../finding.js';
import type { Side } from './side.js';

/** Returns a function that finds the place of a difference in one side. */
export function createPlaces(side: Side): (difference: Difference, resource: ResourceModel) => FindingPlace {
  const files = new Map(side.definitions.state.folder.files.map((file) => [file.path, file]));
  const known = new Map<LoadedFile, Places>();
  return (difference, resource) => {
    const file = files.get(resource.source.path);
    const start = { file: resource.source.path, line: 1, column: 1, isLocal: side.isLocal };
    if (file === undefined) return start;
    const places = known.get(file) ?? { offsetOf: createOffsets(file.text), placeOf: lineCounter(file.text) };
    known.set(file, places);
    const index = file.documents.findIndex((document) => isOf(document, resource));
    const shown = { ...start, file: side.show(file) };
    if (index < 0) return shown;
    const path = pathOf(difference, file.documents[index], resource);
    return { ...shown, ...places.placeOf(places.offsetOf(index, path, 'key')) };
  };
}

/** Finds places in one text. */
interface Places {
  readonly offsetOf: ReturnType<typeof createOffsets>;
  readonly placeOf: ReturnType<typeof lineCounter>;
}

function isOf(document: Raw, { group, names }: ResourceModel): boolean {
  const spec = get(document, 'spec');
  return (string(get(spec, 'group')) ?? '') === group && string(get(get(spec, 'names'), 'plural')) === names.plural;
}

/** Paths of keys that have another name in differences. */
const keys: Readonly<Record<string, Path>> = {
  resource: ['metadata', 'name'],
  kind: ['spec', 'names', 'kind'],
  listKind: ['spec', 'names', 'listKind'],
  singular: ['spec', 'names', 'singular'],
  shortNames: ['spec', 'names', 'shortNames'],
  categories: ['spec', 'names', 'categories'],
  conversionStrategy: ['spec', 'conversion'],
};

/** Paths of keys of a version that have another name in differences. */
const versionKeys: Readonly<Record<string, Path>> = {
  versions: [],
  preferred: [],
  removedRelease: ['stability'],
};

/** Returns the path of a difference in a document, as far as the document has it. */
function pathOf(difference: Difference, document: Raw, { versions }: ResourceModel): Path {
  const { version, keyword, path, node, property } = difference;
  if (version === undefined) return keys[keyword] ?? ['spec', keyword];
  const index = versions.findIndex(({ name }) => name === version);
  if (index < 0) return ['spec', 'versions'];
  const base: Path = ['spec', 'versions', index];
  if (node === undefined) {
    const own = versionKeys[keyword];
    return [...base, ...(own ?? [keyword, ...partOf(valueAt(document, [...base, keyword]), path)])];
  }
  const at: Path = [...base, 'schema', 'openAPIV3Schema', ...node];
  if (keyword === 'properties' && property !== undefined) return [...at, 'properties', property];
  const rest = [difference.old, difference.new].filter((rule) => rule !== undefined);
  const place = keyword === 'x-kubernetes-validations' ? ruleIndex(valueAt(document, [...at, keyword]), rest) : [];
  return [...at, keyword, ...place];
}

/** Returns the key or index of a part with a name. */
function partOf(parts: Raw, name: string): Path {
  if (isObject(parts)) return name === '' ? [] : [name];
  const nameOf = (part: Raw): unknown => (isObject(part) ? (part.name ?? part.jsonPath) : part);
  const index = list(parts).findIndex((part) => nameOf(part) === name);
  return index < 0 ? [] : [index];
}

function ruleIndex(rules: Raw, wanted: readonly Raw[]): Path {
  const index = list(rules).findIndex((rule) => wanted.some((each) => equal(get(rule, 'rule'), get(each, 'rule'))));
  return index < 0 ? [] : [index];
}

function valueAt(document: Raw, path: Path): Raw {
  return path.reduce<Raw>((value, step) => {
    if (typeof step === 'number') return list(value)[step];
    return get(value, step);
  }, document);
}
