/** Lists the public tables about definitions: some test replays each, or there is a reason why not. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root, shared } from '../../../../support/shared.js';

const folder = shared('suites', 'tables');
const cel = 'test/unit/runtime/cel/schema/tables.test.ts';
const costs = 'test/unit/runtime/cel/tables.test.ts';
const schema = 'test/unit/runtime/schema/tables.test.ts';
const definitions = 'test/unit/strategies/apiextensions.platform.io/definitions/tables.test.ts';
const account = 'test/unit/strategies/apiextensions.platform.io/definitions/expressions.test.ts';

/** The tests that replay the rows of a table. They give reasons for rows that they leave out. */
const replayed: Readonly<Record<string, string>> = {
  TestValidateCustomResourceDefinition: definitions,
  TestValidateCustomResourceDefinitionUpdate: definitions,
  TestValidateCustomResourceDefinitionValidation: definitions,
  TestSelectableFields: definitions,
  Test_validateDeprecationWarning: definitions,
  TestValidateCustomResourceDefinitionStoredVersions: account,
  TestCostInfo: account,
  TestPerCRDEstimatedCost: account,
  TestValidateFieldPath: cel,
  TestCelCompilation: cel,
  TestMapList: cel,
  TestValidationExpressionsAtSchemaLevels: cel,
  TestCELMaxRecursionDepth: cel,
  TestMessageExpression: cel,
  TestReasonAndFldPath: cel,
  TestOptionalOldSelf: cel,
  TestOptionalOldSelfCheckForNull: cel,
  TestOptionalOldSelfIsOptionalType: cel,
  TestEquality: cel,
  TestLister: cel,
  TestMapper: cel,
  TestValidationExpressions: costs,
  TestCelCostStability: costs,
  TestCelEstimatedCostStability: costs,
  TestDefaultValidationWithCostBudget: 'test/unit/runtime/cel/schema/default-errors.test.ts',
  TestDefaultValidationWithOptionalOldSelf: 'test/unit/runtime/cel/schema/default-errors.test.ts',
  TestDefault: schema,
  TestPruneNonNullableNullsWithoutDefaults: schema,
  TestValidateListSetsAndMaps: schema,
  TestPrune: schema,
  TestCoerce: schema,
  TestValidateEmbeddedResource: schema,
  TestValidate: schema,
  TestValidateStructuralCompleteness: 'test/unit/runtime/schema/structural/completeness.test.ts',
  TestGetObjectMetaWithOptions: 'test/unit/runtime/write/object-meta-table.test.ts',
  Test_cellForJSONValue: 'test/unit/runtime/codec/table-rows.test.ts',
  Test_convertor_ConvertToTable: 'test/unit/runtime/codec/table-rows.test.ts',
};

/** Tables that are not replayed, and why. */
const left: Readonly<Record<string, string>> = {
  TestValidateCustomResourceDefinitionValidationRuleCompatibility:
    'functions that only stored rules of a later release may use',
  TestRatcheting: 'later releases let unchanged values break rules; 1.27 does not, nor does anything here',
  TestCostEstimation: 'the rows have lost their schemas, which a function made',
  TestCELValidationLimit: 'how many rules are asked before the budget of a test that is not in the row is spent',
  TestCELValidationContextCancellation: 'a program that gives up waiting, for which nothing in a request stands',
  TestCelContext: 'how often a schema is converted inside of the reference',
  TestValidateStructuralMetadataInvariants: 'the rows have lost all but the name of a type',
  TestValidateNestedValueValidationComplete: 'fields of a structure of the reference',
};

const tables = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('apiextensions-')) : [];

describe.skipIf(tables.length === 0)('tables on definitions (skipped if they are not beside the checkout)', () => {
  const names = new Set(
    tables.flatMap((table) =>
      readFileSync(join(folder, table), 'utf8')
        .trim()
        .split('\n')
        .map((line): string => JSON.parse(line).test),
    ),
  );

  it('are all replayed or have a reason', () =>
    expect([...names].sort()).toEqual([...Object.keys(replayed), ...Object.keys(left)].sort()));

  it('are replayed in the named tests', () => {
    const texts = new Map(
      [...new Set(Object.values(replayed))].map((path) => [path, readFileSync(join(root, path), 'utf8')]),
    );
    const lost = Object.entries(replayed).filter(([name, path]) => {
      const text = texts.get(path) ?? '';
      return (
        !text.includes(`'${name}'`) &&
        !(name.startsWith('TestDefaultValidation') && text.includes("'TestDefaultValidation'"))
      );
    });
    expect(lost).toEqual([]);
  });
});
