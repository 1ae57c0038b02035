/** Prints what admission has said of a request. */
import type { AdmissionStep, JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Explanation } from './explanation.js';

/** One line for the request, one or more for each step, and one for the answer. */
export function explanationLines(
  { request, code, answer, steps }: Explanation,
  showsReviews: boolean,
): readonly string[] {
  const refusal = isObject(answer) && answer.kind === 'Status' ? stringAt(answer, 'message') : '';
  return [
    request,
    ...steps.flatMap((step) => stepLines(step, showsReviews).map((line) => `  ${line}`)),
    code < 400 ? `let in: ${code}` : `refused: ${code}${refusal === '' ? '' : ` ${refusal}`}`,
  ];
}

const verbs = { admit: 'mutating', validate: 'validating' } as const;

function stepLines(step: AdmissionStep, showsReviews: boolean): readonly string[] {
  const { kind, name, of, outcome, message, milliseconds, patch, warnings = [], request } = step;
  const what = kind === 'policy' ? kind : `${verbs[step.step]} ${kind}`;
  const who = `${what} ${name}${of === undefined ? '' : ` (${of})`}`;
  const time = milliseconds === undefined ? '' : `, ${milliseconds.toFixed(1)} ms`;
  return [
    `${who}: ${outcome}${time}${message === undefined ? '' : `: ${message}`}`,
    ...(request ? [`  sees ${seen(request)}`] : []),
    ...operationsOf(patch).map((line) => `  ${line}`),
    ...warnings.map((warning) => `  warns: ${warning}`),
    ...(request && showsReviews ? JSON.stringify(request, undefined, 2).split('\n') : []),
  ];
}

/** As in `CREATE configmaps v1`. */
function seen(request: JsonObject): string {
  const shown = objectAt(request, 'resource');
  const asked = objectAt(request, 'requestResource');
  const version = versionOf(shown);
  const converted = version === versionOf(asked) ? '' : `, asked as ${versionOf(asked)}`;
  const subresource = stringAt(request, 'subResource');
  const below = subresource === '' ? '' : `/${subresource}`;
  return `${stringAt(request, 'operation')} ${stringAt(shown, 'resource')}${below} ${version}${converted}`;
}

const versionOf = (resource: JsonObject | undefined): string =>
  [stringAt(resource, 'group'), stringAt(resource, 'version')].filter((part) => part !== '').join('/');

function operationsOf(patch: JsonValue | undefined): readonly string[] {
  if (!isArray(patch)) return [];
  return patch.filter(isObject).map((one) => {
    const value = one.value === undefined ? stringAt(one, 'from') : JSON.stringify(one.value);
    return [stringAt(one, 'op'), stringAt(one, 'path'), value].filter((part) => part !== '').join(' ');
  });
}
