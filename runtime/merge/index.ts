/** Patches, path sets, typed merging and field ownership: everything that merges two versions of an object. */
export { type FieldSet, fieldSetOf } from './field-set.js';
export { type ApplyRequest, applyConfiguration, applyInSteps } from './managed-fields/apply.js';
export type { TypedVersion, VersionSource } from './managed-fields/entries.js';
export type { ClientSideApply } from './managed-fields/last-applied.js';
export { fromScaleEntries, type ScaleMapping, scalePath, toScaleEntries } from './managed-fields/scale.js';
export { updateInSteps, type WriteRequest } from './managed-fields/update.js';
export { applyJsonPatch, explainedPatch, jsonPatchInSteps } from './patch/json-patch.js';
export {
  decodeJsonPatch,
  type JsonPatchDocument,
  type JsonPatchOperation,
  parseLoosePointer,
} from './patch/json-patch-document.js';
export { applyMergePatch, decodeMergePatch } from './patch/merge-patch.js';
export { strategicSchema } from './patch/patch-schema.js';
export { applyStrategicPatch, decodeStrategicPatch } from './patch/strategic-patch.js';
export { fieldElement, printPath } from './path-element.js';
export type { TypedPlan } from './type-plan.js';
export { compileTypedPlan, type Decoding } from './typed/compile.js';
export { type Overlaid, overlay } from './typed/overlay.js';
export { findTypeProblems } from './typed/validate.js';
