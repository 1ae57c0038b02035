/** The kinds of patch, by media type. Each turns a body into a function from the current object to the patched one. */
import { decodeJson, type WrittenNumber } from '../codec/json.js';
import { duplicateFieldRemark, unknownFieldRemark } from '../codec/undecodable.js';
import type { ApiObject, JsonValue, Result } from '../contract/index.js';
import {
  applyMergePatch,
  applyStrategicPatch,
  decodeJsonPatch,
  decodeMergePatch,
  decodeStrategicPatch,
  type JsonPatchOperation,
  jsonPatchInSteps,
  parseLoosePointer,
} from '../merge/index.js';
import { badRequest } from '../objects/status.js';
import { done, type Steps } from '../objects/turns.js';
import type { ServedResource } from '../resource/served-resource.js';

export interface Patcher {
  /** Returns the patched object; does not change the current one. */
  readonly apply: (current: ApiObject) => Steps<Result<JsonValue>>;
  /** Unknown and duplicate fields of the patch itself. */
  readonly remarks: readonly string[];
  /** Numbers in another form than the server prints, at their paths in the patched object. */
  readonly decimals: readonly WrittenNumber[];
}

/** Reads the body of a patch. `checked` is true if field validation checks it too. */
type PatchReader = (body: Uint8Array, checked: boolean, resource: ServedResource) => Result<Patcher>;

const readJsonPatch: PatchReader = (body, checked) => {
  const decoded = decodeJson(body);
  if (!decoded.ok) return refuse(checked ? undecodedPatch(decoded.problem) : decoded.problem);
  const document = decodeJsonPatch(decoded.value, checked);
  if (!document.ok) return document;
  const { operations, unknownMembers } = document.value;
  const found = [...decoded.duplicates.map(duplicateFieldRemark), ...unknownMembers.map(unknownFieldRemark)];
  const remarks = found.map((remark) => `json patch ${remark}`);
  const decimals = decoded.decimals.flatMap((decimal) => placed(decimal, operations));
  return { ok: true, value: { apply: (current) => jsonPatchInSteps(current, operations), remarks, decimals } };
};

const readMergePatch: PatchReader = (body, checked) => {
  const decoded = decodeJson(body);
  if (!decoded.ok) return refuse(checked ? undecodedPatch(decoded.problem) : 'Invalid JSON Patch');
  const document = decodeMergePatch(decoded.value, checked);
  if (!document.ok) return document;
  const remarks = decoded.duplicates.map(duplicateFieldRemark);
  const apply = (current: ApiObject): Steps<Result<JsonValue>> =>
    done({ ok: true, value: applyMergePatch(current, document.value) });
  return { ok: true, value: { apply, remarks, decimals: decoded.decimals } };
};

const readStrategicPatch: PatchReader = (body, _checked, resource) => {
  const decoded = decodeJson(body);
  if (!decoded.ok) return refuse(decoded.problem);
  const document = decodeStrategicPatch(decoded.value);
  if (!document.ok) return document;
  const remarks = decoded.duplicates.map(duplicateFieldRemark);
  const apply = (current: ApiObject): Steps<Result<JsonValue>> => {
    const patched = applyStrategicPatch(current, document.value, resource.patchSchema, resource.dropsDirectives);
    // The patch cannot change the kind or the version.
    const { kind, apiVersion } = current;
    return done(patched.ok ? { ok: true, value: { ...patched.value, kind, apiVersion } } : patched);
  };
  // Merges numbers by their values, not by their form.
  return { ok: true, value: { apply, remarks, decimals: [] } };
};

/** Returns the path of a number after its operation; none if the operation appends it to a list. */
function placed({ path, text }: WrittenNumber, operations: readonly JsonPatchOperation[]): WrittenNumber[] {
  const [head = '', index = ''] = /^\[(\d+)\]\.value/.exec(path) ?? [];
  const at = operations[Number(index)]?.path;
  if (head === '' || typeof at !== 'string') return [];
  const tokens = (parseLoosePointer(at) ?? []).map((token) => (/^\d+$/.test(token) ? `[${token}]` : `.${token}`));
  return [{ path: `${tokens.join('')}${path.slice(head.length)}`.replace(/^\./, ''), text }];
}

const undecodedPatch = (problem: string): string => `error decoding patch: ${problem}`;

const refuse = (message: string): Result<never> => ({ ok: false, failure: badRequest(message) });

/** The media type of patches that merge lists by the rules of the kind. */
export const strategicMediaType = 'application/strategic-merge-patch+json';

/** The readers by media type. */
export const patchers: Readonly<Record<string, PatchReader | undefined>> = {
  'application/json-patch+json': readJsonPatch,
  'application/merge-patch+json': readMergePatch,
  [strategicMediaType]: readStrategicPatch,
};

export const patchMediaTypes: readonly string[] = Object.keys(patchers);
