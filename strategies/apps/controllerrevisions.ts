/** ControllerRevision: data that is there and stays, and how tables show whose it is. */
import type { ApiObject, FieldError, Strategy } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';
import { parseGroupVersion } from '../../runtime/objects/gvk.js';
import { countAt } from '../shared/counts.js';

export function defineControllerRevisionStrategy(): Strategy {
  return {
    kind: 'apps/ControllerRevision',
    validate: (object) => (hasData(object) ? [] : [required('data', 'data is mandatory')]),
    validateUpdate: (object, old) => dataChangeErrors(object, old),
    cell: (object, column) => {
      if (column === 'Controller') return controllerText(object);
      return column === 'Revision' ? countAt(object, 'revision') : undefined;
    },
  };
}

const hasData = (object: ApiObject): boolean => object.data !== undefined && object.data !== null;

function dataChangeErrors(object: ApiObject, old: ApiObject): readonly FieldError[] {
  return equal(object.data, old.data) ? [] : [invalidValue('data', object.data, 'field is immutable')];
}

/** The owner that controls it, as in `deployment.apps/name`. */
function controllerText({ metadata }: ApiObject): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return '<none>';
  const group = parseGroupVersion(owner.apiVersion)?.group ?? '';
  return `${owner.kind.toLowerCase()}${group === '' ? '' : `.${group.toLowerCase()}`}/${owner.name}`;
}
