/** The roles of the kind of a CustomResourceDefinition. */
import type { KindDefinition, WantedRole } from '../../controllers/index.js';
import { modulesOfCustomResource } from '../../generator/emit/modules.js';
import { isObject } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { kindRoles } from '../bootstrap/index.js';
import { ownKinds } from '../builtin-kinds.js';

/** Returns the roles. A definition that is not established has none, because its names may belong to another kind. */
export function rolesOfDefinition(definition: KindDefinition, naming: Naming): readonly WantedRole[] {
  // A new definition has null in place of conditions.
  const isEstablished = (definition.status?.conditions ?? []).some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
  const value: unknown = definition;
  if (!isEstablished || !isObject(value)) return [];
  return ownKinds(modulesOfCustomResource(value), naming).flatMap((kind) => kindRoles(kind, 'custom-resource', naming));
}
