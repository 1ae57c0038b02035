/** ControllerRevision: its data, which must not change, and its columns. */
import { defineControllerRevisionHandlers } from '../../generated/apps/v1/controllerrevisions/handlers.js';
import type { ControllerRevision } from '../../generated/apps/v1/controllerrevisions/types.js';
import type { DraftObject, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';
import { parseGroupVersion } from '../../runtime/objects/names/names.js';
import { notNegative } from '../shared/counts.js';

export const defineControllerRevisions = (): KindHandlers =>
  defineControllerRevisionHandlers({
    updateChecks: ['metadata changes', 'metadata', 'fields', 'field changes'],
    validate: ({ data, revision }) => [
      ...(data === undefined ? [required('data', 'data is mandatory')] : []),
      ...notNegative(revision, 'revision'),
    ],
    validateUpdate: ({ data }, old) =>
      equal(data, old.data) ? [] : [invalidValue('data', data, 'field is immutable')],
    columns: {
      Controller: controllerText,
      Revision: ({ revision }) => (typeof revision === 'number' ? revision : 0),
    },
  });

/** Returns the controlling owner, as in `deployment.apps/name`. */
function controllerText({ metadata }: DraftObject<ControllerRevision>): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return '<none>';
  const group = parseGroupVersion(owner.apiVersion)?.group ?? '';
  return `${owner.kind.toLowerCase()}${group === '' ? '' : `.${group.toLowerCase()}`}/${owner.name}`;
}
