/** Tests for the resources that plugins handle. */
import type { AdmissionPlugin, Operation } from '../../runtime/contract/index.js';

/** Handles these operations on the objects of a resource themselves, not on its subresources. */
export const handlesObjects =
  (group: string, plural: string, ...operations: readonly Operation[]): AdmissionPlugin['handles'] =>
  (resource, operation, subresource) =>
    subresource === '' &&
    resource.group === group &&
    resource.names.plural === plural &&
    operations.includes(operation);
