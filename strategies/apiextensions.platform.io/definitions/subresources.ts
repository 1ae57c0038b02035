/** The paths that the scale subresource of a definition may read. */
import { invalidValue, required } from '../../../runtime/objects/field-error.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import type { Version } from './definition.js';
import { simplePathErrors } from './simple-path.js';

/** Whether a version has the status subresource. */
export const hasStatus = (version: Version | undefined): boolean => version?.subresources?.status !== undefined;

/** Errors of the subresources of a version, or of all versions; `path` is that of their parent. */
export function* subresourceErrors(subresources: Version['subresources'], path: string): FieldErrors {
  if (subresources?.scale === undefined) return;
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath: selector = '' } = subresources.scale;
  const place = `${path}.subresources.scale`;
  yield* countPathErrors(specReplicasPath, '.spec', `${place}.specReplicasPath`);
  yield* countPathErrors(statusReplicasPath, '.status', `${place}.statusReplicasPath`);
  if (selector === '') return;
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
