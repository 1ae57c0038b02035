/** Kernel parameters of pods. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { duplicate, invalidValue, required } from '../../../runtime/objects/field-error.js';
import { stringAt } from '../../../runtime/objects/guards.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import { isTrueAt, objectsAt } from '../../shared/reading.js';

const segment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const source = `(${segment}[\\./])*${segment}`;
// The same names, tested part by part so that the time is linear in the length.
const segments = new RegExp(`^${segment}$`);
const maxLength = 253;

/** The parameters of a pod; one of a namespace that the pod shares with its node is the node's own. */
export function* checkSysctls(context: JsonObject, spec: JsonObject, path: string): FieldErrors {
  const seen = new Set<string>();
  for (const [i, sysctl] of objectsAt(context, 'sysctls').entries()) {
    const at = `${path}[${i}].name`;
    const name = withDots(stringAt(sysctl, 'name'));
    if (name === '') yield required(at);
    else if (name.length > maxLength || !name.split(/[./]/).every((part) => segments.test(part))) {
      yield invalidValue(at, name, `must have at most ${maxLength} characters and match regex ^${source}$`);
    } else if (seen.has(name)) yield duplicate(at, name);
    seen.add(name);
    const namespace = namespaceOf(name);
    if (namespace !== undefined && isTrueAt(spec, namespace)) {
      yield invalidValue(at, name, `may not be specified when '${namespace}' is true`);
    }
  }
}

/** A name with dots between its parts, whichever of the two ways it was written. */
function withDots(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  if (first !== '/') return name;
  return name.replace(/[./]/g, (separator) => (separator === '/' ? '.' : '/'));
}

/** The field that says whether the pod shares what a parameter belongs to. */
function namespaceOf(name: string): 'hostIPC' | 'hostNetwork' | undefined {
  if (name === 'kernel.sem' || /^(kernel\.shm|kernel\.msg|fs\.mqueue\.)/.test(name)) return 'hostIPC';
  return name.startsWith('net.') ? 'hostNetwork' : undefined;
}
