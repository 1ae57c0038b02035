import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FORMAT_TYPES } from '../../generator/commands/format-types.js';
import { printFormatTypes } from './print-format-types.js';

test('the types of the definition format match schemas/meta', async () => {
  expect(readFileSync(FORMAT_TYPES, 'utf8')).toBe(await printFormatTypes());
});
