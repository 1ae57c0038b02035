/** Deletes objects that were created a moment ago. */
import { type DynamicObject, isNotFound } from 'kindforge/client';
import { toast } from '../../app/toasts.svelte.js';
import type { Session } from '../../session/session.js';

/**
 * Deletes the objects, the last one first, unless others have replaced them. Shows the result, and resolves to the
 * deleted ones. Never rejects.
 */
export async function undoCreate(
  { client }: Session,
  created: readonly DynamicObject[],
): Promise<readonly DynamicObject[]> {
  const deleted: DynamicObject[] = [];
  let problem = '';
  for (const object of created.toReversed()) {
    try {
      await client.delete(object, { preconditions: { uid: object.metadata.uid ?? '' } });
      deleted.push(object);
    } catch (error) {
      if (isNotFound(error)) deleted.push(object);
      else problem = `; others stay: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  toast.show({ text: `Deleted ${deleted.length} again${problem}`, tone: problem === '' ? 'good' : 'bad' });
  return deleted;
}
