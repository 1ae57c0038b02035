/** Rules for the kernel parameters of pods. */
import type { Sysctl } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { duplicate, invalidValue, required } from '../../../runtime/objects/field-error.js';
import type { FieldErrors } from '../../shared/field-checks.js';

const segment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const source = `(${segment}[\\./])*${segment}`;
// The same names, tested part by part so that the time is linear in the length.
const segments = new RegExp(`^${segment}$`);
const maxLength = 253;

/** The parameters of a pod at a path. */
export function* checkSysctls(sysctls: readonly Draft<Sysctl>[] = [], path: string): FieldErrors {
  const seen = new Set<string>();
  for (const [i, sysctl] of sysctls.entries()) {
    const at = `${path}[${i}].name`;
    const name = withDots(sysctl.name ?? '');
    if (name === '') yield required(at);
    else if (name.length > maxLength || !name.split(/[./]/).every((part) => segments.test(part))) {
      yield invalidValue(at, name, `must have at most ${maxLength} characters and match regex ^${source}$`);
    } else if (seen.has(name)) yield duplicate(at, name);
    seen.add(name);
  }
}

/** The name with dots between its parts. It may be written with slashes too, and then has the two exchanged. */
function withDots(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  if (first !== '/') return name;
  return name.replace(/[./]/g, (separator) => (separator === '/' ? '.' : '/'));
}
