/** Tries and publishes definitions. */
import {
  ApiError,
  createResourceClient,
  type DynamicObject,
  isConflict,
  ManifestError,
  readManifests,
  type ServedKind,
} from 'kindforge/client';
import type { Mark } from '../../editor/editor-state.svelte.js';
import { descriptorOf } from '../../schema/dry-run.js';
import type { Session } from '../../session/session.js';
import type { CustomDefinition } from './custom-definition.js';
import { marksOf, syntaxMarks } from './definition-draft.js';

/** The server's answer to a text. */
export type Tried =
  /** With the warnings of the server. They do not prevent publishing. */
  | { readonly ok: true; readonly object: DynamicObject; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly marks: readonly Mark[] }
  /** Somebody has changed the definition since it was read. */
  | { readonly ok: false; readonly isOutdated: true };

/**
 * Sends the text as an update of its definition, or as a new definition. With `dryRun`, stores nothing. Rejects if the
 * server does not answer, or if the user may not do it.
 */
export async function send(
  session: Session,
  definer: ServedKind,
  text: string,
  present: CustomDefinition | undefined,
  dryRun: boolean,
): Promise<Tried> {
  const read = await readText(definer, text, present);
  if (!read.ok) return read;
  const { metadata } = read.object;
  const resourceVersion = present?.object.metadata.resourceVersion;
  const object =
    resourceVersion === undefined ? read.object : { ...read.object, metadata: { ...metadata, resourceVersion } };
  const options = { dryRun, fieldValidation: 'Strict' } as const;
  const warnings: string[] = [];
  const client = createResourceClient<DynamicObject, DynamicObject, string>(descriptorOf(definer), {
    ...session.options,
    onWarning: (warning) => warnings.push(warning),
  });
  try {
    const stored = await (present ? client.update(object, options) : client.create(object, options));
    return { ok: true, object: stored, warnings };
  } catch (error) {
    if (isConflict(error)) return { ok: false, isOutdated: true };
    // A refusal of the text is shown in it. Everything else is a problem of the page.
    if (!(error instanceof ApiError) || ![400, 409, 422].includes(error.code)) throw error;
    return { ok: false, marks: await marksOf(text, error) };
  }
}

type Read =
  | { readonly ok: true; readonly object: DynamicObject }
  | { readonly ok: false; readonly marks: readonly Mark[] };

async function readText(definer: ServedKind, text: string, present: CustomDefinition | undefined): Promise<Read> {
  const marks = await syntaxMarks(text);
  if (marks.length > 0) return { ok: false, marks };
  const wrong = (message: string): Read => ({ ok: false, marks: [{ line: 1, message, severity: 'error' }] });
  try {
    const [object, ...more] = await readManifests(text);
    if (!object || more.length > 0) return wrong('must be one definition');
    if (object.kind !== definer.kind || !object.apiVersion.startsWith(`${definer.group}/`)) {
      return wrong(`must be a ${definer.kind} of ${definer.group}`);
    }
    if (present && object.metadata.name !== present.name) return wrong(`the name must stay ${present.name}`);
    return { ok: true, object };
  } catch (error) {
    if (error instanceof ManifestError) return wrong(error.message);
    throw error;
  }
}
