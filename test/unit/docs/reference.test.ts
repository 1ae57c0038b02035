/** Reference pages have a row for everything that the code has, and for nothing else. `UPDATE_GOLDEN=1` writes the rows. */
import { describe, it } from 'vitest';
import { serveFlagGroups } from '../../../bin/flags/serve/index.js';
import { metricGroups } from '../../../runtime/metrics/index.js';
import { flagTables } from '../../support/flag-documents.js';
import { admissionPluginTable } from '../../support/reference/admission-plugins.js';
import { settingTable } from '../../support/reference/configuration.js';
import { codeTables } from '../../support/reference/diagnostics.js';
import { errorTables } from '../../support/reference/errors.js';
import { featureGateTables } from '../../support/reference/feature-gates.js';
import { metricTables } from '../../support/reference/metrics.js';
import { expectPage, type Parts } from '../../support/reference/page.js';

const pages: Readonly<Record<string, () => Parts>> = {
  'admission-plugins.md': () => ({ plugins: admissionPluginTable() }),
  'configuration.md': () => ({ keys: settingTable() }),
  'diagnostics.md': () => ({ codes: codeTables() }),
  'errors.md': errorTables,
  'feature-gates.md': featureGateTables,
  'flags.md': () => ({ flags: flagTables(serveFlagGroups) }),
  'metrics.md': () => ({ metrics: metricTables(metricGroups) }),
};

describe('reference pages', () => {
  it.each(Object.entries(pages))('say what the code says: %s', (name, parts) => expectPage(name, parts()));
});
