/** ControllerRevision: the rules for its data, and its columns. */
import type { ControllerRevision } from '../../generated/apps/v1/controllerrevisions/types.js';
import type { DraftObject, Strategy } from '../../runtime/contract/index.js';
import { defineStrategy } from '../../runtime/objects/define-strategy.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';
import { parseGroupVersion } from '../../runtime/objects/gvk.js';
import { notNegative } from '../shared/counts.js';

export const defineControllerRevisionStrategy = (): Strategy =>
  defineStrategy<ControllerRevision>('apps/ControllerRevision', {
    validate: ({ data, revision }) => [
      ...(data === undefined ? [required('data', 'data is mandatory')] : []),
      ...notNegative(revision, 'revision'),
    ],
    validateUpdate: ({ data }, old) =>
      equal(data, old.data) ? [] : [invalidValue('data', data, 'field is immutable')],
    cell(revision, column) {
      if (column === 'Controller') return controllerText(revision);
      if (column !== 'Revision') return undefined;
      return typeof revision.revision === 'number' ? revision.revision : 0;
    },
  });

/** The owner that controls it, as in `deployment.apps/name`. */
function controllerText({ metadata }: DraftObject<ControllerRevision>): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return '<none>';
  const group = parseGroupVersion(owner.apiVersion)?.group ?? '';
  return `${owner.kind.toLowerCase()}${group === '' ? '' : `.${group.toLowerCase()}`}/${owner.name}`;
}
