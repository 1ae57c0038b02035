/** Selectable fields that a strategy computes need not be in the schema; others must be. */
import { describe, expect, it } from 'vitest';
import { checkSelectableFields } from '../../../../generator/check/definition.js';
import { builtInDefinitions } from '../../../support/built-in-definitions.js';

const { model } = builtInDefinitions();
const version = model.resources.find(({ names }) => names.kind === 'Secret')?.versions[0];

describe.runIf(version)('a selectable field', () => {
  const problems = (field: { jsonPath: string; byStrategy?: boolean }, isNative: boolean): string[] => {
    const found: string[] = [];
    if (version)
      checkSelectableFields({ selectableFields: [field] }, version, 0, isNative, (problem) =>
        found.push(problem.message),
      );
    return found;
  };

  it('must be in the schema, or computed by the strategy', () => {
    expect(problems({ jsonPath: '.type' }, true)).toEqual([]);
    expect(problems({ jsonPath: '.other' }, true)).toEqual(['field `other` does not exist']);
    expect(problems({ jsonPath: '.other', byStrategy: true }, true)).toEqual([]);
  });

  it('must be a plain path even then, and no custom resource has a strategy', () => {
    expect(problems({ jsonPath: '.metadata.uid', byStrategy: true }, true)).toHaveLength(1);
    expect(problems({ jsonPath: '.other', byStrategy: true }, false)).toHaveLength(1);
  });
});
