/** Asks the server for the object that it would store. */
import {
  ApiError,
  createResourceClient,
  type DynamicObject,
  isAlreadyExists,
  isInvalid,
  type ServedKind,
} from 'kindforge/client';
import type { Session } from '../session/session.js';
import { type FieldProblem, problemsOf, warningProblem } from './problems.js';

export type EditMode = 'create' | 'edit';

export interface DryRun {
  /** The object that would be stored; absent if the server refuses it. */
  readonly stored?: DynamicObject;
  /** Refusals of the server, and its warnings. */
  readonly problems: readonly FieldProblem[];
}

/** The part of a session that a dry run needs. */
interface Asker {
  readonly options: Session['options'];
  readonly rights: Pick<Session['rights'], 'may'>;
}

/**
 * Runs every stage of a write except storing, and refuses unknown fields. Resolves to `undefined` if the user may not
 * write the object. Throws errors that are not about the object: a lost connection, a conflict, an expired session.
 */
export async function dryRun(
  { options, rights }: Asker,
  kind: ServedKind,
  object: DynamicObject,
  mode: EditMode,
  signal?: AbortSignal,
): Promise<DryRun | undefined> {
  const { name, namespace } = object.metadata;
  const verb = mode === 'create' ? 'create' : 'update';
  const right = { verb, group: kind.group, resource: kind.plural, namespace: namespace || undefined };
  if (!(await rights.may(mode === 'edit' && name ? { ...right, name } : right))) return undefined;
  const warnings: FieldProblem[] = [];
  const client = createResourceClient<DynamicObject, DynamicObject, string>(descriptorOf(kind), {
    ...options,
    onWarning: (text) => warnings.push(warningProblem(text)),
  });
  const place = client.in(namespace || 'default');
  const how = { dryRun: true, fieldValidation: 'Strict', ...(signal === undefined ? {} : { signal }) } as const;
  try {
    const stored = await (mode === 'create' ? place.create(object, how) : place.update(object, how));
    return { stored, problems: warnings };
  } catch (error) {
    if (!isAboutObject(error)) throw error;
    const problems = isAlreadyExists(error) ? [{ path: 'metadata.name', message: error.message }] : problemsOf(error);
    return { problems: [...problems, ...warnings] };
  }
}

/**
 * Returns whether a refusal is about the content of the object: it is invalid, cannot be decoded, is refused by
 * admission, or its name is taken.
 */
const isAboutObject = (error: unknown): boolean =>
  isInvalid(error) || isAlreadyExists(error) || (error instanceof ApiError && [400, 403, 413].includes(error.code));

/** Returns a kind without types for its objects, because they are unknown. */
export const descriptorOf = ({ group, version, plural, kind, scope, subresources }: ServedKind) => ({
  ...{ group, version, plural, kind, scope, subresources },
});
