/** The kinds of patch, by media type: each reads a body into a function from the current object to the patched one. */
import { decodeJson } from '../codec/json.js';
import { duplicateFieldRemark, unknownFieldRemark } from '../codec/undecodable.js';
import type { ApiObject, Failure, JsonValue, Result } from '../contract/index.js';
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  decodeJsonPatch,
  decodeMergePatch,
  decodeStrategicPatch,
} from '../merge/index.js';
import { badRequest } from '../objects/status.js';
import type { ServedResource } from '../pipeline/served-resource.js';

/** A patch that has been read. */
export interface Patcher {
  /** The patched object; the one given is not changed. */
  readonly apply: (current: ApiObject) => Result<JsonValue>;
  /** Unknown and duplicate fields of the patch itself. */
  readonly remarks: readonly string[];
}

/** Reads the body of a patch; `checked` says that field validation looks at it too. */
type PatchReader = (body: Uint8Array, checked: boolean, resource: ServedResource) => Result<Patcher>;

const readJsonPatch: PatchReader = (body, checked) => {
  const decoded = decodeJson(body);
  if (!decoded.ok) return unreadable(decoded.problem, checked);
  const document = decodeJsonPatch(decoded.value, checked);
  if (!document.ok) return document;
  const { operations, unknownMembers } = document.value;
  const remarks = [...decoded.duplicates.map(duplicateFieldRemark), ...unknownMembers.map(unknownFieldRemark)];
  return { ok: true, value: { apply: (current) => applyJsonPatch(current, operations), remarks } };
};

const readMergePatch: PatchReader = (body, checked) => {
  const decoded = decodeJson(body);
  if (!decoded.ok) return unreadable(decoded.problem, checked);
  const document = decodeMergePatch(decoded.value, checked);
  if (!document.ok) return document;
  const remarks = decoded.duplicates.map(duplicateFieldRemark);
  const apply = (current: ApiObject): Result<JsonValue> => ({
    ok: true,
    value: applyMergePatch(current, document.value),
  });
  return { ok: true, value: { apply, remarks } };
};

const readStrategicPatch: PatchReader = (body, checked, resource) => {
  const decoded = decodeJson(body);
  if (!decoded.ok) return unreadable(decoded.problem, checked);
  const document = decodeStrategicPatch(decoded.value);
  if (!document.ok) return document;
  const remarks = decoded.duplicates.map(duplicateFieldRemark);
  const apply = (current: ApiObject): Result<JsonValue> => {
    const patched = applyStrategicPatch(current, document.value, resource.patchSchema);
    // The patch is one of the kind's fields; what it says of the kind itself is passed over.
    const { kind, apiVersion } = current;
    return patched.ok ? { ok: true, value: { ...patched.value, kind, apiVersion } } : patched;
  };
  return { ok: true, value: { apply, remarks } };
};

function unreadable(problem: string, checked: boolean): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: badRequest(checked ? `error decoding patch: ${problem}` : 'Invalid JSON Patch') };
}

/** The media type of patches that know the lists of a kind. */
export const strategicMediaType = 'application/strategic-merge-patch+json';

/** The readers by media type. */
export const patchers: Readonly<Record<string, PatchReader | undefined>> = {
  'application/json-patch+json': readJsonPatch,
  'application/merge-patch+json': readMergePatch,
  [strategicMediaType]: readStrategicPatch,
};

/** The media types that patches may have. */
export const patchMediaTypes: readonly string[] = Object.keys(patchers);
