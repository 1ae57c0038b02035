/** Rules on selectable fields: each is a scalar of the schema that clients cannot select by anyway. */
import { boolean, get, list, type Raw, string } from '../../runtime/schema/read.js';
import type { Report, Suggestion } from '../diagnostics/problem.js';
import type { VersionModel } from '../model/model.js';
import { followObject, parsePath, type Step } from './json-path.js';

/** How many fields of a custom resource servers let clients select by. */
const MOST_FIELDS = 8;

/** A problem of one field. */
interface Flaw {
  readonly message: string;
  readonly suggestion?: Suggestion;
}

/** Checks the selectable fields of one version; `index` is its place in `spec.versions`. */
export function checkSelectableFields(
  raw: Raw,
  version: VersionModel,
  index: number,
  isNative: boolean,
  report: Report,
): void {
  const path = ['spec', 'versions', index, 'selectableFields'];
  const fields = list(get(raw, 'selectableFields'));
  if (!isNative && fields.length > MOST_FIELDS) {
    report({ code: 'KF4016', path, at: 'key', message: `at most ${MOST_FIELDS} fields can be selectable` });
  }
  const seen = new Set<string>();
  fields.forEach((field, at) => {
    const text = string(get(field, 'jsonPath'));
    if (text === undefined) return;
    const given = isNative && boolean(get(field, 'byStrategy')) === true;
    const flaw = seen.has(text) ? { message: `"${text}" is written twice` } : flawOf(text, version, isNative, given);
    if (flaw !== undefined) report({ code: 'KF4016', path: [...path, at, 'jsonPath'], ...flaw });
    seen.add(text);
  });
}

/** `given`: its values come from the strategy, so there need not be such a field. */
function flawOf(text: string, version: VersionModel, isNative: boolean, given: boolean): Flaw | undefined {
  const steps = plainSteps(text);
  if (steps === undefined) return { message: `"${text}" is not a plain path of fields, such as .spec.nodeName` };
  const [first] = steps;
  if (first?.kind === 'field' && first.name === 'metadata') {
    return { message: 'of metadata, name and namespace can always be selected by and the rest never' };
  }
  if (given) return undefined;
  const target = followObject(version.schema, steps);
  if (target.found === undefined) return { message: target.why, suggestion: target.nearest };
  // Handlers may give a built-in kind's field a value that no path leads to.
  const isFit = isNative || isScalar(target.found);
  return isFit ? undefined : { message: `"${text}" is not a string, integer or boolean` };
}

function plainSteps(text: string): readonly Step[] | undefined {
  const parsed = parsePath(text);
  if ('problem' in parsed || text.includes('[')) return undefined;
  return parsed.steps.every((step) => step.kind === 'field') ? parsed.steps : undefined;
}

function isScalar(found: VersionModel['schema'] | 'anything'): boolean {
  return found !== 'anything' && (found.type === 'string' || found.type === 'integer' || found.type === 'boolean');
}
