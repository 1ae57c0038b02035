/** The answer of a plugin that does not let a write pass. */
import type { AdmissionAttributes, Failure, FailureDetails } from '../../runtime/contract/index.js';
import { forbiddenObject } from '../../runtime/objects/status.js';

/**
 * 403 for the object of a write, by its name, or by what its name is to begin with, or as `Unknown`; `why` is the end
 * of the message.
 */
export function refuse(attributes: AdmissionAttributes, why: string, causes?: FailureDetails['causes']): Failure {
  const { resource, object, name } = attributes;
  const known = name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
  return forbiddenObject(resource.group, resource.names.plural, known, why, causes);
}
