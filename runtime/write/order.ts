/** The stages of each kind of write, top to bottom. */
import { assignValues } from './allocation/assignment.js';
import type { CreateAttempt, DeleteAttempt, Stage, UpdateAttempt } from './attempt.js';
import { admitCreate, admitUpdate } from './stages/admission/mutating-admission.js';
import { admitDelete, validateAdmitted } from './stages/admission/validating-admission.js';
import { authorizeCreate } from './stages/authorize-create.js';
import { commitCreate } from './stages/commit-create.js';
import { commitUpdate } from './stages/commit-update.js';
import { checkConvertible } from './stages/convertible.js';
import { fillDefaults, fillDefaultsOfChanges } from './stages/defaults.js';
import { checkDeletePreconditions } from './stages/delete-preconditions.js';
import { dropDisabledFields } from './stages/disabled-fields.js';
import { nullEmptyLists } from './stages/empty-lists.js';
import { setFinalizers } from './stages/finalizers.js';
import { countGeneration, startGeneration } from './stages/generation.js';
import { giveWay } from './stages/give-way.js';
import { beginGrace } from './stages/grace.js';
import { prepareChecks, prepareForCreate, prepareForDelete, prepareForUpdate, warn } from './stages/kind-handlers.js';
import { markBriefly, markDeleted } from './stages/mark-deleted.js';
import { mergeIntoCurrent, takeView } from './stages/merge.js';
import { nameObject } from './stages/name-object.js';
import { dropRepeatedOwners, dropRepeatedOwnersAgain } from './stages/owner-references.js';
import { recordOwners } from './stages/ownership/ownership.js';
import { removeUnheld } from './stages/remove.js';
import { checkRevision, refuseRevision } from './stages/revision.js';
import {
  clearSystemFields,
  keepSystemFields,
  placeAdmitted,
  placeObject,
  setSystemFields,
} from './stages/system-fields.js';
import { refuseWhileTerminating } from './stages/terminating.js';
import { checkUid } from './stages/uid.js';
import { endUnchanged, keepTimesOfOwners } from './stages/unchanged.js';
import { dropAddedFields } from './stages/unknown-fields.js';
import { validateCreate, validateUpdate } from './stages/validation/validation.js';
import { dropUnwritableFields, keepUnwritableFields } from './stages/writable-fields.js';

/** A create; its object comes decoded, pruned and defaulted. */
export const createStages: readonly Stage<CreateAttempt>[] = [
  refuseWhileTerminating,
  placeObject,
  clearSystemFields,
  giveWay,
  recordOwners,
  dropRepeatedOwners,
  admitCreate,
  placeAdmitted,
  nullEmptyLists,
  nameObject,
  dropUnwritableFields,
  startGeneration,
  setSystemFields,
  fillDefaults,
  dropDisabledFields,
  prepareForCreate,
  assignValues,
  prepareChecks,
  validateCreate,
  checkConvertible,
  authorizeCreate,
  validateAdmitted,
  dropAddedFields,
  warn,
  refuseRevision,
  commitCreate,
];

/** One attempt of an update, patch or apply of the stored object. */
export const updateStages: readonly Stage<UpdateAttempt>[] = [
  giveWay,
  mergeIntoCurrent,
  recordOwners,
  placeObject,
  checkUid,
  takeView,
  admitUpdate,
  fillDefaultsOfChanges,
  placeAdmitted,
  checkRevision,
  nullEmptyLists,
  dropRepeatedOwnersAgain,
  keepUnwritableFields,
  keepSystemFields,
  dropDisabledFields,
  prepareForUpdate,
  assignValues,
  countGeneration,
  keepTimesOfOwners,
  prepareChecks,
  validateUpdate,
  checkConvertible,
  validateAdmitted,
  dropAddedFields,
  warn,
  endUnchanged,
  commitUpdate,
];

/** One attempt of a delete: the object is removed at once where nothing holds it, else marked for those who do. */
export const deleteStages: readonly Stage<DeleteAttempt>[] = [
  checkDeletePreconditions,
  admitDelete,
  prepareForDelete,
  beginGrace,
  setFinalizers,
  markBriefly,
  removeUnheld,
  markDeleted,
];
