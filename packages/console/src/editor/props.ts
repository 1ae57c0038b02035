/** The props of the editor. */
import type { DynamicObject, ServedKind } from 'kindforge/client';
import type { EditMode } from '../schema/dry-run.js';
import type { FieldProblem } from '../schema/problems.js';
import type { Session } from '../session/session.js';

export interface ObjectEditorProps {
  readonly session: Session;
  readonly kind: ServedKind;
  /** The object, as the text says it whenever the text is valid. Set it to show another one. */
  value: DynamicObject;
  /** The object that changes are counted from. Default: the one that was set last. */
  readonly base?: DynamicObject;
  /** Whether the object is new. Default: `edit`. */
  readonly mode?: EditMode;
  /** Called when it changes whether the object can be saved, as far as is known. */
  readonly onvalid?: (ok: boolean) => void;
  /** Problems that the caller found, for example when it saved the object. */
  readonly problems?: readonly FieldProblem[];
  readonly readonly?: boolean;
  /** Keeps what is typed in the tab under this name, and offers it after a reload. */
  readonly draftKey?: string;
  /** Called when the user takes up what was kept, before the object follows. */
  readonly onrestore?: () => void;
}
