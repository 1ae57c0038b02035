/** The props of the editor. */
import type { DynamicObject, ServedKind } from 'kindforge/client';
import type { EditMode } from '../schema/dry-run.js';
import type { FieldProblem } from '../schema/problems.js';
import type { Session } from '../session/session.js';

export interface ObjectEditorProps {
  readonly session: Session;
  readonly kind: ServedKind;
  /** The object of the last valid text. Set it to show another object. */
  value: DynamicObject;
  /** The object to compare with for changes. Default: the object that was set last. */
  readonly base?: DynamicObject;
  /** Whether the object is new. Default: `edit`. */
  readonly mode?: EditMode;
  /** Called when the object becomes valid or invalid, as far as the editor knows. */
  readonly onvalid?: (ok: boolean) => void;
  /** Problems that the caller found, for example while it saved the object. */
  readonly problems?: readonly FieldProblem[];
  readonly readonly?: boolean;
  /** Keeps the typed text in the tab under this name, and offers it after a reload. */
  readonly draftKey?: string;
  /** Called when the user restores the kept text, before the object follows. */
  readonly onrestore?: () => void;
}
