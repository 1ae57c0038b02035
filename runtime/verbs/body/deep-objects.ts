/** Refuses objects that would be stored deeper than all code which walks them copes with. */
import { isDeeper, walkableLevels } from '../../codec/depth.js';
import type { ApiObject, Failure } from '../../contract/index.js';
import { badRequest } from '../../objects/status.js';

/** For an object out of a body that was cut: what was left out may have been of fields that nobody knows. */
export function refusalOfDepth(object: ApiObject): Failure | undefined {
  if (!isDeeper(object, walkableLevels)) return undefined;
  return badRequest(`the object nests deeper than ${walkableLevels} levels: exceeded max depth`);
}
