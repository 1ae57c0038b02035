/** Reference pages have a row for everything that the code has, and for nothing else. `UPDATE_GOLDEN=1` writes the rows. */
import { describe, expect, it } from 'vitest';
import { admissionPluginTable } from '../../support/reference/admission-plugins.js';
import { expectPage, type Parts } from '../../support/reference/page.js';

const pages: Readonly<Record<string, () => Parts | Promise<Parts>>> = {
  'admission-plugins.md': () => ({ plugins: admissionPluginTable() }),
};

describe('reference pages', () => {
  it.each(Object.entries(pages))('say what the code says: %s', async (name, parts) => expectPage(name, await parts()));
});
