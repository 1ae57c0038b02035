/** Unknown and duplicate fields, by the `fieldValidation` that the client asked for. */
import { describe, expect, it } from 'vitest';
import { reportFields } from '../../../../runtime/write/field-validation.js';
import type { FieldValidation } from '../../../../runtime/write/write-options.js';
import { verbRequest } from '../../../support/verb-requests.js';

function report(level: FieldValidation, ...problems: string[]) {
  const verb = verbRequest();
  return { failure: reportFields(verb, level, problems), warnings: verb.warnings };
}

describe('problems with fields', () => {
  it('are nobody’s business under Ignore', () => {
    expect(report('Ignore', 'unknown field "a"')).toEqual({ failure: undefined, warnings: [] });
  });

  it('are warnings under Warn, each once', () => {
    expect(report('Warn', 'unknown field "a"', 'duplicate field "b"', 'unknown field "a"')).toEqual({
      failure: undefined,
      warnings: ['unknown field "a"', 'duplicate field "b"'],
    });
  });

  it('are a bad request that names them all under Strict', () => {
    const { failure, warnings } = report('Strict', 'unknown field "a"', 'duplicate field "b"');
    expect(failure?.reason).toBe('BadRequest');
    expect(failure?.message).toMatch(/strict decoding error: unknown field "a", duplicate field "b"$/);
    expect(warnings).toEqual([]);
  });

  it('are needed for a refusal', () => {
    expect(report('Strict')).toEqual({ failure: undefined, warnings: [] });
  });
});
