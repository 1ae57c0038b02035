/** Reads the status of a review that a webhook has answered. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';

/** The status of a review, absent where it has none; or why the answer cannot be relied on. */
export type ReviewStatus =
  | { readonly ok: true; readonly status: JsonObject | undefined }
  | { readonly ok: false; readonly problem: string };

/** The answer has to be a review of the kind and version that was sent. */
export function readStatus(text: string, kind: string, apiVersion: string): ReviewStatus {
  const answer = parse(text);
  if (!isObject(answer)) return { ok: false, problem: 'the webhook does not answer with JSON' };
  const [saidKind, version] = [stringAt(answer, 'kind'), stringAt(answer, 'apiVersion')];
  if (saidKind === kind && version === apiVersion) return { ok: true, status: objectAt(answer, 'status') };
  const said = `${version || 'no version'} ${saidKind || 'of no kind'}`;
  return { ok: false, problem: `the webhook answers with ${said}, not with ${apiVersion}` };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
