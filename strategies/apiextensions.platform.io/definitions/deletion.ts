/** The beginning of a definition's deletion: it stays until its objects are gone. */
import { clone } from '../../../runtime/objects/clone.js';
import { setCondition } from '../../../runtime/objects/definition-conditions.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import type { Definition } from './definition.js';

/** Adds the finalizer that the server removes once the objects are gone, and a condition about it; in place. */
export function beginDeletion(definition: Definition, naming: Naming, now: string): void {
  const { metadata } = definition;
  const finalizer = naming.rename('customresourcecleanup.apiextensions.platform.io');
  if (metadata.deletionTimestamp !== undefined) return;
  const others = (metadata.finalizers ?? []).filter((each) => each !== finalizer);
  metadata.finalizers = [...others, finalizer];
  const status = clone(definition.status ?? {});
  setCondition(status, pending, now);
  definition.status = status;
}

const pending = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
} as const;
