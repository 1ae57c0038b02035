/** Applies the patch of a mutating webhook to the object of a request. */
import { decodeJson } from '../../../runtime/codec/json.js';
import type { ApiObject, Result } from '../../../runtime/contract/index.js';
import { decodeJsonPatch, jsonPatchInSteps } from '../../../runtime/merge/index.js';
import { clone } from '../../../runtime/objects/clone.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { internalFailure } from '../../../runtime/objects/status.js';
import { inTurns } from '../../../runtime/objects/turns.js';
import type { Question } from './asking.js';

/** The patched object, pruned and with defaults; `undefined` where the patch has no operations. */
export async function patched(
  { webhook: { spec }, attributes: { operation }, context: { decode }, seen: { object } }: Question,
  patch: string,
): Promise<Result<ApiObject | undefined>> {
  const failed = (problem: string): Result<never> => ({ ok: false, failure: internalFailure(problem) });
  const json = decodeJson(patch);
  if (!json.ok) return failed(json.problem);
  const document = decodeJsonPatch(json.value, false);
  if (!document.ok) return failed(document.failure.message);
  if (document.value.operations.length === 0) return { ok: true, value: undefined };
  if (!object) {
    const why = 'attempted to modify the object, which is not supported for this operation';
    return failed(`admission webhook ${JSON.stringify(spec.name)} ${why}`);
  }
  const applied = await inTurns(jsonPatchInSteps(object, document.value.operations));
  if (!applied.ok) return failed(applied.failure.message);
  // The result shares parts with the object, and decoding changes what it is given.
  const value = clone(applied.value);
  if (!isObject(value)) return failed('the patched object is no object');
  const own = { apiVersion: object.apiVersion, kind: object.kind };
  // The kinds of options are those of no objects, and have no defaults.
  if (operation === 'CONNECT') return { ok: true, value: { ...value, ...own, metadata: {} } };
  if (!decode) throw new Error('a plugin that patches needs a context that decodes');
  const made = decode({ ...value, ...own });
  // An object whose fields nobody owns any more has no such list.
  if (made.ok && made.value.metadata.managedFields?.length === 0) delete made.value.metadata.managedFields;
  return made;
}
