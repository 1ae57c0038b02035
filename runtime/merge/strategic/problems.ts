/** The failures of strategic merge patches. */
import type { JsonValue, Result } from '../../contract/index.js';
import { canonicalJson } from '../value/canonical-json.js';

/** A patch that cannot be applied. */
export function refuse(message: string): Result<never> {
  return { ok: false, failure: { reason: 'BadRequest', message } };
}

export function badRetainKeys(): Result<never> {
  return refuse('invalid patch format of retainKeys');
}

export function unknownDirective(directive: JsonValue, patch: JsonValue): Result<never> {
  const name = typeof directive === 'string' ? directive : canonicalJson(directive);
  return refuse(`unknown patch type: ${name} in map: ${canonicalJson(patch)}`);
}

export function missingMergeKey(item: JsonValue, mergeKey: string): Result<never> {
  return refuse(`map: ${canonicalJson(item)} does not contain declared merge key: ${mergeKey}`);
}

export function notAList(found: JsonValue): Result<never> {
  return refuse(`expected a list, but received ${canonicalJson(found)}`);
}

export function mixedList(): Result<never> {
  return refuse('list element types are not identical');
}
