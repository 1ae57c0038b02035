/** Volumes put together of several sources, and files that tell a pod about itself. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { forbidden, invalidValue, required } from '../../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { checkPresent, type FieldErrors } from '../../shared/field-checks.js';
import { checkFileMode, checkFilePath, checkKeyToPath } from '../../shared/paths.js';
import { integerAt, objectsAt } from '../../shared/reading.js';
import { checkFieldSelector, checkResourceSelector, fileFields } from './downward-fields.js';

/** A file with a field of the pod, or with a resource of one of its containers. */
export function* checkDownwardFile(file: JsonObject, path: string): FieldErrors {
  yield* checkPresent(file, 'path', path);
  yield* checkFilePath(`${path}.path`, stringAt(file, 'path'));
  const [field, resource] = [objectAt(file, 'fieldRef'), objectAt(file, 'resourceFieldRef')];
  if (field) {
    yield* checkFieldSelector(field, `${path}.fieldRef`, fileFields);
    if (resource) {
      yield invalidValue(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
    }
  } else if (resource) yield* checkResourceSelector(resource, `${path}.resourceFieldRef`, true);
  else yield required(path, 'one of fieldRef and resourceFieldRef is required');
  yield* checkFileMode(file, 'mode', path);
}

type ProjectionCheck = (source: JsonObject, path: string, volume: string, taken: Set<string>) => FieldErrors;

/** The sources in the order in which the first of several counts. */
const projections: readonly (readonly [key: string, check: ProjectionCheck])[] = [
  ['secret', checkKeys],
  ['configMap', checkKeys],
  ['downwardAPI', checkDownward],
  ['serviceAccountToken', checkToken],
];

/** A volume of several sources, which may not have files in the same place. */
export function* checkProjected(volume: JsonObject, path: string): FieldErrors {
  yield* checkFileMode(volume, 'defaultMode', path);
  const taken = new Set<string>();
  for (const [i, item] of objectsAt(volume, 'sources').entries()) {
    const at = `${path}.sources[${i}]`;
    const found = projections.filter(([key]) => objectAt(item, key) !== undefined);
    for (const [j, [key, check]] of found.entries()) {
      if (j > 0) yield forbidden(`${at}.${key}`, 'may not specify more than 1 volume type');
      else yield* check(objectAt(item, key) ?? {}, `${at}.${key}`, path, taken);
    }
  }
}

function* checkKeys(source: JsonObject, path: string, volume: string, taken: Set<string>): FieldErrors {
  const name = stringAt(source, 'name');
  if (name === '') yield required(`${path}.name`);
  for (const [i, item] of objectsAt(source, 'items').entries()) {
    yield* checkKeyToPath(item, `${path}.items[${i}]`);
    yield* checkPlace(stringAt(item, 'path'), name, volume, taken);
  }
}

function* checkDownward(source: JsonObject, path: string, volume: string, taken: Set<string>): FieldErrors {
  for (const file of objectsAt(source, 'items')) {
    yield* checkDownwardFile(file, path);
    const place = stringAt(file, 'path');
    yield* checkPlace(place, place, volume, taken);
  }
}

function* checkPlace(place: string, shown: string, volume: string, taken: Set<string>): FieldErrors {
  if (place === '') return;
  if (taken.has(place)) yield invalidValue(volume, shown, 'conflicting duplicate paths');
  taken.add(place);
}

const shortestLife = 10 * 60;
const longestLife = 2 ** 32;

function* checkToken(source: JsonObject, path: string): FieldErrors {
  const seconds = integerAt(source, 'expirationSeconds') ?? 0;
  const at = `${path}.expirationSeconds`;
  if (seconds < shortestLife) yield invalidValue(at, seconds, 'may not specify a duration less than 10 minutes');
  if (seconds > longestLife) yield invalidValue(at, seconds, 'may not specify a duration larger than 2^32 seconds');
  yield* checkPresent(source, 'path', path);
  yield* checkFilePath(`${path}.path`, stringAt(source, 'path'));
}
