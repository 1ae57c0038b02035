/** Keeps the object on which a draft is based, so that the draft can be merged and undone after a reload. */
import { type DynamicObject, parseJson, stringifyJson } from 'kindforge/client';
import { drafts } from '../../app/drafts.js';

const keyFor = (draftKey: string): string => `${draftKey}#base`;

export const draftBase = {
  /** Returns the state that was kept for the same object. */
  read(draftKey: string, { metadata: { uid } }: DynamicObject): DynamicObject | undefined {
    const text = drafts.read(keyFor(draftKey));
    const kept = text === undefined ? undefined : parseJson<DynamicObject>(text);
    return kept?.metadata.uid === uid ? kept : undefined;
  },

  write: (draftKey: string, base: DynamicObject): void => drafts.write(keyFor(draftKey), stringifyJson(base)),

  /** Drops a draft and its base. */
  drop(draftKey: string): void {
    drafts.drop(draftKey);
    drafts.drop(keyFor(draftKey));
  },
};
