/** Decides by expressions whether an authorization webhook is asked about a request. */
import type { Expression } from '../../runtime/cel/index.js';
import type { JsonObject } from '../../runtime/contract/index.js';
import { joinErrors } from '../../runtime/objects/field-error.js';
import { objectAt } from '../../runtime/objects/guards.js';
import { type CompiledAccess, compileAccessRule, runAccess } from '../access-expressions.js';

/** Whether all conditions hold, or the errors that make this unknown. */
export type Matched =
  | { readonly ok: true; readonly matches: boolean }
  | { readonly ok: false; readonly problem: string };

/** Compiles a condition. `hasSelectors`: whether it may use the selectors of a request. */
export const compileMatchCondition = (text: string, hasSelectors: boolean): CompiledAccess =>
  compileAccessRule(text, hasSelectors ? 'request with selectors' : 'request', true);

/** Evaluates conditions with the spec of a review. A false condition decides, whatever the others yield. */
export function matchConditions(conditions: readonly Expression[], spec: JsonObject): Matched {
  const request = requestOf(spec);
  const problems: string[] = [];
  for (const condition of conditions) {
    const result = runAccess(condition, { request });
    if (!result.ok) problems.push(`cel evaluation error: ${result.problem}`);
    else if (result.value !== true) return { ok: true, matches: false };
  }
  return problems.length === 0 ? { ok: true, matches: true } : { ok: false, problem: joinErrors(problems) };
}

const noResource = { namespace: '', verb: '', group: '', version: '', resource: '', subresource: '', name: '' };

/** Adds the empty fields that a review leaves out: expressions read them without asking for their presence. */
function requestOf(spec: JsonObject): JsonObject {
  const resourceAttributes = objectAt(spec, 'resourceAttributes');
  const path = objectAt(spec, 'nonResourceAttributes');
  return {
    user: '',
    uid: '',
    groups: [],
    extra: {},
    ...spec,
    ...(resourceAttributes ? { resourceAttributes: { ...noResource, ...resourceAttributes } } : {}),
    ...(path ? { nonResourceAttributes: { path: '', verb: '', ...path } } : {}),
  };
}
