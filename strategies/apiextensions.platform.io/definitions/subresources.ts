/** Which paths the scale subresource of a definition may read. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { invalidValue, required } from '../../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import { hasAt } from '../../shared/reading.js';
import { simplePathErrors } from './simple-path.js';

/** Whether the status has a path of its own in a version, or in all versions. */
export function hasStatus(parent: JsonObject | undefined): boolean {
  return objectAt(objectAt(parent, 'subresources'), 'status') !== undefined;
}

/** What is wrong with the subresources of a version, or of all versions; `path` is that of their parent. */
export function* subresourceErrors(parent: JsonObject, path: string): FieldErrors {
  const scale = objectAt(objectAt(parent, 'subresources'), 'scale');
  if (scale === undefined) return;
  const place = `${path}.subresources.scale`;
  yield* countPathErrors(stringAt(scale, 'specReplicasPath'), '.spec', `${place}.specReplicasPath`);
  yield* countPathErrors(stringAt(scale, 'statusReplicasPath'), '.status', `${place}.statusReplicasPath`);
  const selector = stringAt(scale, 'labelSelectorPath');
  if (!hasAt(scale, 'labelSelectorPath') || selector === '') return;
  yield* placedErrors(selector, ['.spec', '.status'], `${place}.labelSelectorPath`, 'either .spec or .status');
}

function* countPathErrors(text: string, root: string, path: string): FieldErrors {
  if (text === '') yield required(path);
  else yield* placedErrors(text, [root], path, root);
}

function* placedErrors(text: string, roots: readonly string[], path: string, words: string): FieldErrors {
  const problems = [...simplePathErrors(text, path)];
  yield* problems;
  if (problems.length > 0 || roots.some((root) => text.startsWith(`${root}.`))) return;
  yield invalidValue(path, text, `should be a json path under ${words}`);
}
