/** The errors of one validation. */
import { describe, expect, it } from 'vitest';
import type { FieldError } from '../../../../../runtime/contract/index.js';
import { invalidValue } from '../../../../../runtime/objects/field-error.js';
import { Findings } from '../../../../../runtime/schema/engine/findings.js';

function reported(findings: Findings): FieldError[] {
  const errors: FieldError[] = [];
  findings.reportTo(errors);
  return errors;
}

describe('findings', () => {
  it('keep the first of equal errors in its place', () => {
    const findings = new Findings();
    const [one, two] = [invalidValue('a', 1, 'is one'), invalidValue('b', 2, 'is two')];
    for (const error of [one, two, { ...one }]) findings.push(error);
    findings.dropRepeats();
    expect(reported(findings)).toEqual([one, two]);
  });

  it('stop at a thousand', () => {
    const findings = new Findings();
    for (let i = 0; i < 2000; i++) findings.push(invalidValue(`a[${i}]`, i, 'is a number'));
    expect(findings.full).toBe(true);
    expect(reported(findings)).toHaveLength(1000);
  });
});
