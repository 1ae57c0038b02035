/** The stages that make the next object from the current one and a replacement, patch or configuration. */
import type { ApiObject, Failure, Result } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import type { Steps } from '../../objects/turns.js';
import type { UpdateAttempt } from '../write.js';
import { amongVersions } from './ownership.js';

/** Makes the next object, or the next view of the object. */
export async function mergeIntoCurrent(attempt: UpdateAttempt): Promise<Failure | undefined> {
  const next = await amongVersions(attempt.write, () => merged(attempt));
  if (!next.ok) return next.failure;
  attempt.object = next.value;
  return undefined;
}

function* merged(attempt: UpdateAttempt): Steps<Result<ApiObject>> {
  const { plan, old } = attempt;
  const view = plan.view?.of(old);
  if (view?.ok === false) return view;
  // A replacement shares nothing with the object that it replaces.
  attempt.current = view ? view.value : plan.verb === 'update' ? old : draftOf(old);
  return yield* plan.merge(attempt.current);
}

/** Writes a client's changes of a view back into the object. */
export function takeView(attempt: UpdateAttempt): Failure | undefined {
  const { old, object: view, plan } = attempt;
  if (!plan.view) return undefined;
  const object = draftOf(old);
  attempt.object = object;
  return plan.view.refuse(object, view) ?? plan.view.into(object, view);
}

/**
 * Returns a copy of the current object, to make the next one from. Shares the entries of owners, because nobody changes
 * them.
 */
export function draftOf(current: ApiObject): ApiObject {
  const { managedFields, ...metadata } = current.metadata;
  const draft = clone({ ...current, metadata });
  if (managedFields !== undefined) draft.metadata.managedFields = managedFields;
  return draft;
}
