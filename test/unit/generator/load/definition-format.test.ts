import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FORMAT_TYPES, printFormatTypes } from '../../../../generator/commands/print-format-types.js';

test('the types of the definition format are those of schemas/meta', async () => {
  expect(readFileSync(FORMAT_TYPES, 'utf8')).toBe(await printFormatTypes());
});
