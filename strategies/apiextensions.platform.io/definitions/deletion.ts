/** What becomes of a definition when its deletion begins: it stays until its objects are gone. */
import type { ApiObject } from '../../../runtime/contract/index.js';
import { clone } from '../../../runtime/objects/clone.js';
import { setCondition } from '../../../runtime/objects/definition-conditions.js';
import { objectAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';

/** Adds the finalizer that the server takes away once the objects are gone, and says so in the status; in place. */
export function beginDeletion(definition: ApiObject, naming: Naming, now: string): void {
  const { metadata } = definition;
  const finalizer = naming.rename('customresourcecleanup.apiextensions.platform.io');
  if (metadata.deletionTimestamp !== undefined) return;
  const others = (metadata.finalizers ?? []).filter((each) => each !== finalizer);
  metadata.finalizers = [...others, finalizer];
  const status = clone(objectAt(definition, 'status') ?? {});
  setCondition(status, pending, now);
  definition.status = status;
}

const pending = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
} as const;
